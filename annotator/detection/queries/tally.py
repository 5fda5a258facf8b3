"""Sums over the chunks of detection runs, cheap enough to poll every two seconds."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Min, Q, Sum, Value
from django.db.models.functions import Coalesce, Now

from profiles.models import DetectionChunk, DetectionRun, Profile
from profiles.models.chunks import DONE, UNDER_WAY

MINUTE = timedelta(minutes=1)
RECENT = Q(done_at__gte=Now() - Value(MINUTE))
SPENT = ExpressionWrapper(F("seconds") * Value(timedelta(seconds=1)), output_field=DurationField())


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums of one run. `recent` counts comments done in the last minute, on which work began at `recent_from`."""

    cut: int = 0
    done: int = 0
    found: int = 0
    seconds: float = 0
    open: int = 0
    under_way: int = 0
    recent: int = 0
    recent_from: datetime | None = None

    def rate(self, at: datetime) -> float:
        """Comments a second over the last minute, or over less if the work began later."""
        if self.recent_from is None:
            return 0.0
        seconds = min(at - self.recent_from, MINUTE).total_seconds()
        return self.recent / max(seconds, 1.0)


def tallies(runs: Iterable[DetectionRun]) -> dict[int, Tally]:
    """Tallies by run id, without runs that have no chunks. 1 query."""
    rows: Iterable[Any] = (
        DetectionChunk.objects.filter(run__in=[run.pk for run in runs])
        .values("run")
        .annotate(
            cut=Sum("comment_count"),
            done=Coalesce(Sum("comment_count", filter=DONE), 0),
            detections=Coalesce(Sum("found", filter=DONE), 0),
            spent=Sum("seconds"),
            open=Count("pk", filter=~DONE),
            under_way=Count("pk", filter=UNDER_WAY),
            recent=Coalesce(Sum("comment_count", filter=RECENT), 0),
            recent_from=Min(F("done_at") - SPENT, filter=RECENT),
        )
    )
    return {row["run"]: _tally(row) for row in rows}


def comments_in(corpora: set[int]) -> dict[int, int]:
    """How many comments each corpus has. 1 query, or none without corpora."""
    if not corpora:
        return {}
    profiles = Profile.objects.filter(corpus__in=corpora)
    return dict(profiles.order_by().values_list("corpus").annotate(Sum("comment_count")))


def _tally(row: dict[str, Any]) -> Tally:
    same = ("cut", "done", "open", "under_way", "recent", "recent_from")
    return Tally(found=row["detections"], seconds=row["spent"], **{name: row[name] for name in same})
