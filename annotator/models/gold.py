"""Gold records, known answers, targets, and the state of gold builds."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models.batches import GuidelineVersion
from annotator.models.conclusions import Conclusion
from annotator.models.history import with_history
from annotator.models.people import Annotator
from profiles.attributes import Attribute
from profiles.models import Corpus, Profile
from profiles.models.jobs import ClaimedJob


class KnownAnswer(Conclusion):
    """The right answer for a profile that we wrote ourselves, for practice and quality checks."""

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="known_answers", db_index=False)
    why = models.TextField(blank=True)
    evidence = models.JSONField(default=list, help_text="One [comment id, start, end] for each span.")

    class Meta(Conclusion.Meta):
        abstract = False
        constraints = [
            *Conclusion.Meta.constraints,
            models.UniqueConstraint(fields=["profile", "attribute"], name="knownanswer_one_per_attribute"),
        ]

    def __str__(self) -> str:
        return f"{self.attribute} of profile {self.profile_id}"


class Reached(models.TextChoices):
    """How a gold value was reached."""

    SINGLE = "single", "One annotator"
    CONSENSUS = "consensus", "All annotators agreed"
    MAJORITY = "majority", "Most annotators agreed"
    ADJUDICATED = "adjudicated", "Decided by an adjudicator"


@with_history()
class GoldRecord(Conclusion):
    """The agreed value of one attribute of one profile, with a snapshot of the judgements behind it."""

    profile = models.ForeignKey(Profile, on_delete=models.PROTECT, related_name="gold", db_index=False)
    guideline = models.ForeignKey(GuidelineVersion, null=True, on_delete=models.PROTECT, related_name="+")
    batch_ids = ArrayField(models.BigIntegerField(), default=list, help_text="The batches its judgements come from.")
    said = models.JSONField(
        default=list,
        help_text="Each judgement at that time: {judgement, annotator, batch, value, hardness, certainty, …}.",
    )
    evidence = models.JSONField(default=list, help_text="Spans as {comment, start, end, text}.")
    reached = models.CharField(max_length=20, choices=Reached.choices)
    rule = models.CharField(max_length=40, help_text="The consensus rule and its version, or the adjudication.")
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(db_default=Now())

    class Meta(Conclusion.Meta):
        abstract = False
        constraints = [
            *Conclusion.Meta.constraints,
            models.UniqueConstraint(fields=["profile", "attribute"], name="goldrecord_one_per_attribute"),
            models.CheckConstraint(
                condition=~Q(reached=Reached.ADJUDICATED.value) | Q(decided_by__isnull=False),
                name="goldrecord_adjudicated_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attribute} of profile {self.profile_id}"

    @property
    def decision_token(self) -> str:
        """Tells this decision from earlier and later ones about the same attribute."""
        return self.decided_at.isoformat()


@with_history()
class Target(models.Model):
    """The number of labels that a study needs for one attribute and hardness."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="targets", db_index=False)
    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    hardness = models.PositiveSmallIntegerField()
    wanted = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "attribute", "hardness"], name="target_one_per_cell"),
            models.CheckConstraint(
                condition=Q(attribute__in=Attribute.values), name="target_attribute_is_one_of_eight"
            ),
            models.CheckConstraint(
                condition=Q(hardness__range=(1, 5), wanted__gt=0), name="target_wants_some_of_a_hardness"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.wanted} of {self.attribute}, hardness {self.hardness}"


class BuiltGold(models.Model):
    """What a profile's gold records and disputes were last built from."""

    profile = models.OneToOneField(Profile, on_delete=models.CASCADE, primary_key=True, related_name="built_gold")
    fingerprint = models.CharField(max_length=32, help_text="Hash of everything that the build read.")

    def __str__(self) -> str:
        return f"built gold of profile {self.profile_id}"


class GoldBuild(ClaimedJob):
    """The job that builds a corpus's gold records and disputes. Every build of the corpus uses the same row."""

    corpus = models.OneToOneField(Corpus, on_delete=models.CASCADE, primary_key=True, related_name="gold_build")
    rule = models.CharField(max_length=40, blank=True, help_text="The consensus rule in force.")
    stamp = models.CharField(
        max_length=32, blank=True, help_text="Hash of the assignments when the last build began. See `gold/stamps.py`."
    )
    built_at = models.DateTimeField(null=True, blank=True, help_text="When the last build succeeded.")

    class Meta:
        db_table = "annotator_settling"

    def __str__(self) -> str:
        return f"gold build of corpus {self.corpus_id}"
