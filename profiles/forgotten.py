"""The accounts that must not come back."""

from django.db import connection

from profiles.models import ForgottenAccount


def forgotten_digests() -> set[bytes]:
    """The accounts that must not come back. Until the transaction ends, no other account can be forgotten.

    Without that hold, an account forgotten between this look and the end of the load would come back with it.
    Takedowns are few, so all are read; profiles are millions.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {connection.ops.quote_name(ForgottenAccount._meta.db_table)} IN SHARE MODE")
    return {bytes(digest) for digest in ForgottenAccount.objects.values_list("account_digest", flat=True)}
