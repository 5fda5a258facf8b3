"""The deletion of a whole corpus."""

from django.db import models

from annotator.models.people import Annotator
from profiles.models.jobs import ClaimedJob


class CorpusDeletion(ClaimedJob):
    """The job that deletes a corpus with everything made from it. The row outlives the corpus; it counts comments."""

    corpus_id = models.BigIntegerField(unique=True, help_text="Not a foreign key: the corpus goes.")
    name = models.CharField(max_length=100, help_text="Of the corpus, when somebody asked.")
    asked_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    counts = models.JSONField(default=dict, help_text="How many rows of each kind there were when somebody asked.")

    def __str__(self) -> str:
        return f"deletion of corpus {self.corpus_id}"
