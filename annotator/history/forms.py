"""Filters of the audit log and the list of changes."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from annotator.history.tables import TrackedTable
from annotator.models import Annotator, AuditEntry, Batch
from profiles.models import Corpus, Profile

UNKNOWN_PROFILE = "No profile has this pseudonym. Enter it as shown on the profile's page."


class DayInput(forms.DateInput):
    input_type = "date"

    def format_value(self, value: Any) -> str | None:
        """Browsers expect ISO dates, whatever the language."""
        return value.isoformat() if isinstance(value, date) else value


def day_field(label: str) -> forms.DateField:
    maximum = MaxValueValidator(date(2999, 12, 31), "Enter a date before the year 3000.")
    return forms.DateField(label=label, required=False, validators=[maximum], widget=DayInput)


class FilterForm(forms.Form):
    """Filters that both lists share."""

    person = forms.ModelChoiceField(
        Annotator.objects.order_by("display_name", "pk"), label="Who", required=False, empty_label="Everyone"
    )
    batch = forms.ModelChoiceField(Batch.objects.order_by("-pk"), required=False, empty_label="All batches")
    profile = forms.CharField(
        required=False, max_length=60, widget=forms.TextInput(attrs={"placeholder": "Pseudonym", "size": 14})
    )
    since = day_field("From")
    until = day_field("To")

    def clean_profile(self) -> list[Profile]:
        """Find at most one profile per corpus. Naming the corpora lets Postgres use the index."""
        pseudonym = self.cleaned_data["profile"]
        spellings = {pseudonym, pseudonym.lower()} - {""}
        profiles = list(Profile.objects.filter(corpus__in=Corpus.objects.all(), pseudonym__in=spellings))
        if pseudonym and not profiles:
            raise forms.ValidationError(UNKNOWN_PROFILE)
        return profiles

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and since > until:
            self.add_error("until", "The end date must not be before the start date.")
        return self.cleaned_data


class AuditFilterForm(FilterForm):
    action = forms.ChoiceField(label="What", required=False, choices=[("", "Everything"), *AuditEntry.Action.choices])
    field_order = ["action", "person"]


class ChangeFilterForm(FilterForm):
    table = forms.ChoiceField(
        label="What", required=False, choices=TrackedTable.choices, initial=TrackedTable.JUDGEMENT
    )
    alone = forms.BooleanField(label="Only actions without a signed-in user", required=False)
    before = forms.RegexField(r"^\d{1,17}-\d{1,18}$", required=False, widget=forms.HiddenInput)
    field_order = ["table", "person"]

    def clean_table(self) -> TrackedTable:
        return TrackedTable(self.cleaned_data["table"] or TrackedTable.JUDGEMENT)
