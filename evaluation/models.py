"""What was measured, kept as it was found."""

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from annotator.models import Batch
from profiles.models import Corpus


class AgreementReportQuerySet(models.QuerySet["AgreementReport"]):
    def in_scope(self, corpus: Corpus, batch: Batch | None) -> "AgreementReportQuerySet":
        """The newest first."""
        return self.filter(corpus=corpus, batch=batch).order_by("-made_at", "-pk")


class AgreementReport(models.Model):
    """How far annotators agreed in a corpus or a batch at some time. Never edited; a newer one is another row.

    It holds numbers and codes alone, so that nothing of it has to go when an account is removed.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="agreement_reports", db_index=False)
    batch = models.ForeignKey(Batch, null=True, on_delete=models.CASCADE, related_name="agreement_reports")
    made_at = models.DateTimeField(db_default=Now())
    seconds = models.FloatField(help_text="How long it took.")
    counted_until = models.DateTimeField(null=True, help_text="The newest submission that was counted.")
    judgement_count = models.PositiveIntegerField()
    signature = models.CharField(max_length=300, help_text="Everything that determines the figures.")
    contents = models.JSONField(help_text="The figures, with their format.")

    objects = AgreementReportQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["corpus", "batch", "-made_at"], name="agreement_newest_first")]
        triggers = [pgtrigger.Protect(name="agreement_report_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"agreement report {self.pk}"
