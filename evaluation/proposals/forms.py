"""What a model is asked for."""

import re
from typing import Any

from django import forms

from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.forms import EndpointField
from evaluation.llm.stored_endpoints import endpoint_of
from evaluation.models import ModelEndpoint, SubredditSearch
from evaluation.proposals.names import clean_name, is_name
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.hints.rules import MAX_LENGTHS, InvalidHint, check_hint

MAX_EXAMPLES = 20
DEFAULT_NUMBER = 20
NOT_NAMES = "These are not subreddit names: {names}."
TOO_MANY_EXAMPLES = f"Name at most {MAX_EXAMPLES} examples."
_LISTS = "; ".join(f"{a.label.lower()}: {', '.join(CLOSED_LISTS[a].values)}" for a in CLOSED_LISTS)
VALUE_HELP = (
    "What the authors have in common, such as London or nurse. It becomes the value of the hints: "
    f"places as city / state / country, ages as 27 or 25-35, {_LISTS}."
)


class SearchForm(forms.Form):
    attribute = forms.ChoiceField(choices=Attribute.choices)
    value = forms.CharField(max_length=MAX_LENGTHS["value"], help_text=VALUE_HELP)
    number = forms.IntegerField(label="How many (1 to 100)", min_value=1, max_value=100, initial=DEFAULT_NUMBER)
    examples = forms.CharField(
        required=False,
        max_length=1200,
        label="Example subreddits",
        help_text="A few that you know, separated by spaces or commas. The model is asked for others.",
    )
    endpoint = EndpointField(ModelEndpoint.objects.none(), label="Model", empty_label=None)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["endpoint"].queryset = ModelEndpoint.objects.usable()  # type: ignore[attr-defined]

    @property
    def has_endpoints(self) -> bool:
        """Whether there is anything to choose. 1 query."""
        return bool(self.fields["endpoint"].queryset.exists())  # type: ignore[attr-defined]

    def clean_examples(self) -> list[str]:
        try:
            return read_examples(self.cleaned_data["examples"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error

    def clean_endpoint(self) -> ModelEndpoint:
        endpoint: ModelEndpoint = self.cleaned_data["endpoint"]
        try:
            endpoint_of(endpoint)
        except EndpointRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return endpoint

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if "attribute" in values and "value" in values:
            try:
                values["value"] = read_value(Attribute(values["attribute"]), values["value"])
            except InvalidHint as refusal:
                self.add_error("value", refusal.problems["value"])
        return values


def initial_of(search: SubredditSearch) -> dict[str, Any]:
    """The form as it was for an earlier search."""
    return {
        "attribute": search.attribute, "value": search.value, "number": search.wanted,
        "examples": ", ".join(search.examples), "endpoint": search.endpoint_id,
    }  # fmt: skip


def read_value(attribute: Attribute, value: str) -> str:
    """The value as the model is told it. Raises InvalidHint if no hint could have it."""
    row = check_hint(subreddit="example", attribute=attribute, value=value, reason="")
    return row.value if attribute in CLOSED_LISTS else " ".join(value.split())


def read_examples(text: str) -> list[str]:
    """Names without r/, each once. Raises ValueError with a sentence."""
    names = {name.lower(): name for word in re.split(r"[\s,;]+", text) if (name := clean_name(word))}
    wrong = [name for name in names.values() if not is_name(name)]
    if wrong:
        raise ValueError(NOT_NAMES.format(names=", ".join(wrong)))
    if len(names) > MAX_EXAMPLES:
        raise ValueError(TOO_MANY_EXAMPLES)
    return list(names.values())
