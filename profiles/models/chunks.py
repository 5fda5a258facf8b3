"""The chunks of a detection run, each for one worker at a time, and the comments that could not be analysed."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from profiles.models.corpora import Comment
from profiles.models.detections import DetectionRun

DONE = Q(done_at__isnull=False)
UNDER_WAY = Q(done_at=None, leased_until__gte=Now())


class ChunkQuerySet(models.QuerySet["DetectionChunk"]):
    def open(self) -> "ChunkQuerySet":
        return self.filter(done_at=None)

    def done(self) -> "ChunkQuerySet":
        return self.filter(DONE)

    def free(self) -> "ChunkQuerySet":
        """Open, and either not leased or with an expired lease."""
        return self.open().filter(Q(leased_until=None) | Q(leased_until__lt=Now()))

    def under_way(self) -> "ChunkQuerySet":
        return self.filter(UNDER_WAY)


class DetectionChunk(models.Model):
    """All comments of the run's corpus from the first id to the last. Chunks have about the same amount of text."""

    run = models.ForeignKey(DetectionRun, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    first_comment = models.BigIntegerField()
    last_comment = models.BigIntegerField()
    comment_count = models.PositiveIntegerField(
        help_text="Number of comments when it was planned. 0 for comments that are retried."
    )
    priority = models.PositiveSmallIntegerField(
        default=0, help_text="The highest comes first: profiles that people open next."
    )
    attempts = models.PositiveSmallIntegerField(default=0, help_text="How many times a worker started it.")
    lease = models.UUIDField(
        null=True, blank=True, help_text="The worker that holds it. Only this worker may store detections."
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=100, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(default=0, help_text="Time a worker spent on it.")
    found = models.PositiveIntegerField(default=0)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(last_comment__gte=F("first_comment")), name="chunk_is_not_empty"),
            models.CheckConstraint(
                condition=Q(lease=None, leased_until=None) | Q(lease__isnull=False, leased_until__isnull=False),
                name="chunk_leased_until_a_time",
            ),
            models.CheckConstraint(condition=Q(done_at=None) | Q(lease=None), name="chunk_done_is_nobodys"),
        ]
        indexes = [
            models.Index(fields=["run", "-priority", "id"], condition=Q(done_at=None), name="chunk_next_to_do"),
            models.Index(fields=["run", "done_at"], name="chunk_by_time"),
            models.Index(fields=["run", "first_comment"], name="chunk_by_comment"),
        ]

    def __str__(self) -> str:
        return f"chunk {self.pk}"


class Unanalysed(models.Model):
    """A comment that a run could not analyse, or would have analysed with the wrong language's model."""

    class Reason(models.TextChoices):
        LANGUAGE = "language", "In a language without a model"
        FAILED = "failed", "The analysis failed"
        ENDED = "ended", "It ended the worker, again and again"
        SLOW = "slow", "It took too long"

    run = models.ForeignKey(DetectionRun, on_delete=models.CASCADE, related_name="unanalysed", db_index=False)
    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=10, choices=Reason)
    detail = models.CharField(max_length=200, blank=True, help_text="Never contains text of the comment.")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "comment"], name="unanalysed_once_a_run")]
        indexes = [models.Index(fields=["run", "reason", "id"], name="unanalysed_by_reason")]

    def __str__(self) -> str:
        return f"comment {self.comment_id}: {self.reason}"
