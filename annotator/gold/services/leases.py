"""Leases on profiles: one adjudicator at a time."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import AdjudicationLease, Annotator, AuditEntry
from annotator.models.disputes import LEASE
from profiles.models import Profile

ACQUIRE = """
    INSERT INTO annotator_adjudicationlease AS lease (profile_id, held_by_id, held_at)
    VALUES (%(profile)s, %(by)s, %(now)s)
    ON CONFLICT (profile_id) DO UPDATE SET held_by_id = EXCLUDED.held_by_id, held_at = EXCLUDED.held_at
    WHERE lease.held_by_id = EXCLUDED.held_by_id OR lease.held_at < %(ended)s
"""
NOTHING_DECIDED = "Your decision was not saved, but what you wrote is kept below."


class LeaseLost(Exception):
    """The adjudicator no longer holds the lease."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who holds the lease now, and whether it is new."""

    holder: Annotator
    until: datetime
    is_mine: bool
    is_new: bool


def acquire_lease(profile: Profile, by: Annotator) -> Lease:
    """Acquire the lease, or return its holder. A single upsert settles the race between two people. 2 or 3 queries."""
    now = timezone.now()
    before = _current_lease(profile)
    with connection.cursor() as cursor:
        cursor.execute(ACQUIRE, {"profile": profile.pk, "by": by.pk, "now": now, "ended": now - LEASE})
        is_mine = cursor.rowcount == 1
    if is_mine:
        was_mine = before is not None and before.held_by_id == by.pk and before.held_at >= now - LEASE
        return Lease(by, now + LEASE, is_mine=True, is_new=not was_mine)
    held = _current_lease(profile)
    if held is None:  # released since
        return acquire_lease(profile, by)
    return Lease(held.held_by, held.held_at + LEASE, is_mine=False, is_new=True)


def record_view(profile: Profile, lease: Lease, by: Annotator, request: HttpRequest | None = None) -> None:
    """Record in the audit log that the profile was opened: once per lease, however often the page is loaded."""
    if lease.is_new:
        record(AuditEntry.Action.PROFILE_SEEN, request=request, actor=by, profile=profile.pk)


def renew_lease(profile: Profile, by: Annotator) -> bool:
    """Extend the lease. Return False if somebody else has it, or it was released."""
    return bool(AdjudicationLease.objects.filter(profile=profile, held_by=by).update(held_at=timezone.now()))


def release_lease(profile: Profile, by: Annotator) -> None:
    AdjudicationLease.objects.filter(profile=profile, held_by=by).delete()


def require_lease(profile: Profile, by: Annotator, *, outcome: str = NOTHING_DECIDED) -> None:
    """Lock the lease for the current transaction and extend it. Raise LeaseLost if the adjudicator doesn't hold it.

    `outcome` says what was not done, and what was kept.
    """
    mine = AdjudicationLease.objects.select_for_update().filter(profile=profile, held_by=by).first()
    if mine is None:
        held = _current_lease(profile)
        who = (
            f"{held.held_by.display_name} has this profile now." if held else "You had this profile open for too long."
        )
        raise LeaseLost(f"{who} {outcome}")
    mine.held_at = timezone.now()
    mine.save(update_fields=["held_at"])


def _current_lease(profile: Profile) -> AdjudicationLease | None:
    return AdjudicationLease.objects.select_related("held_by").filter(profile=profile).first()
