"""The form for a new version of the guidelines."""

from django import forms

from annotator.core.parameters import read_number
from annotator.guidelines.text import problems, tidy

MAX_VERSION = 2**31 - 1


class GuidelinesForm(forms.Form):
    """The text and the version it is based on, so that two admins can't overwrite each other's work."""

    text = forms.CharField(
        strip=False,
        widget=forms.Textarea(attrs={"rows": 32, "class": "codes", "spellcheck": "true"}),
    )
    based_on = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_text(self) -> str:
        return tidy(self.cleaned_data["text"])

    def clean_based_on(self) -> int:
        """Treat anything but a number as no version; the page then shows the newest one for comparison."""
        return read_number(self.cleaned_data["based_on"], at_most=MAX_VERSION) or 0

    def clean(self) -> None:
        for problem in problems(self.cleaned_data["text"]) if "text" in self.cleaned_data else []:
            self.add_error(None, problem)

    def rebase_on(self, number: int) -> None:
        """Keep the typed text, so that publishing it again replaces that version."""
        self.data = {"text": self.data.get("text", ""), "based_on": str(number)}
