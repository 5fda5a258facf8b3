"""Exports and label imports."""

from django.db import models
from django.db.models import Q

from annotator.models.batches import Batch
from annotator.models.people import Annotator, Role
from profiles.models import Corpus, Profile
from profiles.models.jobs import ClaimedJob


class Format(models.TextChoices):
    NATIVE = "native", "Telltale, everything"
    LLMPRIVACY = "llmprivacy", "llmprivacy"
    SYNTHPAI = "synthpai", "SynthPAI"
    SPANS = "spans", "Spans"
    CSV = "csv", "Table (CSV)"
    DATASET = "dataset", "Dataset folder (ZIP)"


class ExportQuerySet(models.QuerySet["Export"]):
    def readable_by(self, annotator: Annotator) -> "ExportQuerySet":
        """Admins see all exports, everybody else only those without account names."""
        return self if annotator.has_role(Role.ADMIN) else self.filter(with_names=False)


class Export(ClaimedJob):
    """An export job and its file. The file expires; this row stays."""

    corpus = models.ForeignKey(Corpus, on_delete=models.PROTECT, related_name="exports")
    format = models.CharField(max_length=20, choices=Format.choices)
    options = models.JSONField(default=dict, help_text="Filters and contents, complete enough to repeat the export.")
    with_names = models.BooleanField(default=False, help_text="Account names instead of pseudonyms.")
    reason = models.TextField(blank=True, help_text="Why the names are needed.")
    asked_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="exports")
    file_name = models.CharField(max_length=200, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    manifest = models.JSONField(default=dict, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(
        null=True, blank=True, help_text="When its file was removed because an account in its corpus was taken down."
    )

    objects = ExportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(with_names=False) | ~Q(reason=""), name="export_names_only_for_a_reason"
            ),
            models.CheckConstraint(condition=Q(format__in=Format.values), name="export_in_a_known_format"),
        ]

    def __str__(self) -> str:
        return f"export {self.pk}"


class LabelImport(ClaimedJob):
    """An import job: profiles and judgements from a file. `total` is its size in bytes."""

    corpus = models.ForeignKey(Corpus, null=True, on_delete=models.PROTECT, related_name="label_imports")
    batch = models.ForeignKey(Batch, null=True, on_delete=models.PROTECT, related_name="+")
    format = models.CharField(max_length=20, choices=Format.choices)
    name = models.CharField(max_length=200, help_text="The name of the file.")
    sha256 = models.CharField(max_length=64, blank=True)
    asked_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    counts = models.JSONField(default=dict, blank=True)
    set_aside = models.JSONField(default=list, blank=True, help_text="Lines and answers left out: {line, reason}.")
    is_dry_run = models.BooleanField(default=False, db_default=False, help_text="Only counts what would be imported.")
    corpus_name = models.CharField(
        max_length=100,
        blank=True,
        help_text="For imports without a corpus: dry runs, and those whose corpus was deleted.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(format__in=["native", "llmprivacy", "synthpai"]), name="labelimport_in_a_known_format"
            )
        ]

    def __str__(self) -> str:
        return f"import {self.pk}"


class ImportUndo(ClaimedJob):
    """A job that removes what an import brought. `total` is the number of its profiles."""

    label_import = models.OneToOneField(LabelImport, on_delete=models.PROTECT, related_name="undo")
    asked_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    counts = models.JSONField(default=dict, blank=True, help_text="Number of rows removed and kept.")

    def __str__(self) -> str:
        return f"undo of import {self.label_import_id}"


class SourceRecord(models.Model):
    """The import that created a profile, and its line without texts, so that an export can return every field.

    The line is empty for our own format, which needs none.
    """

    profile = models.OneToOneField(Profile, on_delete=models.CASCADE, primary_key=True, related_name="source")
    label_import = models.ForeignKey(LabelImport, on_delete=models.PROTECT, related_name="sources")
    contents = models.JSONField()

    def __str__(self) -> str:
        return f"source of profile {self.profile_id}"
