"""The tables whose every change Postgres keeps (`models/history.py`)."""

from django.apps import apps
from django.db import models


class Tracked(models.TextChoices):
    JUDGEMENT = "judgement", "Judgements"
    ASSIGNMENT = "assignment", "Assignments"
    BATCH = "batch", "Batches"
    GOLD_RECORD = "goldrecord", "Gold records"
    TARGET = "target", "Targets"
    SAME_MEANING = "samemeaning", "What means the same"

    @property
    def events(self) -> type[models.Model]:
        """What is kept: a row for each change of a row."""
        found: type[models.Model] = apps.get_model("annotator", f"{self.value}event")
        return found
