"""How dumps become a corpus: the files and their states, the lines set aside, and the runs of the ingest."""

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from profiles.models.corpora import Corpus
from profiles.models.jobs import ClaimedJob, is_alive, is_unfinished


class DumpFile(models.Model):
    """One file of a corpus, identified by its contents: it stays the same file under another name."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        READ = "read", "Read, not loaded yet"
        LOADING = "loading", "Being loaded"
        LOADED = "loaded", "Loaded"
        FAILED = "failed", "Could not be read"

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="files", db_index=False)
    name = models.CharField(max_length=255)
    size = models.BigIntegerField(help_text="Size on disk in bytes.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of its bytes.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    lines = models.BigIntegerField(default=0)
    kept = models.BigIntegerField(default=0, help_text="Comments that passed every rule about a single comment.")
    counts = models.JSONField(default=dict, help_text="How many lines each rule removed.")
    reasons = models.JSONField(default=dict, help_text="How many lines were set aside for which reason.")
    problem = models.TextField(blank=True, help_text="If it failed: what happened and what to do.")
    seconds = models.FloatField(default=0, help_text="Time spent reading it.")
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["corpus", "digest"], name="dump_file_once_in_a_corpus")]

    def __str__(self) -> str:
        return self.name


class SetAside(models.Model):
    """A line that is not a comment: its number and the reason. Its text stays in the dump."""

    file = models.ForeignKey(DumpFile, on_delete=models.CASCADE, related_name="set_aside", db_index=False)
    line = models.BigIntegerField(help_text="Counted from 1.")
    reason = models.CharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "line"], name="set_aside_once_a_line")]

    def __str__(self) -> str:
        return f"line {self.line}"


class IngestQuerySet(models.QuerySet["Ingest"]):
    def running(self) -> "IngestQuerySet":
        """Unfinished, and requested or heard from recently. An ingest that was killed goes silent and is excluded."""
        return self.filter(is_alive())

    def newest_waiting(self) -> "IngestQuerySet":
        """The last ingest of each corpus, if no worker has claimed it and no other ingest of the corpus is running."""
        siblings = Ingest.objects.filter(corpus=OuterRef("corpus")).exclude(pk=OuterRef("pk"))
        in_the_way = Exists(siblings.filter(pk__gt=OuterRef("pk"))) | Exists(siblings.running())
        return self.filter(~in_the_way, is_unfinished(), began_at=None)


class Ingest(ClaimedJob):
    """One ingest run of a corpus. `done` and `total` count the bytes or comments of its current stage."""

    class Stage(models.TextChoices):
        WAITING = "waiting", "Waiting for a worker"
        CHECKING = "checking", "Looking at the files"
        READING = "reading", "Reading and filtering"
        GROUPING = "grouping", "Grouping by author"
        LOADING = "loading", "Loading"
        DONE = "done", "Done"
        STOPPED = "stopped", "Stopped"

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="ingests")
    paths = models.JSONField(default=list, help_text="The requested files.")
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.WAITING)
    lines = models.BigIntegerField(default=0, help_text="Read so far.")
    kept = models.BigIntegerField(default=0)
    file = models.CharField(max_length=255, blank=True, help_text="The file being read.")
    counts = models.JSONField(default=dict, help_text="How many comments each rule about profiles removed.")
    stage_at = models.DateTimeField(
        default=timezone.now, help_text="When this stage began. Done and total refer to it."
    )

    objects = IngestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(stage__in=["done", "stopped"]),
                name="ingest_finished_is_done_or_stopped",
            )
        ]

    def __str__(self) -> str:
        return f"ingest {self.pk}"

    @property
    def has_failed(self) -> bool:
        """Whether it stopped. One that is done may have a problem too: files that could not be read."""
        return self.stage == self.Stage.STOPPED
