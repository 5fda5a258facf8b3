"""What a person may ask the profile browser for."""

from django import forms


class ProfileFilterForm(forms.Form):
    q = forms.CharField(label="Pseudonym", required=False, max_length=60)
    subreddit = forms.CharField(label="Wrote in", required=False, max_length=50)
    at_least = forms.IntegerField(label="At least comments", required=False, min_value=1, max_value=10_000_000)
    after = forms.RegexField(r"^\d{1,9}-\d{1,18}$", required=False, widget=forms.HiddenInput)

    def clean_subreddit(self) -> str:
        return str(self.cleaned_data["subreddit"]).removeprefix("r/").strip()
