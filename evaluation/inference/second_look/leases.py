"""Hand out claims, one person at a time."""

from datetime import timedelta

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from annotator.models import Annotator
from evaluation.inference.second_look.state import ABANDONED, half_reviewed, open_claims
from evaluation.models import Claim, SecondLook

LEASE = timedelta(minutes=15)  # since the page was opened; then somebody else may get the claim
MAX_TRIES = 20
# A single upsert settles the race between two people.
ACQUIRE = """
    INSERT INTO evaluation_claimlease AS lease (claim_id, held_by_id, held_at)
    VALUES (%(claim)s, %(by)s, %(now)s)
    ON CONFLICT (claim_id) DO UPDATE SET held_by_id = EXCLUDED.held_by_id, held_at = EXCLUDED.held_at
    WHERE lease.held_by_id = EXCLUDED.held_by_id OR lease.held_at < %(ended)s
"""


def take_next_claim(look: SecondLook, by: Annotator) -> Claim | None:
    """What this person began or has open, or else the next claim that nobody has open."""
    began = half_reviewed(look, by)
    if began is not None:
        return began
    free = Q(lease=None) | Q(lease__held_by=by) | Q(lease__held_at__lt=timezone.now() - LEASE)
    waiting = open_claims(look).filter(free, Q(review=None) | ABANDONED).select_related("profile__corpus")
    mine = waiting.filter(lease__held_by=by).first()
    candidates: list[Claim] = [mine] if mine else list(waiting[:MAX_TRIES])
    for claim in candidates:
        if acquire_claim(claim, by):
            return claim
    return None


def acquire_claim(claim: Claim, by: Annotator) -> bool:
    """Take or keep the lease. False if somebody else has it."""
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(ACQUIRE, {"claim": claim.pk, "by": by.pk, "now": now, "ended": now - LEASE})
        return bool(cursor.rowcount == 1)
