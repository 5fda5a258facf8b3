"""Answers of language models, kept so that none is paid for twice."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from profiles.models import Profile

DIGEST = r"^[0-9a-f]{64}$"


class ModelAttempt(models.Model):
    """What a model was asked, and what it answered. The digest covers everything that can change the answer.

    Only answers are kept, and refusals that would be the same again; what failed is asked again by the next run.
    Both request and answer quote a profile, so the row goes with it.
    """

    digest = models.CharField(max_length=64, unique=True)
    profile = models.ForeignKey(Profile, null=True, on_delete=models.CASCADE, related_name="+")
    run = models.CharField(max_length=60, blank=True, help_text="Which run paid for it.")
    base_url = models.CharField(max_length=300)
    model = models.CharField(max_length=200)
    request = models.JSONField(help_text="The body of the request, as it was sent.")
    text = models.TextField(blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    problem = models.CharField(max_length=40, blank=True, help_text="Why the answer can't be used.")
    prompt_tokens = models.PositiveIntegerField(null=True, help_text="As counted by the server.")
    completion_tokens = models.PositiveIntegerField(null=True, help_text="As counted by the server.")
    logprobs = models.JSONField(null=True)
    seconds = models.FloatField(help_text="Seconds from the last request to the answer.")
    cost = models.DecimalField(max_digits=16, decimal_places=8, null=True, help_text="Cost at the prices of its run.")
    answered_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["run"], name="attempts_of_a_run", condition=~Q(run=""))]
        constraints = [
            models.CheckConstraint(condition=Q(digest__regex=DIGEST), name="attempt_has_a_digest"),
            models.CheckConstraint(condition=Q(seconds__gte=0), name="attempt_took_time"),
            models.CheckConstraint(condition=Q(cost=None) | Q(cost__gte=0), name="attempt_costs_nothing_or_more"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.pk}"
