"""Looking behind a pseudonym."""

import re

from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from profiles.encryption import unseal
from profiles.models import AccountName, Profile


class NoNameKept(Exception):
    """The profile was loaded without a name, or its account was forgotten a moment ago."""


def see_account_name(profile: Profile, *, reason: str, by: Annotator, request: HttpRequest) -> str:
    """The account's name, for the price of an audit entry. Raises WrongKey before anything is written."""
    with transaction.atomic():
        kept = AccountName.objects.filter(profile=profile).first()
        if kept is None:
            raise NoNameKept
        name = unseal(bytes(kept.sealed))
        record(
            AuditEntry.Action.ACCOUNT_NAME_SEEN, request=request, actor=by,
            profile_id=profile.pk, corpus_id=profile.corpus_id, reason=_without(name, reason),
        )  # fmt: skip
    return name


def _without(name: str, reason: str) -> str:
    """The log names no accounts. Refusing such a reason would let guesses be tried without an entry."""
    return re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "…", reason, flags=re.IGNORECASE)
