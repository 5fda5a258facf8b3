"""Drafts of the labelling page, and a snapshot of every submission."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models.batches import Assignment
from profiles.attributes import Attribute


class Draft(models.Model):
    """A card as last saved, finished or not. Submitting turns it into a judgement.

    The value is stored as typed, so that nothing is lost; only judgements must follow the rules.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drafts", db_index=False)
    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    value = models.CharField(max_length=500, blank=True)
    hardness = models.PositiveSmallIntegerField(default=0)
    certainty = models.PositiveSmallIntegerField(default=0)
    required_subreddit = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    evidence = models.JSONField(default=list, help_text="Spans as {comment, start, end, text}.")
    version = models.PositiveIntegerField(
        default=1, help_text="Increases with every change, so that two tabs notice each other."
    )
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "attribute"], name="draft_one_per_attribute"),
            models.CheckConstraint(condition=Q(attribute__in=Attribute.values), name="draft_attribute_is_one_of_eight"),
            models.CheckConstraint(
                condition=Q(hardness__range=(0, 5), certainty__range=(0, 5)), name="draft_rated_from_0_to_5"
            ),
        ]

    def __str__(self) -> str:
        return f"draft of {self.attribute} for assignment {self.assignment_id}"


class Submission(models.Model):
    """All answers at the time of a submission. Submitting again adds another row."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="submissions", db_index=False)
    number = models.PositiveIntegerField()
    submitted_at = models.DateTimeField(db_default=Now())
    nothing_inferred = models.BooleanField(
        default=False, help_text="The annotator confirmed that nothing can be inferred from this profile."
    )
    answers = models.JSONField(help_text="The eight judgements with their notes and evidence.")
    active_seconds = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "number"], name="submission_numbered_once")]
        triggers = [pgtrigger.Protect(name="submission_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"submission {self.number} of assignment {self.assignment_id}"
