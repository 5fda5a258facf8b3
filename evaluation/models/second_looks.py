"""Second looks: claims of a system where people found nothing, and what people say of them on looking again."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models import Annotator
from evaluation.models.runs import EvaluationRun
from profiles.attributes import Attribute
from profiles.models import Profile


class SecondLook(models.Model):
    """The claims that were drawn from a run, and how."""

    run = models.OneToOneField(EvaluationRun, on_delete=models.CASCADE, primary_key=True, related_name="second_look")
    seed = models.PositiveBigIntegerField()
    min_confidence = models.FloatField(null=True, help_text="Empty: the run states no confidence.")
    baseline = models.CharField(max_length=40, help_text="Whose guesses are the controls.")
    eligible = models.PositiveIntegerField(help_text="Claims of the system that could be drawn.")
    eligible_by_attribute = models.JSONField(default=dict, help_text="Empty: drawn before this was counted.")
    claim_count = models.PositiveIntegerField(help_text="Claims of the system that were drawn.")
    control_count = models.PositiveIntegerField()
    drawn_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    drawn_at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = [pgtrigger.Protect(name="second_look_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"second look at evaluation {self.run_id}"

    @property
    def size(self) -> int:
        return self.claim_count + self.control_count


class Claim(models.Model):
    """A value that a system gives where people could not tell. A control is a guess of a baseline.

    Reasoning may quote comments, so it goes with the profile.
    """

    look = models.ForeignKey(SecondLook, on_delete=models.CASCADE, related_name="claims", db_index=False)
    number = models.PositiveIntegerField(help_text="Its position in the queue, from 1.")
    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="+")
    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    value = models.CharField(max_length=300)
    reasoning = models.TextField(blank=True)
    confidence = models.FloatField(null=True)
    prompter = models.CharField(max_length=200, help_text="The model or baseline that claims it.")
    is_control = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["look", "number"], name="claim_numbered_once"),
            models.UniqueConstraint(fields=["look", "profile", "attribute"], name="claim_once_per_attribute"),
            models.CheckConstraint(condition=Q(attribute__in=Attribute.values), name="claim_attribute_is_known"),
            models.CheckConstraint(condition=~Q(value=""), name="claim_names_something"),
        ]
        triggers = [pgtrigger.Protect(name="claim_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"claim {self.pk}"


class ClaimVerdict(models.TextChoices):
    CONFIRM = "confirm", "Confirm"
    REJECT = "reject", "Reject"
    LEAVE_OPEN = "open", "Leave open"


class ClaimReview(models.Model):
    """What a person says of a claim: first on the comments alone, then with the system's reasoning in view."""

    claim = models.OneToOneField(Claim, on_delete=models.CASCADE, primary_key=True, related_name="review")
    reviewer = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="+")
    blind_verdict = models.CharField(max_length=10, choices=ClaimVerdict.choices)
    blind_at = models.DateTimeField(db_default=Now())
    verdict = models.CharField(max_length=10, choices=ClaimVerdict.choices, blank=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(blind_verdict__in=ClaimVerdict.values, verdict__in=["", *ClaimVerdict.values]),
                name="claim_reviewed_with_a_known_verdict",
            ),
            models.CheckConstraint(
                condition=Q(verdict="", decided_at__isnull=True) | (~Q(verdict="") & Q(decided_at__isnull=False)),
                name="claim_decided_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"review of claim {self.claim_id}"

    @property
    def token(self) -> str:
        """Tells this decision from earlier and later ones about the same claim."""
        return self.decided_at.isoformat() if self.decided_at else ""


class ClaimLease(models.Model):
    """The person who has a claim open, so that no two people get the same one."""

    claim = models.OneToOneField(Claim, on_delete=models.CASCADE, primary_key=True, related_name="lease")
    held_by = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="+")
    held_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"lease of claim {self.claim_id}"
