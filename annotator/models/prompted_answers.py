"""Answers that people gave only after a machine had suggested them."""

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from annotator.models.conclusions import Conclusion
from annotator.models.gold import GoldRecord
from annotator.models.history import with_history
from annotator.models.people import Annotator
from profiles.models import Profile

MODEL_PROMPTED = "model-prompted"  # beside the values of Reached, in exports


class PromptedAnswerQuerySet(models.QuerySet["PromptedAnswer"]):
    def standing(self) -> "PromptedAnswerQuerySet":
        """Those where the gold record says that people could not tell.

        What people find themselves always wins, and while they disagree nothing stands.
        """
        empty = GoldRecord.objects.filter(profile=OuterRef("profile"), attribute=OuterRef("attribute"), value="")
        return self.filter(Exists(empty))


@with_history("prompted")
class PromptedAnswer(Conclusion):
    """An answer that a person confirmed in a second look, after a model had claimed it.

    Gold records stay what people found without help; this is stored beside them.
    """

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="prompted", db_index=False)
    evidence = models.JSONField(default=list, help_text="Spans as {comment, start, end, text}.")
    prompted_by = models.CharField(max_length=200, help_text="The model or baseline that claimed it.")
    decided_by = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(db_default=Now())

    objects = PromptedAnswerQuerySet.as_manager()

    class Meta(Conclusion.Meta):
        abstract = False
        constraints = [
            *Conclusion.Meta.constraints,
            models.UniqueConstraint(fields=["profile", "attribute"], name="promptedanswer_one_per_attribute"),
            models.CheckConstraint(condition=~Q(value=""), name="promptedanswer_has_a_value"),
            models.CheckConstraint(condition=~Q(prompted_by=""), name="promptedanswer_prompted_by_somebody"),
        ]

    def __str__(self) -> str:
        return f"prompted {self.attribute} of profile {self.profile_id}"
