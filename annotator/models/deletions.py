"""The deletion of a whole corpus."""

from django.db import models

from annotator.models.people import Annotator
from profiles.models.jobs import ClaimedJob


class CorpusDeletion(ClaimedJob):
    """The job that deletes a corpus with everything made from it. The row outlives the corpus; it counts comments."""

    corpus_id = models.BigIntegerField(unique=True, help_text="Not a foreign key, because the corpus is deleted.")
    name = models.CharField(max_length=100, help_text="The name of the corpus when its deletion was requested.")
    asked_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    counts = models.JSONField(default=dict, help_text="Number of rows of each kind when the deletion was requested.")

    def __str__(self) -> str:
        return f"deletion of corpus {self.corpus_id}"
