"""Reddit accounts: their names as people write them, and those that must not come back."""

import re

from django.db import connection

from profiles.models import ForgottenAccount

ACCOUNT = re.compile(r"(?:/?u/)?(?P<name>[A-Za-z0-9_-]{1,40})", re.IGNORECASE | re.ASCII)


class NotAnAccount(ValueError):
    """No Reddit account can be called that. The text does not repeat what was written."""


def read_account(written: str) -> str:
    """The name alone: `u/name`, `/u/name` and blanks around it mean the same account."""
    match = ACCOUNT.fullmatch(written.strip())
    if match is None:
        raise NotAnAccount("An account's name has 1 to 40 letters, digits, _ or -, with or without u/ before it.")
    return match["name"]


def forgotten_digests() -> set[bytes]:
    """The accounts that must not come back. Until the transaction ends, no other account can be forgotten.

    Without that hold, an account forgotten between this look and the end of the load would come back with it.
    Takedowns are few, so all are read; profiles are millions.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {connection.ops.quote_name(ForgottenAccount._meta.db_table)} IN SHARE MODE")
    return {bytes(digest) for digest in ForgottenAccount.objects.values_list("account_digest", flat=True)}
