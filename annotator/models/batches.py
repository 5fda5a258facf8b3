"""Batches, their assignments, and guideline versions."""

import pgtrigger
from django.db import models
from django.db.models import Case, Exists, Func, OuterRef, Q, When
from django.db.models.functions import Now
from django.db.models.lookups import GreaterThan

from annotator.models.history import with_history
from annotator.models.people import Annotator
from profiles.models import Corpus, Profile, Recipe


class GuidelineVersion(models.Model):
    """A version of the labelling guidelines. Every change creates a new version; a batch keeps its own."""

    number = models.PositiveIntegerField(unique=True)
    text = models.TextField()
    created_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = [pgtrigger.Protect(name="guideline_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"Guidelines {self.number}"


# States of an assignment as query conditions. `Assignment.state` is the same for a loaded instance.
UNFINISHED = Q(submitted_at=None, skipped_at=None)
FINISHED = Q(submitted_at__isnull=False) | Q(skipped_at__isnull=False)
HELD = Q(claimed_at__isnull=False) & UNFINISHED
IN_POOL = Q(annotator=None, claimed_at=None)
REOPENED = Q(reopened_at__isnull=False)
IN_STUDY = Q(is_planted=False, batch__is_practice=False)

# Stages of a batch, to sort by: draft, started, closed.
STAGE = Case(When(closed_at__isnull=False, then=2), When(started_at__isnull=False, then=1), default=0)


class BatchQuerySet(models.QuerySet["Batch"]):
    def started(self) -> "BatchQuerySet":
        return self.filter(started_at__isnull=False)

    def open(self) -> "BatchQuerySet":
        return self.started().filter(closed_at=None)


@with_history()
class Batch(models.Model):
    """A frozen list of profiles under one guideline version and one recipe."""

    name = models.CharField(max_length=100, unique=True)
    corpus = models.ForeignKey(Corpus, on_delete=models.PROTECT, related_name="batches")
    guideline = models.ForeignKey(
        GuidelineVersion, null=True, on_delete=models.PROTECT, related_name="batches",
        help_text="Empty for imported judgements, which followed the guidelines of another study.",
    )  # fmt: skip
    recipe = models.ForeignKey(Recipe, null=True, blank=True, on_delete=models.PROTECT, related_name="batches")
    draw = models.JSONField(default=dict, help_text="Seed and criteria, complete enough to repeat the draw.")
    overlap = models.PositiveSmallIntegerField(default=1, help_text="How many annotators label each profile.")
    hints_shown = models.BooleanField(default=True)
    agreement_shown = models.BooleanField(
        default=False, help_text="Evaluators see how often their own answers on planted profiles agree."
    )
    is_practice = models.BooleanField(
        default=False, help_text="Practice for every evaluator, on profiles with known answers."
    )
    after_practice = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+",
        help_text="A practice batch that evaluators must finish first.",
    )  # fmt: skip
    created_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="batches_made")
    created_at = models.DateTimeField(db_default=Now())
    people = models.JSONField(
        default=list,
        blank=True,
        help_text="Who labels it, and how many profiles each person gets. Empty for a shared pool.",
    )
    extensions = models.JSONField(default=list, blank=True, help_text="Profiles drawn after the batch was started.")
    version = models.PositiveIntegerField(
        default=1, help_text="Increases with every change, so that two admins notice each other."
    )
    due_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = BatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "batches"
        constraints = [
            models.CheckConstraint(condition=Q(overlap__range=(1, 5)), name="batch_overlap_from_1_to_5"),
            models.CheckConstraint(
                condition=Q(guideline__isnull=False) | Q(draw__has_key="import"), name="batch_has_guidelines_or_came_in"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="batch_frozen_once_started",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.started_at IS NOT NULL AND (OLD.corpus_id, OLD.guideline_id, OLD.draw, OLD.overlap, "
                    "OLD.hints_shown, OLD.is_practice) IS DISTINCT FROM (NEW.corpus_id, NEW.guideline_id, NEW.draw, "
                    "NEW.overlap, NEW.hints_shown, NEW.is_practice)"
                ),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Same rule as `Batch.objects.open()`."""
        return self.started_at is not None and self.closed_at is None

    @property
    def is_imported(self) -> bool:
        """Whether its judgements came from a file."""
        return "import" in self.draw


class SkipReason(models.TextChoices):
    NOT_ENGLISH = "not_english", "Not English"
    BOT = "bot", "Written by a bot"
    TOO_LITTLE = "too_little", "Too little text"
    DISTURBING = "disturbing", "Disturbing"
    TECHNICAL = "technical", "Something does not work"
    OTHER = "other", "Something else"
    WITHDRAWN = "withdrawn", "Taken back by an admin"  # never offered to evaluators


# An admin takes back what somebody holds: to hand it over, which leaves another assignment in its place, or to close
# the batch, which leaves it undone. A hand-over is marked as handled.
TAKEN_BACK = Q(skip_reason=SkipReason.WITHDRAWN)
HANDED_OVER = TAKEN_BACK & Q(handled_at__isnull=False)
TAKEN_BACK_SQL = f"(skip_reason = '{SkipReason.WITHDRAWN.value}')"
HANDED_OVER_SQL = f"(skip_reason = '{SkipReason.WITHDRAWN.value}' AND handled_at IS NOT NULL)"
DONE = Q(submitted_at__isnull=False) | Q(skipped_at__isnull=False) & ~TAKEN_BACK
CLOSED_OVER = TAKEN_BACK & Q(handled_at=None)


class State(models.TextChoices):
    """The state of an assignment. Never stored: it is derived from the timestamps."""

    UNCLAIMED = "unclaimed", "Open"
    HELD = "held", "In progress"
    SUBMITTED = "submitted", "Submitted"
    REOPENED = "reopened", "Reopened"
    SKIPPED = "skipped", "Skipped"


def _row(*columns: str | OuterRef) -> Func:
    """A row value, compared column by column. Postgres plans it better than the equivalent OR."""
    return Func(*columns, function="ROW", output_field=models.DateTimeField())


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def unclaimed(self) -> "AssignmentQuerySet":
        return self.filter(claimed_at=None)

    def meant_for(self, annotator: Annotator) -> "AssignmentQuerySet":
        return self.unclaimed().filter(annotator=annotator)

    def in_pool(self) -> "AssignmentQuerySet":
        """Unclaimed and not meant for anybody: whoever comes next gets it."""
        return self.filter(IN_POOL)

    def free_for(self, annotator: Annotator) -> "AssignmentQuerySet":
        """In the pool, for profiles that the annotator has no assignment for in the same batch."""
        read = Assignment.objects.filter(batch=OuterRef("batch"), profile=OuterRef("profile"), annotator=annotator)
        return self.in_pool().filter(~Exists(read))

    def in_order(self) -> "AssignmentQuerySet":
        return self.order_by("position", "slot")

    def readable_by(self, annotator: Annotator) -> "AssignmentQuerySet":
        """What the annotator has claimed in a started batch, in any state."""
        return self.filter(annotator=annotator, claimed_at__isnull=False, batch__started_at__isnull=False)

    def held(self) -> "AssignmentQuerySet":
        return self.filter(HELD)

    def unfinished(self) -> "AssignmentQuerySet":
        """Neither submitted nor skipped."""
        return self.filter(UNFINISHED)

    def in_hand(self) -> "AssignmentQuerySet":
        """Held or reopened."""
        return self.filter(HELD | REOPENED)

    def held_by(self, annotator: Annotator) -> "AssignmentQuerySet":
        return self.held().filter(annotator=annotator)

    def submitted(self) -> "AssignmentQuerySet":
        return self.filter(submitted_at__isnull=False)

    def skipped(self) -> "AssignmentQuerySet":
        return self.filter(skipped_at__isnull=False)

    def unhandled(self) -> "AssignmentQuerySet":
        """Skipped by their annotator, and not yet handled by an admin."""
        return self.skipped().filter(~TAKEN_BACK, handled_at=None)

    def closed_over(self) -> "AssignmentQuerySet":
        """Taken back when the batch was closed, and not in anybody else's hands."""
        return self.filter(CLOSED_OVER)

    def open(self) -> "AssignmentQuerySet":
        """Somebody may still judge the profile: unclaimed, held or reopened, in an open batch."""
        return self.filter(UNFINISHED | REOPENED, batch__started_at__isnull=False, batch__closed_at=None)

    def writable(self) -> "AssignmentQuerySet":
        """Held or reopened, in an open batch."""
        return self.in_hand().filter(batch__started_at__isnull=False, batch__closed_at=None)

    def in_study(self) -> "AssignmentQuerySet":
        """Part of the study: neither planted nor practice."""
        return self.filter(IN_STUDY)

    def counted(self) -> "AssignmentQuerySet":
        """Assignments whose judgements count for agreement, gold and exports."""
        return self.submitted().in_study()

    def counted_in(self, corpus: Corpus, batch: Batch | None = None) -> "AssignmentQuerySet":
        """The counted assignments of a batch; without one, each annotator's latest for every profile in the corpus."""
        if batch is not None:
            return self.counted().filter(batch=batch)
        return self.counted().filter(batch__corpus=corpus).latest_per_annotator()

    def latest_per_annotator(self) -> "AssignmentQuerySet":
        """Drop assignments for whose profile the same annotator has a later counted submission."""
        same = Assignment.objects.counted().filter(profile=OuterRef("profile"), annotator=OuterRef("annotator"))
        is_later = GreaterThan(_row("submitted_at", "pk"), _row(OuterRef("submitted_at"), OuterRef("pk")))
        return self.filter(~Exists(same.filter(is_later)))


@with_history()
class Assignment(models.Model):
    """One profile in one batch for one annotator: unclaimed → held → submitted or skipped.

    A profile read by three annotators has three assignments. An unclaimed one may already be meant for somebody.
    """

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="assignments", db_index=False)
    profile = models.ForeignKey(Profile, on_delete=models.PROTECT, related_name="assignments", db_index=False)
    slot = models.PositiveSmallIntegerField(default=0)
    position = models.PositiveIntegerField(help_text="Position in the batch's seeded random order.")
    annotator = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="assignments")
    claimed_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)
    skip_reason = models.CharField(max_length=20, choices=SkipReason.choices, blank=True)
    skip_remark = models.CharField(max_length=1000, blank=True)
    reopened_at = models.DateTimeField(null=True, blank=True, help_text="Submitted earlier and being changed now.")
    handled_at = models.DateTimeField(null=True, blank=True, help_text="When an admin resolved the skip.")
    is_planted = models.BooleanField(
        default=False, help_text="A planted profile with known answers. Only admins may know."
    )
    active_seconds = models.PositiveIntegerField(default=0)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "profile", "slot"], name="assignment_slot_exists_once"),
            models.UniqueConstraint(
                fields=["batch", "profile", "annotator"],
                condition=Q(annotator__isnull=False),
                name="assignment_profile_once_per_annotator",
            ),
            models.UniqueConstraint(
                fields=["batch", "annotator"],
                condition=Q(claimed_at__isnull=False, submitted_at=None, skipped_at=None),
                name="assignment_one_held_per_annotator",
            ),
            models.CheckConstraint(
                condition=Q(claimed_at=None) | Q(annotator__isnull=False), name="assignment_claimed_by_somebody"
            ),
            models.CheckConstraint(
                condition=Q(submitted_at=None) | Q(claimed_at__isnull=False, skipped_at=None),
                name="assignment_submitted_after_claimed",
            ),
            models.CheckConstraint(
                condition=Q(skipped_at=None, skip_reason="")
                | Q(skipped_at__isnull=False, claimed_at__isnull=False, skip_reason__in=SkipReason.values),
                name="assignment_skipped_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(reopened_at=None) | Q(submitted_at__isnull=False),
                name="assignment_reopened_after_submitted",
            ),
        ]
        indexes = [
            models.Index(fields=["batch", "position", "slot"], name="assignment_in_drawn_order"),
            # finds what else an annotator said about a profile, even before the planner knows how many rows there are
            models.Index(fields=["profile", "annotator"], name="assignment_of_profile_by"),
            models.Index(  # finds the next assignment for a person or in the pool, however many are done
                fields=["batch", "annotator", "position", "slot"],
                condition=Q(claimed_at=None),
                name="assignment_next_in_order",
            ),
            models.Index(  # finds what admins still have to handle
                fields=["batch"],
                condition=Q(skipped_at__isnull=False, handled_at=None),
                name="assignment_skipped_unhandled",
            ),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"

    @property
    def state(self) -> State:
        if self.submitted_at:
            return State.REOPENED if self.reopened_at else State.SUBMITTED
        if self.skipped_at:
            return State.SKIPPED
        return State.HELD if self.claimed_at else State.UNCLAIMED

    @property
    def is_writable(self) -> bool:
        """Same rule as `Assignment.objects.writable()`."""
        return self.state in (State.HELD, State.REOPENED) and self.batch.is_open
