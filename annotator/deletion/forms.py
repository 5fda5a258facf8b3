"""The form that confirms the deletion of a corpus."""

from django import forms


class DeletionForm(forms.Form):
    typed = forms.CharField(
        label="Type the corpus name to confirm",
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
