"""Write the audit log."""

from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.db.models.functions import Now
from django.http import HttpRequest

from annotator.models import Annotator, AuditEntry

PROFILE_SEEN = AuditEntry.Action.PROFILE_SEEN
VIEW_INTERVAL = timedelta(hours=1)


def record(
    action: AuditEntry.Action,
    *,
    request: HttpRequest | None = None,
    actor: Annotator | None = None,
    subject: Annotator | None = None,
    **details: object,
) -> None:
    """Add an entry. Details are ids and counts, never Reddit account names or texts."""
    address = client_address(request) if request else None
    AuditEntry.objects.create(action=action, actor=actor, subject=subject, address=address, details=details)


def record_view(profile_id: int, *, by: Annotator, page: str, request: HttpRequest | None = None) -> None:
    """Record that somebody read a profile, at most once an hour to keep the log short. 1 or 2 queries."""
    recent = AuditEntry.objects.filter(actor=by, action=PROFILE_SEEN, at__gt=Now() - VIEW_INTERVAL)
    if not recent.filter(details__profile=profile_id).exists():
        record(PROFILE_SEEN, request=request, actor=by, profile=profile_id, page=page)


def client_address(request: HttpRequest) -> str | None:
    """The client's address. None if unknown, so that a request over a socket does not fail."""
    try:
        address: str = get_adapter().get_client_ip(request)
    except PermissionDenied:
        return None
    return address.partition("%")[0]  # Postgres does not support IPv6 zones
