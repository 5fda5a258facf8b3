"""Forms for signing in, inviting people and changing accounts."""

from typing import Any

from allauth.account.forms import (
    ChangePasswordForm,
    LoginForm,
    ReauthenticateForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
)
from django import forms
from django.contrib.auth.forms import BaseUserCreationForm

from annotator.models import Annotator, Invitation, Role

ADDRESS_TAKEN = "This e-mail address is already in use. Choose another, or leave it empty."
USER_NAME_TAKEN = "This user name is taken. Choose another."


LABELS = {
    "login": "User name or e-mail",
    "email": "E-mail address",
    "oldpassword": "Current password",
    "password1": "New password",
    "password2": "New password again",
}


class OurLabels(forms.Form):
    """allauth writes labels in title case and repeats them as placeholders."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)


class SignInForm(OurLabels, LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class PasswordChangeForm(OurLabels, ChangePasswordForm):  # type: ignore[misc]
    pass


class PasswordLinkForm(OurLabels, ResetPasswordForm):  # type: ignore[misc]
    pass


class NewPasswordForm(OurLabels, ResetPasswordKeyForm):  # type: ignore[misc]
    pass


class ConfirmPasswordForm(OurLabels, ReauthenticateForm):  # type: ignore[misc]
    pass


def roles_field() -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=Role.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one role."},
    )


def clean_address(email: str, *, own_pk: int = 0) -> str:
    """Return the address in lower case, as it is stored. Refuse an address that somebody else uses."""
    others = Annotator.objects.filter(email__iexact=email).exclude(pk=own_pk)
    if email and others.exists():
        raise forms.ValidationError(ADDRESS_TAKEN)
    return email.lower()


class InvitationForm(forms.ModelForm):  # type: ignore[type-arg]
    roles = roles_field()

    class Meta:
        model = Invitation
        fields = ["roles", "email"]
        labels = {"email": "E-mail address"}

    def clean_email(self) -> str:
        return clean_address(self.cleaned_data["email"])


class RolesForm(forms.Form):
    roles = roles_field()


class JoinForm(BaseUserCreationForm):  # type: ignore[type-arg]
    field_order = ["username", "display_name", "email", "password1", "password2"]

    class Meta(BaseUserCreationForm.Meta):
        model = Annotator
        fields = ("username", "display_name", "email")
        labels = {"username": "User name", "display_name": "Your name", "email": "E-mail address"}
        help_texts = {
            "username": "You’ll sign in with it. Letters, digits and . + - _",
            "display_name": "Others in the study see it. It never appears in exports.",
            "email": "Used only to reset your password.",
        }

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if "@" in username:
            raise forms.ValidationError("A user name can’t contain @, so that it isn’t mistaken for an e-mail address.")
        if Annotator.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError(USER_NAME_TAKEN)
        return username

    def clean_email(self) -> str:
        return clean_address(self.cleaned_data["email"])


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Annotator
        fields = ["display_name", "email"]
        labels = {"display_name": "Your name", "email": "E-mail address"}
        help_texts = {"email": "Used only to reset your password."}

    def clean_email(self) -> str:
        return clean_address(self.cleaned_data["email"], own_pk=self.instance.pk)


class PreferencesForm(forms.ModelForm):  # type: ignore[type-arg]
    """How the labelling page looks to this person, and whether it reminds them to take breaks."""

    class Meta:
        model = Annotator
        fields = ["text_size", "density", "break_reminders"]
        widgets = {"text_size": forms.RadioSelect, "density": forms.RadioSelect}
