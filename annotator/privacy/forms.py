"""The form for removing a Reddit account."""

from django import forms

from annotator.privacy.takedowns import Reason
from profiles.accounts import NotAnAccount, parse_account


class TakedownForm(forms.Form):
    account = forms.CharField(
        label="Reddit account",
        max_length=60,
        help_text="The account’s name, with or without u/. Not case-sensitive.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    reason = forms.ChoiceField(
        choices=Reason.choices, widget=forms.RadioSelect, error_messages={"required": "Choose a reason."}
    )

    def clean_account(self) -> str:
        try:
            return parse_account(self.cleaned_data["account"])
        except NotAnAccount as error:
            raise forms.ValidationError(str(error)) from error

    def clean_reason(self) -> Reason:
        return Reason(self.cleaned_data["reason"])
