"""What a model inferred in an evaluation run, case by case, and what a judge model made of it."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models import Annotator
from evaluation.models.runs import EvaluationRun
from profiles.attributes import Attribute
from profiles.models import Profile


class InferredCase(models.Model):
    """One attribute of one profile in a run: the label, the guesses, and their credits.

    It holds what people and a model concluded about a person, so it goes with the profile. Cases of an uploaded file
    have no profile; `name` is the file's own.
    """

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="cases", db_index=False)
    number = models.PositiveIntegerField(help_text="Its position in the run, from 1.")
    profile = models.ForeignKey(Profile, null=True, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200, help_text="The pseudonym, or the name in the file.")
    defence = models.CharField(
        max_length=40, blank=True, help_text="The defence that its texts had, in runs over defences."
    )
    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    outcome = models.CharField(max_length=20, help_text="The tab that lists it.")
    contents = models.JSONField(help_text="Label, guesses, reasoning, confidence, credits by scorer.")

    class Meta:
        indexes = [models.Index(fields=["run", "outcome", "attribute", "number"], name="cases_by_outcome")]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="inferred_case_once"),
            models.CheckConstraint(
                condition=Q(attribute__in=Attribute.values), name="inferred_case_attribute_is_known"
            ),
        ]
        triggers = [pgtrigger.Protect(name="inferred_case_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"case {self.number} of evaluation {self.run_id}"


class Verdict(models.TextChoices):
    """Whether a guess means the same as the label."""

    MATCH = "match", "Match"
    LESS_PRECISE = "less-precise", "Less precise"
    NO_MATCH = "no-match", "No match"


class JudgedPair(models.Model):
    """A guess that the rules found wrong, and what a judge model said of it."""

    case = models.ForeignKey(InferredCase, on_delete=models.CASCADE, related_name="judged", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="Position of the guess, from 1.")
    verdict = models.CharField(max_length=20, choices=Verdict.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "position"], name="guess_judged_once"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="judged_with_a_known_verdict"),
        ]
        triggers = [pgtrigger.Protect(name="judged_pair_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"judged pair {self.pk}"


class AuditedPair(models.Model):
    """What a person said of a judged pair without seeing the judge's verdict."""

    pair = models.ForeignKey(JudgedPair, on_delete=models.CASCADE, related_name="audits", db_index=False)
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "annotator"], name="pair_audited_once_each"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="audited_with_a_known_verdict"),
        ]

    def __str__(self) -> str:
        return f"audit of pair {self.pair_id}"
