"""What all jobs have in common. The row is the state: pages, commands and the next worker all read it there."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

SILENCE = timedelta(seconds=30)  # without a heartbeat for this long, another worker may take over


class Job(models.Model):
    """Anything long that runs in workers."""

    requested_at = models.DateTimeField(db_default=Now())
    paused_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True, help_text="When it ended, successfully or not.")
    problem = models.TextField(blank=True, help_text="Why it failed, and what to do.")

    class Meta:
        abstract = True

    @property
    def has_failed(self) -> bool:
        return bool(self.problem)


class ClaimedJob(Job):
    """A job that one worker does from start to finish. `began_at` identifies the claim of the worker that holds it."""

    began_at = models.DateTimeField(null=True, blank=True, help_text="When a worker claimed it.")
    beat_at = models.DateTimeField(null=True, blank=True, help_text="The last heartbeat.")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)

    class Meta:
        abstract = True


def is_unfinished() -> Q:
    return Q(finished_at=None, cancelled_at=None)


def is_silent(at: datetime | None = None) -> Q:
    """Claimed, but without a recent heartbeat."""
    return Q(began_at__isnull=False) & (Q(beat_at=None) | Q(beat_at__lt=(at or timezone.now()) - SILENCE))


def is_alive() -> Q:
    """Unfinished, and requested or heard from recently. A job that was killed goes silent and is excluded."""
    since = timezone.now() - SILENCE
    return is_unfinished() & (Q(began_at=None, requested_at__gte=since) | Q(beat_at__gte=since))
