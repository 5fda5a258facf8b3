"""Judgements and their evidence."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length

from annotator.models.batches import Assignment
from annotator.models.conclusions import Conclusion
from annotator.models.history import with_history
from profiles.models import Comment


@with_history()
class Judgement(Conclusion):
    """One annotator's answer on one attribute of one profile."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="judgements", db_index=False)
    note = models.TextField(blank=True)
    geoname_id = models.PositiveIntegerField(null=True, blank=True, help_text="A place that the gazetteer knows.")
    judged_at = models.DateTimeField()
    active_seconds = models.PositiveIntegerField(default=0)

    class Meta(Conclusion.Meta):
        abstract = False
        constraints = [
            *Conclusion.Meta.constraints,
            models.UniqueConstraint(fields=["assignment", "attribute"], name="judgement_one_per_attribute"),
            models.CheckConstraint(
                condition=Q(geoname_id=None) | (Q(attribute__in=["location", "place_of_birth"]) & ~Q(value="")),
                name="judgement_only_places_are_in_the_gazetteer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attribute} of assignment {self.assignment_id}"


class Evidence(models.Model):
    """A span of a comment that supports a judgement: `[start, end)` in code points, with its text."""

    judgement = models.ForeignKey(Judgement, on_delete=models.CASCADE, related_name="evidence", db_index=False)
    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="evidence")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField(help_text="The text of the span when it was marked, for later verification.")

    class Meta:
        verbose_name_plural = "evidence"
        constraints = [
            models.UniqueConstraint(fields=["judgement", "comment", "start", "end"], name="evidence_marked_once"),
            models.CheckConstraint(
                condition=Q(end__gt=F("start"), end=F("start") + Length("text")), name="evidence_as_long_as_its_text"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="evidence_quotes_its_comment",
                level=pgtrigger.Row,
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func="""
                    IF NOT EXISTS (
                        SELECT FROM profiles_comment comment
                        JOIN annotator_judgement judgement ON judgement.id = NEW.judgement_id
                        JOIN annotator_assignment assignment ON assignment.id = judgement.assignment_id
                        WHERE comment.id = NEW.comment_id
                          AND comment.profile_id = assignment.profile_id
                          AND substr(comment.body, NEW.start + 1, NEW."end" - NEW.start) = NEW.text
                    ) THEN
                        RAISE check_violation USING
                            MESSAGE = 'evidence must quote a comment of the judged profile',
                            CONSTRAINT = 'evidence_quotes_its_comment';
                    END IF;
                    RETURN NEW;
                """,
            )
        ]

    def __str__(self) -> str:
        return f"evidence [{self.start}, {self.end})"
