"""Evaluation runs: what was measured, on which files, with which result. A finished run never changes.

A run over files that somebody uploaded keeps its documents and errors, with their texts, until it is deleted. A run
over one of our corpora keeps numbers only, so that nothing has to be deleted from it when an account is removed.
"""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models import Annotator
from profiles.models import Corpus
from profiles.models.jobs import ClaimedJob

NO_TEXTS_OF_CORPORA = """
    IF EXISTS (SELECT 1 FROM evaluation_evaluationrun WHERE id = NEW.run_id
               AND (corpus_id IS NOT NULL OR finished_at IS NOT NULL)) THEN
        RAISE EXCEPTION 'a run over a corpus keeps no texts, and a finished run gets no more';
    END IF;
    RETURN NEW;
"""


class EvaluationKind(models.TextChoices):
    SPANS = "spans", "Spans"
    EVIDENCE = "evidence", "Evidence"
    INFERENCE = "inference", "Language model"
    PROBE = "probe", "Probe"
    DEFENCE = "defence", "Defence"


class EvaluationRun(ClaimedJob):
    """One measurement: a system against gold, with everything that determines its numbers.

    `report` has a `format` of its own. `headline` is the part of it that lists show.
    """

    kind = models.CharField(max_length=20, choices=EvaluationKind.choices)
    name = models.CharField(max_length=200)
    corpus = models.ForeignKey(Corpus, null=True, blank=True, on_delete=models.CASCADE, related_name="evaluation_runs")
    system = models.CharField(max_length=200, help_text="What was measured, by name.")
    inputs = models.JSONField(default=dict, help_text="Names, formats and SHA-256 of everything that was read.")
    settings = models.JSONField(default=dict, help_text="Complete enough to repeat it.")
    signature = models.TextField(blank=True, help_text="Everything that determines the numbers.")
    headline = models.JSONField(default=list, blank=True, help_text="The few numbers that lists show.")
    report = models.JSONField(default=dict, blank=True, help_text="All numbers, with their format.")
    code_version = models.CharField(max_length=40)
    asked_by = models.ForeignKey(Annotator, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=EvaluationKind.values), name="evaluation_of_a_known_kind"),
            models.CheckConstraint(
                condition=~Q(kind=EvaluationKind.EVIDENCE) | Q(corpus__isnull=False),
                name="evaluation_of_evidence_has_a_corpus",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="finished_evaluation_never_edited",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__finished_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"evaluation {self.pk}"


class EvaluationInput(models.Model):
    """A stored file that a run reads. The same file may serve many runs; it goes with the last of them."""

    class Role(models.TextChoices):
        GOLD = "gold", "Gold"
        PREDICTIONS = "predictions", "Predictions"
        SCHEME = "scheme", "Label scheme"

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="files")
    role = models.CharField(max_length=20, choices=Role.choices)
    position = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=200, help_text="The name of the uploaded file.")
    file_name = models.CharField(max_length=100, help_text="In the folder of evaluations.")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "role", "position"], name="evaluation_input_once_per_position"),
            models.CheckConstraint(
                condition=Q(role__in=["gold", "predictions", "scheme"]), name="evaluation_input_with_a_known_role"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of evaluation {self.run_id}"


class EvaluatedDocument(models.Model):
    """A document of a run with its spans: `{text, gold: {annotator: [[start, end, label]]}, predicted: …}`."""

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="documents", db_index=False)
    number = models.PositiveIntegerField(help_text="Its position in the gold file, from 1.")
    name = models.TextField(help_text="Its id in the files.")
    contents = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="evaluated_document_once")]
        triggers = [
            pgtrigger.Protect(name="evaluated_document_never_edited", operation=pgtrigger.Update),
            pgtrigger.Trigger(
                name="documents_of_uploads_only",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func=NO_TEXTS_OF_CORPORA,
            ),
        ]

    def __str__(self) -> str:
        return f"document {self.number} of evaluation {self.run_id}"


class ErrorItem(models.Model):
    """One error of a run, with the words around it. `kind` names the tab that lists it."""

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="errors", db_index=False)
    kind = models.CharField(max_length=30)
    number = models.PositiveIntegerField(help_text="Its position among all errors of the run, from 1.")
    document = models.ForeignKey(EvaluatedDocument, null=True, on_delete=models.CASCADE, related_name="errors")
    contents = models.JSONField(help_text="Spans, labels, and the words before, in and after the span.")

    class Meta:
        indexes = [models.Index(fields=["run", "kind", "number"], name="evaluation_errors_by_kind")]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="evaluation_error_once")]
        triggers = [
            pgtrigger.Protect(name="evaluation_error_never_edited", operation=pgtrigger.Update),
            pgtrigger.Trigger(
                name="errors_of_uploads_only",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func=NO_TEXTS_OF_CORPORA,
            ),
        ]

    def __str__(self) -> str:
        return f"error {self.number} of evaluation {self.run_id}"


class ErrorMark(models.Model):
    """Somebody has looked at an error. Kept apart from the run, which never changes."""

    item = models.OneToOneField(ErrorItem, on_delete=models.CASCADE, primary_key=True, related_name="mark")
    marked_by = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="+")
    marked_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"looked at error {self.item_id}"
