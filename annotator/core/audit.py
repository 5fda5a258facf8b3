"""Writing the audit log: the one function that does."""

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from annotator.models import Annotator, AuditEntry


def record(
    action: AuditEntry.Action,
    *,
    request: HttpRequest | None = None,
    actor: Annotator | None = None,
    subject: Annotator | None = None,
    **details: object,
) -> None:
    """Add an entry. Details are ids and counts; names of Reddit accounts and texts have no place here."""
    address = _address(request) if request else None
    AuditEntry.objects.create(action=action, actor=actor, subject=subject, address=address, details=details)


def _address(request: HttpRequest) -> str | None:
    """As far as it can be known: a request over a socket has none, and must not fail for it."""
    try:
        address: str = get_adapter().get_client_ip(request)
    except PermissionDenied:
        return None
    return address.partition("%")[0]  # Postgres knows no zones
