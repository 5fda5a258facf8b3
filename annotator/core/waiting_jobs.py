"""Jobs that wait although nobody will call a worker: the queue was unreachable when they were requested."""

from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone

from profiles.models.jobs import SILENCE, ClaimedJob, is_silent, is_unfinished

CALL_AGAIN_AFTER = 600  # seconds; a job may also wait because the workers are busy, and calling it twice does no harm
CALL_KILLED_AGAIN_AFTER = 60  # the call may be lost, too: with a worker that had taken it from the queue


def jobs_to_call(jobs: "QuerySet[Any]") -> list[int]:
    """Primary keys of jobs that have been waiting for too long, each at most once in CALL_AGAIN_AFTER. 1 query."""
    waiting = jobs.filter(is_unfinished(), began_at=None, paused_at=None, requested_at__lt=timezone.now() - SILENCE)
    return [
        pk
        for pk in waiting.order_by("pk").values_list("pk", flat=True)
        if _claim_call(jobs.model, pk, CALL_AGAIN_AFTER)
    ]


def killed_jobs(jobs: "QuerySet[Any]") -> list[int]:
    """Primary keys of jobs whose worker fell silent, each at most once a minute. 1 query.

    That the job waited before, or that an earlier worker was killed, delays nothing: each claim counts on its own.
    """
    silent = jobs.filter(is_unfinished(), is_silent(timezone.now()), paused_at=None).order_by("pk")
    claims = silent.values_list("pk", "began_at")
    return [pk for pk, at in claims if _claim_call(jobs.model, f"{pk}:{at.timestamp()}", CALL_KILLED_AGAIN_AFTER)]


def _claim_call(model: type[ClaimedJob], key: object, seconds: int) -> bool:
    return bool(cache.add(f"job-called:{model._meta.label_lower}:{key}", True, seconds))
