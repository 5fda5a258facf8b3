"""Stored measurements, which are never edited."""

from datetime import datetime, timedelta

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from annotator.models import Batch
from profiles.models import Corpus
from profiles.models.jobs import ClaimedJob


class AgreementReportQuerySet(models.QuerySet["AgreementReport"]):
    def in_scope(self, corpus: Corpus, batch: Batch | None) -> "AgreementReportQuerySet":
        """Reports of a corpus or batch, newest first."""
        return self.filter(corpus=corpus, batch=batch).order_by("-made_at", "-pk")


class AgreementReport(models.Model):
    """The agreement between annotators in a corpus or a batch at some time. Never edited; a newer report is a new row.

    It contains only numbers and codes, so that nothing has to be deleted from it when an account is removed.
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

    @property
    def began_at(self) -> datetime:
        """When its judgements were read. It counts nothing that was submitted later."""
        return self.made_at - timedelta(seconds=self.seconds)


class AgreementJob(ClaimedJob):
    """The job that works out agreement reports. All reports of a corpus or a batch use the same row."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_index=False)
    batch = models.ForeignKey(Batch, null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "batch"], nulls_distinct=False, name="agreementjob_one_per_scope")
        ]

    def __str__(self) -> str:
        return f"agreement job {self.pk}"
