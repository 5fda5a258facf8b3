"""Forms of the profile browser and the profile page."""

from typing import Any

from django import forms

from profiles.attributes import Attribute


class ProfileFilterForm(forms.Form):
    q = forms.CharField(label="Pseudonym", required=False, max_length=60)
    subreddit = forms.CharField(label="Subreddit", required=False, max_length=50)
    at_least = forms.IntegerField(label="Minimum comments", required=False, min_value=1, max_value=10_000_000)
    at_most = forms.IntegerField(label="Maximum comments", required=False, min_value=1, max_value=10_000_000)
    attribute = forms.ChoiceField(label="Hint", required=False, choices=[("", "Any hint"), *Attribute.choices])
    value = forms.CharField(label="Hinted value", required=False, max_length=120)
    since = forms.DateField(label="Active from", required=False)
    until = forms.DateField(label="Active before", required=False)
    after = forms.RegexField(r"^\d{1,9}-\d{1,18}$", required=False, widget=forms.HiddenInput)

    def clean_subreddit(self) -> str:
        return str(self.cleaned_data["subreddit"]).removeprefix("r/").strip()

    def clean(self) -> dict[str, Any]:
        """Report an empty range as a mistake rather than return no profiles."""
        filters = self.cleaned_data
        if filters.get("at_least") and filters.get("at_most") and filters["at_least"] > filters["at_most"]:
            self.add_error("at_most", "The maximum must not be lower than the minimum.")
        if filters.get("since") and filters.get("until") and filters["since"] >= filters["until"]:
            self.add_error("until", "The end date must be after the start date.")
        return filters


class AccountNameForm(forms.Form):
    reason = forms.CharField(
        label="Why do you need it?", max_length=200, help_text="Recorded in the audit log with your name."
    )
