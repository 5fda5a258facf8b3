"""Forms of the profile browser and the profile page."""

from typing import Any

from django import forms

from profiles.attributes import Attribute


class ProfileFilterForm(forms.Form):
    q = forms.CharField(label="Pseudonym", required=False, max_length=60)
    subreddit = forms.CharField(label="Wrote in", required=False, max_length=50)
    at_least = forms.IntegerField(label="At least comments", required=False, min_value=1, max_value=10_000_000)
    at_most = forms.IntegerField(label="At most comments", required=False, min_value=1, max_value=10_000_000)
    attribute = forms.ChoiceField(label="Hint", required=False, choices=[("", "Any hint"), *Attribute.choices])
    value = forms.CharField(label="Hinted value", required=False, max_length=120)
    since = forms.DateField(label="Written from", required=False)
    until = forms.DateField(label="Written until", required=False)
    after = forms.RegexField(r"^\d{1,9}-\d{1,18}$", required=False, widget=forms.HiddenInput)

    def clean_subreddit(self) -> str:
        return str(self.cleaned_data["subreddit"]).removeprefix("r/").strip()

    def clean(self) -> dict[str, Any]:
        """Report an empty range as a mistake rather than return no profiles."""
        filters = self.cleaned_data
        if filters.get("at_least") and filters.get("at_most") and filters["at_least"] > filters["at_most"]:
            self.add_error("at_most", "No profile has more than the most and fewer than the least.")
        if filters.get("since") and filters.get("until") and filters["since"] >= filters["until"]:
            self.add_error("until", "It must come after the day from which to look.")
        return filters


class AccountNameForm(forms.Form):
    reason = forms.CharField(
        label="What do you need it for?", max_length=200, help_text="Goes into the audit log with your name."
    )
