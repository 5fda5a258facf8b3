"""What agreement is measured in: a whole corpus or one batch, and what has been submitted there."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Count, Max, Q

from annotator.models import Assignment, Batch, SameMeaning
from evaluation.stats.signature import LEAST_PROFILES, Signature
from profiles.models import Corpus

RESAMPLES = 1000
SEED = 12345


@dataclass(frozen=True, slots=True)
class Scope:
    corpus: Corpus
    batch: Batch | None = None

    @property
    def name(self) -> str:
        return f"batch-{self.batch.pk}" if self.batch else f"corpus-{self.corpus.pk}"

    @property
    def asked(self) -> str:
        """The place in the cache that says: a worker has been asked for a report."""
        return f"agreement:{self.name}"


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is to count at the moment. The signature says everything that determines the figures."""

    slots: int
    until: datetime | None
    since: int
    signature: Signature


def standing(scope: Scope, since: datetime | None = None) -> Standing:
    """How much was submitted, until when, and how much of it after `since`. 2 queries."""
    slots = Assignment.objects.submitted().filter(is_planted=False, batch__is_practice=False)
    slots = slots.filter(batch=scope.batch) if scope.batch else slots.filter(batch__corpus=scope.corpus)
    later = Q(submitted_at__gt=since) if since else Q(submitted_at__isnull=False)
    told = slots.aggregate(slots=Count("pk"), until=Max("submitted_at"), since=Count("pk", filter=later))
    return Standing(**told, signature=_signature(scope, told["slots"], told["until"]))


def _signature(scope: Scope, slots: int, until: datetime | None) -> Signature:
    decided = SameMeaning.objects.filter(is_same=True).aggregate(many=Count("pk"), until=Max("decided_at"))
    return Signature(
        scope=scope.name,
        counted=_mark(slots, until),
        merged=_mark(decided["many"], decided["until"]),
        least_profiles=LEAST_PROFILES,
        resamples=RESAMPLES,
        seed=SEED,
    )


def _mark(many: int, until: datetime | None) -> str:
    """`1204@2026-11-17T09:00:00.000000Z`: how many and the newest of them."""
    return f"{many}@{until.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}" if until else "0"
