"""Forms of the labelling page."""

from collections.abc import Sequence
from typing import Any

from django import forms

from annotator.core.evidence import EvidenceSpan
from annotator.core.parameters import JsonField, read_json
from annotator.labelling.cards import MAX_EVIDENCE, NOTE_LENGTH, VALUE_LENGTH, Card
from annotator.models import LookUp, SkipReason
from profiles.attributes import Attribute

MAX_SECONDS = 7 * 24 * 3600  # that one page can count
TOO_MUCH_EVIDENCE = f"An answer can have at most {MAX_EVIDENCE} pieces of evidence."
BAD_EVIDENCE = "The evidence could not be read. Mark the words again."
BAD_RATING = "Ratings go from 0 to 5."
VALUE_TOO_LONG = f"An answer can have at most {VALUE_LENGTH} characters. Put the rest in the note."
NOTE_TOO_LONG = f"A note can have at most {NOTE_LENGTH:,} characters."
NO_REASON = "Choose why you’re skipping this profile."
NO_REMARK = "Give the reason in a few words."


class SharedFields(dict[str, forms.Field]):
    """The fields of a form that never changes them, so that its instances need no copies: half the cost of a form."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "SharedFields":
        return self


class EvidenceField(forms.Field):
    """A list of spans, each encoded as JSON."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Sequence[str] | None) -> tuple[EvidenceSpan, ...]:
        if len(value or ()) > MAX_EVIDENCE:
            raise forms.ValidationError(TOO_MUCH_EVIDENCE)
        try:
            return tuple(_evidence_span(read_json(text)) for text in value or ())
        except (ValueError, TypeError, KeyError) as error:
            raise forms.ValidationError(BAD_EVIDENCE) from error


def _evidence_span(fields: dict[str, Any]) -> EvidenceSpan:
    comment, start, end, text = fields["comment"], fields["start"], fields["end"], fields["text"]
    if not (all(type(n) is int and 0 <= n < 2**31 for n in (start, end)) and isinstance(text, str)):
        raise ValueError
    if type(comment) is not int or not 0 <= comment < 2**63:
        raise ValueError
    return EvidenceSpan(start, end, comment, text)


def rating() -> forms.IntegerField:
    return forms.IntegerField(
        min_value=0, max_value=5, required=False, error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), BAD_RATING
        ),
    )  # fmt: skip


class CardForm(forms.Form):
    """One card. The attribute is its prefix, so that eight cards fit into one HTML form."""

    value = forms.CharField(
        required=False, max_length=VALUE_LENGTH, error_messages={
            "max_length": VALUE_TOO_LONG
        },
    )  # fmt: skip
    hardness = rating()
    certainty = rating()
    required_subreddit = forms.BooleanField(required=False)
    note = forms.CharField(
        required=False, max_length=NOTE_LENGTH, error_messages={
            "max_length": NOTE_TOO_LONG
        },
    )  # fmt: skip
    evidence = EvidenceField(required=False)
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

    def __init__(self, data: Any, *, attribute: Attribute) -> None:
        super().__init__(data, prefix=attribute.value)

    @property
    def card(self) -> Card:
        fields = self.cleaned_data
        return Card(
            fields["value"], fields["hardness"] or 0, fields["certainty"] or 0, fields["required_subreddit"],
            fields["note"], fields["evidence"],
        )  # fmt: skip

    @property
    def based_on(self) -> int:
        return self.cleaned_data["version"] or 0


SKIP_REASONS = [choice for choice in SkipReason.choices if choice[0] != SkipReason.WITHDRAWN]


class SkipForm(forms.Form):
    reason = forms.ChoiceField(
        choices=SKIP_REASONS, widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), NO_REASON),
    )  # fmt: skip
    remark = forms.CharField(
        required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2}),
        label="Anything an admin should know?",
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().clean() or {}
        if fields.get("reason") == SkipReason.OTHER and not fields.get("remark"):
            self.add_error("remark", NO_REMARK)
        return fields


class FlagForm(forms.Form):
    comment = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    remark = forms.CharField(
        max_length=1000, widget=forms.Textarea(attrs={"rows": 3}), label="What should an admin look at?",
        error_messages={"required": "Say in a few words what an admin should look at."},
    )  # fmt: skip


class LookUpForm(forms.Form):
    service = forms.ChoiceField(choices=LookUp.Service.choices)
    words = forms.CharField(max_length=10_000)
    attribute = forms.ChoiceField(choices=Attribute.choices, required=False)


class TimeForm(forms.Form):
    key = forms.UUIDField()
    active = forms.IntegerField(min_value=0, max_value=MAX_SECONDS)
    cards = JsonField(required=False)

    def clean_cards(self) -> dict[str, int]:
        seconds = self.cleaned_data["cards"] or {}
        if not isinstance(seconds, dict):
            raise forms.ValidationError("Not a count of seconds by card.")
        return {
            name: n for name, n in seconds.items()
            if name in Attribute.values and type(n) is int and 0 <= n <= MAX_SECONDS
        }  # fmt: skip


CardForm.base_fields = SharedFields(CardForm.base_fields)
TimeForm.base_fields = SharedFields(TimeForm.base_fields)


def first_problem(form: forms.Form) -> str:
    return next(str(errors[0]) for errors in form.errors.values())
