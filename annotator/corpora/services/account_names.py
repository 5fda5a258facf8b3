"""Reveal the account name behind a pseudonym."""

import re

from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from profiles.encryption import unseal
from profiles.models import AccountName, Profile


class NoNameKept(Exception):
    """The profile was loaded without a name, or its account was just forgotten."""


def see_account_name(profile: Profile, *, reason: str, by: Annotator, request: HttpRequest) -> str:
    """Return the account name and record that it was seen. Raises WrongKey before writing anything."""
    with transaction.atomic():
        sealed_name = AccountName.objects.filter(profile=profile).first()
        if sealed_name is None:
            raise NoNameKept
        name = unseal(bytes(sealed_name.sealed))
        record(
            AuditEntry.Action.ACCOUNT_NAME_SEEN, request=request, actor=by,
            profile_id=profile.pk, corpus_id=profile.corpus_id, reason=_redact(name, reason),
        )  # fmt: skip
    return name


def _redact(name: str, reason: str) -> str:
    """Keep account names out of the log. Refusing the reason instead would allow guessing without an entry."""
    return re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "…", reason, flags=re.IGNORECASE)
