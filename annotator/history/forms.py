"""What an admin may ask the log and the history for."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from annotator.history.tables import Tracked
from annotator.models import Annotator, AuditEntry, Batch
from profiles.models import Corpus, Profile

UNKNOWN = "No profile has this pseudonym. Write it as it stands on the profile's page."


class DayInput(forms.DateInput):
    input_type = "date"

    def format_value(self, value: Any) -> str | None:
        """As browsers want it, whatever the language."""
        return value.isoformat() if isinstance(value, date) else value


def day_field(label: str) -> forms.DateField:
    sensible = MaxValueValidator(date(2999, 12, 31), "Write a day before the year 3000.")
    return forms.DateField(label=label, required=False, validators=[sensible], widget=DayInput)


class AboutForm(forms.Form):
    """Whom, what and when: the same for both lists."""

    person = forms.ModelChoiceField(
        Annotator.objects.order_by("display_name", "pk"), label="Who", required=False, empty_label="Everybody"
    )
    batch = forms.ModelChoiceField(Batch.objects.order_by("-pk"), required=False, empty_label="All batches")
    profile = forms.CharField(
        required=False, max_length=60, widget=forms.TextInput(attrs={"placeholder": "Pseudonym", "size": 14})
    )
    since = day_field("From")
    until = day_field("To")

    def clean_profile(self) -> list[Profile]:
        """One in each corpus at most, each found by the index of its corpus."""
        typed = self.cleaned_data["profile"]
        spelt = {typed, typed.lower()} - {""}
        found = list(Profile.objects.filter(corpus__in=Corpus.objects.all(), pseudonym__in=spelt))
        if typed and not found:
            raise forms.ValidationError(UNKNOWN)
        return found

    def clean(self) -> dict[str, Any]:
        wanted = self.cleaned_data
        if wanted.get("since") and wanted.get("until") and wanted["since"] > wanted["until"]:
            self.add_error("until", "It must not come before the day from which to look.")
        return wanted


class AuditFilterForm(AboutForm):
    action = forms.ChoiceField(label="What", required=False, choices=[("", "Everything"), *AuditEntry.Action.choices])
    field_order = ["action", "person"]


class ChangesForm(AboutForm):
    table = forms.ChoiceField(label="What", required=False, choices=Tracked.choices, initial=Tracked.JUDGEMENT)
    alone = forms.BooleanField(label="Only what nobody signed in did", required=False)
    before = forms.RegexField(r"^\d{1,17}-\d{1,18}$", required=False, widget=forms.HiddenInput)
    field_order = ["table", "person"]

    def clean_table(self) -> Tracked:
        return Tracked(self.cleaned_data["table"] or Tracked.JUDGEMENT)
