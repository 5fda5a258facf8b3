"""Disputes, the leases of adjudicators, and decisions on which answers mean the same."""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Collate, Now
from django.db.models.lookups import LessThan

from annotator.models.history import with_history
from annotator.models.people import Annotator
from profiles.attributes import Attribute
from profiles.models import Profile

LEASE = timedelta(minutes=5)  # without a renewal for this long, another adjudicator may take the profile


class Dispute(models.Model):
    """Judgements that no rule can reconcile. The row is deleted once somebody decides."""

    class Kind(models.TextChoices):
        VALUE = "value", "Different values"
        PRESENCE = "presence", "Inferred or not"
        PRECISION = "precision", "Different precision"
        CHANGED = "changed", "Changed after the decision"

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="disputes", db_index=False)
    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    severity = models.PositiveIntegerField(help_text="The most severe disputes come first in the queue.")
    judgement_count = models.PositiveSmallIntegerField()
    found_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["profile", "attribute"], name="dispute_one_per_attribute"),
            models.CheckConstraint(
                condition=Q(attribute__in=Attribute.values), name="dispute_attribute_is_one_of_eight"
            ),
        ]
        indexes = [models.Index(fields=["-severity", "profile", "attribute"], name="dispute_worst_first")]

    def __str__(self) -> str:
        return f"{self.kind} about {self.attribute} of profile {self.profile_id}"


class AdjudicationLease(models.Model):
    """The adjudicator who currently has a profile open, so that two people never decide the same dispute."""

    profile = models.OneToOneField(Profile, on_delete=models.CASCADE, primary_key=True, related_name="lease")
    held_by = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="leases")
    held_at = models.DateTimeField(help_text="The last heartbeat.")

    def __str__(self) -> str:
        return f"lease of profile {self.profile_id}"


@with_history()
class SameMeaning(models.Model):
    """A person's decision on whether two free-text answers mean the same. It applies to every profile."""

    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    one = models.CharField(max_length=200)
    other = models.CharField(max_length=200)
    is_same = models.BooleanField()
    decided_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attribute", "one", "other"], name="same_meaning_decided_once"),
            models.CheckConstraint(
                condition=Q(LessThan(Collate("one", "C"), Collate("other", "C"))) & ~Q(one=""),
                name="same_meaning_of_two_answers_in_order",
            ),
            models.CheckConstraint(
                condition=Q(attribute__in=["occupation", "location", "place_of_birth"]),
                name="same_meaning_only_of_answers_in_words",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attribute}: {'same' if self.is_same else 'not the same'}"
