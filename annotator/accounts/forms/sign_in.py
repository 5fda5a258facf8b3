"""The sign-in form in our words."""

from typing import Any

from allauth.account.forms import LoginForm


class SignInForm(LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "User name or e-mail"
        self.fields["login"].widget.attrs |= {"placeholder": "", "autocomplete": "username"}
        self.fields["password"].widget.attrs |= {"placeholder": ""}
