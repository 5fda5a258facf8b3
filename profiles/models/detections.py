"""What Presidio detected, and everything that determines it."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from profiles.models.corpora import Comment, Corpus
from profiles.models.jobs import Job, is_unfinished


class EntityType(models.TextChoices):
    EMAIL_ADDRESS = "EMAIL_ADDRESS", "E-mail address"
    PHONE_NUMBER = "PHONE_NUMBER", "Phone number"
    LOCATION = "LOCATION", "Location"
    PERSON = "PERSON", "Person"
    NRP = "NRP", "Nationality, religion, politics"


class Recipe(models.Model):
    """Everything that determines detections: model, versions, recognisers, entities, threshold. Never edited."""

    name = models.CharField(max_length=100, unique=True)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the contents in canonical form.")
    contents = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = [
            pgtrigger.Protect(name="recipe_never_edited", operation=pgtrigger.Update),
        ]

    def __str__(self) -> str:
        return self.name


class RunQuerySet(models.QuerySet["DetectionRun"]):
    def active(self) -> "RunQuerySet":
        """Neither finished, cancelled nor paused."""
        return self.filter(is_unfinished(), paused_at=None)

    def newest_recipe(self) -> Recipe | None:
        """The recipe of the newest run, which a batch shows unless somebody chooses another. 1 query."""
        newest = self.select_related("recipe").order_by("pk").last()
        return newest.recipe if newest else None


class DetectionRun(Job):
    """One pass of Presidio over a corpus with one recipe. Another recipe gets its own run beside it."""

    id = models.AutoField(primary_key=True)  # four bytes, because every detection row has it
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="runs")
    recipe = models.ForeignKey(Recipe, on_delete=models.PROTECT, related_name="runs")
    planned_to = models.BigIntegerField(default=0, help_text="The last comment that is in a chunk.")
    planned_at = models.DateTimeField(null=True, blank=True, help_text="When all comments were in chunks.")

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["corpus", "recipe"], name="run_one_per_corpus_and_recipe")]

    def __str__(self) -> str:
        return f"run {self.pk}"

    @property
    def has_failed(self) -> bool:
        """Always False: a problem only holds up workers. As soon as one of them can continue, the run does."""
        return False


class Detection(models.Model):
    """A span that Presidio marked in one comment: `[start, end)` in code points of the comment's own text."""

    run = models.ForeignKey(DetectionRun, on_delete=models.CASCADE, related_name="detections", db_index=False)
    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="detections", db_index=False)
    entity_type = models.CharField(max_length=40)  # free text: a recipe may add its own recognisers
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    score = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["comment", "run", "start", "end", "entity_type"], name="detection_found_once"
            ),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="detection_is_not_empty"),
            models.CheckConstraint(condition=Q(score__range=(0, 1)), name="detection_score_from_0_to_1"),
        ]
        triggers = [
            # Once per statement, not once per row: detections come in thousands.
            pgtrigger.Trigger(
                name="detection_inside_comment",
                level=pgtrigger.Statement,
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                referencing=pgtrigger.Referencing(new="added"),  # type: ignore[no-untyped-call]
                func="""
                    IF EXISTS (
                        SELECT FROM added JOIN profiles_comment comment ON comment.id = added.comment_id
                        WHERE added."end" > char_length(comment.body)
                    ) THEN
                        RAISE check_violation USING
                            MESSAGE = 'a detection ends after its comment',
                            CONSTRAINT = 'detection_inside_comment';
                    END IF;
                    RETURN NULL;
                """,
            ),
            pgtrigger.Protect(name="detection_never_edited", operation=pgtrigger.Update),
        ]

    def __str__(self) -> str:
        return f"{self.entity_type} [{self.start}, {self.end})"
