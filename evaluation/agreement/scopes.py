"""The scopes of agreement reports, which are a whole corpus or one batch, and their submissions."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Count, Max, Q

from annotator.models import Assignment, Batch, SameMeaning
from evaluation.stats.signature import MIN_PROFILES, Signature
from profiles.models import Corpus

RESAMPLES = 1000
SEED = 12345
VERSION = 1  # of the definitions; increase it whenever one changes


@dataclass(frozen=True, slots=True)
class Scope:
    corpus: Corpus
    batch: Batch | None = None

    @property
    def name(self) -> str:
        return f"batch-{self.batch.pk}" if self.batch else f"corpus-{self.corpus.pk}"

    @property
    def cache_key(self) -> str:
        """The cache key that is set while a requested report is pending."""
        return f"agreement:{self.name}"


@dataclass(frozen=True, slots=True)
class ScopeState:
    """The current submissions of a scope. The signature contains everything that determines the scores."""

    submissions: int
    until: datetime | None
    since: int
    signature: Signature


def scope_state(scope: Scope, since: datetime | None = None) -> ScopeState:
    """Count all submissions and those after `since`, and find the newest. 2 queries."""
    assignments = Assignment.objects.counted()
    assignments = (
        assignments.filter(batch=scope.batch) if scope.batch else assignments.filter(batch__corpus=scope.corpus)
    )
    later = Q(submitted_at__gt=since) if since else Q(submitted_at__isnull=False)
    counts = assignments.aggregate(submissions=Count("pk"), until=Max("submitted_at"), since=Count("pk", filter=later))
    return ScopeState(**counts, signature=_signature(scope, counts["submissions"], counts["until"]))


def _signature(scope: Scope, submissions: int, until: datetime | None) -> Signature:
    decided = SameMeaning.objects.filter(is_same=True).aggregate(count=Count("pk"), until=Max("decided_at"))
    return Signature.of(
        scope=scope.name,
        counted=_mark(submissions, until),
        merged=_mark(decided["count"], decided["until"]),
        min_profiles=MIN_PROFILES,
        bootstrap=RESAMPLES,
        seed=SEED,
        version=VERSION,
    )


def _mark(count: int, until: datetime | None) -> str:
    """The count and the time of the newest: `1204@2026-11-17T09:00:00.000000Z`."""
    return f"{count}@{until.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}" if until else "0"
