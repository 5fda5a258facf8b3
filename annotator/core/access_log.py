"""Who read what, where no row of its own says so."""

from datetime import timedelta

from django.db.models.functions import Now
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry

SEEN = AuditEntry.Action.PROFILE_SEEN
ONCE_IN = timedelta(hours=1)


def note_seen(profile_id: int, *, by: Annotator, page: str, request: HttpRequest | None = None) -> None:
    """Somebody read a profile: told once an hour, or turning its pages would fill the log. 2 queries, or 1."""
    lately = AuditEntry.objects.filter(actor=by, action=SEEN, at__gt=Now() - ONCE_IN)
    if not lately.filter(details__profile=profile_id).exists():
        record(SEEN, request=request, actor=by, profile=profile_id, page=page)
