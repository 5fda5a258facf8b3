"""Filters of the dispute queue, and an adjudicator's decisions."""

from typing import Any

from django import forms

from annotator.labelling.cards import VALUE_LENGTH
from annotator.labelling.forms import rating
from annotator.models import Batch, Dispute
from profiles.answers import parse_answer
from profiles.attributes import Attribute
from profiles.models import Corpus, Profile

METHODS = [(method, method) for method in ("accept", "merge", "write", "keep")]
UNRATED = "Leave hardness and certainty at 0 if there is no value."


class QueueForm(forms.Form):
    """Filters of the dispute queue."""

    corpus = forms.ModelChoiceField(Corpus.objects.none(), required=False, empty_label="All corpora")
    batch = forms.ModelChoiceField(Batch.objects.none(), required=False, empty_label="All batches")
    attribute = forms.ChoiceField(choices=[("", "All attributes"), *Attribute.choices], required=False)
    kind = forms.ChoiceField(choices=[("", "All kinds"), *Dispute.Kind.choices], required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        batches = Batch.objects.filter(is_practice=False).order_by("name", "pk")
        self.fields["corpus"].queryset = Corpus.objects.ready().order_by("name", "pk")  # type: ignore[attr-defined]
        self.fields["batch"].queryset = batches  # type: ignore[attr-defined]


class NextForm(forms.Form):
    """The profile that the adjudicator leaves, and whether to skip it for now."""

    left = forms.ModelChoiceField(Profile.objects.all(), required=False)
    skip = forms.BooleanField(required=False)


class UndoForm(forms.Form):
    """The decision to undo, and the profile on whose page it is offered."""

    decision = forms.CharField(max_length=64)
    left = forms.ModelChoiceField(Profile.objects.all(), required=False)


class DecisionForm(forms.Form):
    """A decision about one attribute. `seen` is the fingerprint of what the adjudicator saw."""

    how = forms.ChoiceField(choices=METHODS)
    seen = forms.CharField(max_length=64)
    judgement = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    value = forms.CharField(
        required=False, max_length=VALUE_LENGTH, error_messages={
            "max_length": f"An answer can have at most {VALUE_LENGTH} characters."
        },
    )  # fmt: skip
    hardness = rating()
    certainty = rating()
    required_subreddit = forms.BooleanField(required=False)
    reason = forms.CharField(
        required=False, max_length=2000, error_messages={"max_length": "A reason can have at most 2,000 characters."}
    )

    def __init__(self, *args: Any, attribute: Attribute, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.attribute = attribute

    def clean_value(self) -> str:
        answer = parse_answer(self.attribute, self.cleaned_data["value"])
        if answer.problem:
            raise forms.ValidationError(answer.problem)
        return answer.value

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        data |= {name: data.get(name) or 0 for name in ("hardness", "certainty")}
        if data.get("how") in ("merge", "write") and "value" not in self.errors:
            self._check_ratings(data)
        return data

    def _check_ratings(self, data: dict[str, Any]) -> None:
        for name in ("hardness", "certainty"):
            if name not in self.errors and bool(data["value"]) != bool(data[name]):
                self.add_error(name, f"A value needs {name} from 1 to 5." if data["value"] else UNRATED)
        if not data["value"]:
            data["required_subreddit"] = False
        if data["how"] == "write" and not data.get("reason"):
            self.add_error("reason", "Say why none of the answers is right.")


class EquivalenceForm(forms.Form):
    """Whether two answers in words mean the same."""

    attribute = forms.ChoiceField(choices=Attribute.choices)
    one = forms.CharField(max_length=200)
    other = forms.CharField(max_length=200)
    is_same = forms.TypedChoiceField(
        choices=[("yes", "The same"), ("no", "Not the same")], coerce=lambda choice: choice == "yes"
    )
