"""What was agreed on, and what was known beforehand."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models.batches import Batch
from annotator.models.conclusions import Conclusion
from annotator.models.judgements import Judgement
from annotator.models.people import Annotator
from profiles.models import Profile


class KnownAnswer(Conclusion):
    """The right answer for a profile whose author we know, because we wrote it: for practice and quality checks."""

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="known_answers", db_index=False)
    why = models.TextField(blank=True)
    evidence = models.JSONField(default=list, help_text="[comment id, start, end] for each clue.")

    class Meta(Conclusion.Meta):
        abstract = False
        constraints = [
            *Conclusion.Meta.constraints,
            models.UniqueConstraint(fields=["profile", "attribute"], name="knownanswer_one_per_attribute"),
        ]

    def __str__(self) -> str:
        return f"{self.attribute} of profile {self.profile_id}"


class Reached(models.TextChoices):
    """How a gold value came about."""

    SINGLE = "single", "One annotator"
    CONSENSUS = "consensus", "Annotators agreed"
    ADJUDICATED = "adjudicated", "Decided by an adjudicator"


class GoldRecord(Conclusion):
    """The agreed value of one attribute of one profile, with who said what."""

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="gold", db_index=False)
    profile = models.ForeignKey(Profile, on_delete=models.PROTECT, related_name="gold")
    sources = models.ManyToManyField(Judgement, related_name="gold")
    reached = models.CharField(max_length=20, choices=Reached.choices)
    rule = models.CharField(max_length=40, help_text="The consensus rule and its version, or the adjudication.")
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(db_default=Now())

    class Meta(Conclusion.Meta):
        abstract = False
        constraints = [
            *Conclusion.Meta.constraints,
            models.UniqueConstraint(fields=["batch", "profile", "attribute"], name="goldrecord_one_per_attribute"),
            models.CheckConstraint(
                condition=~Q(reached=Reached.ADJUDICATED.value) | Q(decided_by__isnull=False),
                name="goldrecord_adjudicated_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attribute} of profile {self.profile_id}"
