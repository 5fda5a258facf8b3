"""Reddit accounts: parsing their names, and those that were forgotten."""

import re

from django.db import connection

from profiles.models import ForgottenAccount

ACCOUNT_NAME = re.compile(r"(?:/?u/)?(?P<name>[A-Za-z0-9_-]{1,40})", re.IGNORECASE | re.ASCII)
NOT_AN_ACCOUNT = "An account name has 1 to 40 letters, digits, _ or -, optionally with u/ in front."


class NotAnAccount(ValueError):
    """Not a possible account name. The message does not repeat the input."""


def parse_account(written: str) -> str:
    """Return the bare account name; accept `u/name`, `/u/name` and surrounding spaces."""
    match = ACCOUNT_NAME.fullmatch(written.strip())
    if match is None:
        raise NotAnAccount(NOT_AN_ACCOUNT)
    return match["name"]


def forgotten_digests() -> set[bytes]:
    """Return the digests of forgotten accounts, and lock out further takedowns until the transaction ends.

    Otherwise an account forgotten between this query and the end of a load would come back with the load.
    Read all of them: takedowns are few, whereas there are millions of profiles.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {connection.ops.quote_name(ForgottenAccount._meta.db_table)} IN SHARE MODE")
    return {bytes(digest) for digest in ForgottenAccount.objects.values_list("account_digest", flat=True)}
