"""Write the audit log: what people did, and which profiles they read."""

from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.db.models.functions import Now
from django.http import HttpRequest

from annotator.models import Annotator, AuditEntry

SEEN = AuditEntry.Action.PROFILE_SEEN
ONCE_IN = timedelta(hours=1)


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


def note_seen(profile_id: int, *, by: Annotator, page: str, request: HttpRequest | None = None) -> None:
    """Somebody read a profile: told once an hour, or turning its pages would fill the log. 2 queries, or 1."""
    lately = AuditEntry.objects.filter(actor=by, action=SEEN, at__gt=Now() - ONCE_IN)
    if not lately.filter(details__profile=profile_id).exists():
        record(SEEN, request=request, actor=by, profile=profile_id, page=page)


def _address(request: HttpRequest) -> str | None:
    """As far as it can be known: a request over a socket has none, and must not fail for it."""
    try:
        address: str = get_adapter().get_client_ip(request)
    except PermissionDenied:
        return None
    return address.partition("%")[0]  # Postgres knows no zones
