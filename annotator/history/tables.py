"""The tables whose changes Postgres records (see `models/history.py`)."""

from django.apps import apps
from django.db import models


class TrackedTable(models.TextChoices):
    JUDGEMENT = "judgement", "Judgements"
    ASSIGNMENT = "assignment", "Assignments"
    BATCH = "batch", "Batches"
    GOLD_RECORD = "goldrecord", "Gold records"
    PROMPTED_ANSWER = "promptedanswer", "Prompted answers"
    TARGET = "target", "Targets"
    SAME_MEANING = "samemeaning", "Equivalent answers"

    @property
    def events(self) -> type[models.Model]:
        """The model of the history table, which has one row per change."""
        model: type[models.Model] = apps.get_model("annotator", f"{self.value}event")
        return model
