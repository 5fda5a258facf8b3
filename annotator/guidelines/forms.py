"""The form for a new version of the guidelines."""

import re

from django import forms

from annotator.guidelines.text import problems, tidy


class GuidelinesForm(forms.Form):
    """The text and the version it is based on, so that two admins cannot overwrite each other."""

    text = forms.CharField(
        strip=False,
        widget=forms.Textarea(attrs={"rows": 32, "class": "codes", "spellcheck": "true"}),
    )
    based_on = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_text(self) -> str:
        return tidy(self.cleaned_data["text"])

    def clean_based_on(self) -> int:
        """Anything but a number counts as no version; the newest is then shown for comparison."""
        number: str = self.cleaned_data["based_on"]
        return int(number) if re.fullmatch("[0-9]{1,9}", number) else 0

    def clean(self) -> None:
        for problem in problems(self.cleaned_data["text"]) if "text" in self.cleaned_data else []:
            self.add_error(None, problem)

    def rebase_on(self, number: int) -> None:
        """Keep the typed text; publishing it now replaces that version."""
        self.data = {"text": self.data.get("text", ""), "based_on": str(number)}
