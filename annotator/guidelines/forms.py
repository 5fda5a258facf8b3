"""What admins may type as guidelines."""

import re

from django import forms

from annotator.guidelines.text import problems, tidied


class GuidelinesForm(forms.Form):
    """The text, and the version that it began as, so that two admins notice each other."""

    text = forms.CharField(
        strip=False,
        widget=forms.Textarea(attrs={"rows": 32, "class": "codes", "spellcheck": "true"}),
    )
    based_on = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_text(self) -> str:
        return tidied(self.cleaned_data["text"])

    def clean_based_on(self) -> int:
        """What is no number was begun as no version that exists; then the newest is shown for comparison."""
        said: str = self.cleaned_data["based_on"]
        return int(said) if re.fullmatch("[0-9]{1,9}", said) else 0

    def clean(self) -> None:
        for problem in problems(self.cleaned_data["text"]) if "text" in self.cleaned_data else []:
            self.add_error(None, problem)

    def begin_again_from(self, number: int) -> None:
        """What was typed stays; to publish it now is to replace that version."""
        self.data = {"text": self.data.get("text", ""), "based_on": str(number)}
