"""Forms for the codes of an authenticator app. Each code works once, and wrong ones lock out."""

import string
from typing import Any

from allauth.account.adapter import get_adapter as account_adapter
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.core.cache import cache

from annotator.accounts import lockout
from annotator.core.audit import client_address, record
from annotator.models import Annotator, AuditEntry

CODE_LIFETIME = 120  # seconds; with the tolerance of one period, a code is accepted for 90
NOT_IN_CODES = str.maketrans("", "", string.punctuation + string.whitespace)


def claim_code(annotator: Annotator, code: str) -> bool:
    """Mark a code as used. Return False if it was used before. allauth forgets used codes too soon."""
    return bool(cache.add(f"used-code:{annotator.pk}:{code.translate(NOT_IN_CODES)}", True, CODE_LIFETIME))


class LimitedCodes(forms.Form):
    """Check a code only while the person is not locked out, and accept it once."""

    user: Annotator
    authenticator: Any

    def clean_code(self) -> str:
        address = client_address(account_adapter().request)
        if not lockout.allows_code(self.user, address):
            raise account_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()  # type: ignore[misc]
        if self.authenticator.type == Authenticator.Type.TOTP and not claim_code(self.user, code):
            request = account_adapter().request
            record(AuditEntry.Action.SIGN_IN_FAILED, request=request, subject=self.user, step="second factor")
            raise get_adapter().validation_error("incorrect_code")
        lockout.forget_codes(self.user, address)
        return code


class SignInCodeForm(LimitedCodes, AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""


class ConfirmCodeForm(LimitedCodes, ReauthenticateForm):  # type: ignore[misc]
    """A code instead of the password before a sensitive change."""


class ActivationForm(ActivateTOTPForm):  # type: ignore[misc]
    def clean_code(self) -> str:
        """Mark the first code as used, so that it does not sign in as well."""
        code: str = super().clean_code()
        claim_code(self.user, code)
        return code
