"""Subreddits, and what writing in one suggests."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from profiles.attributes import Attribute


class Subreddit(models.Model):
    """A subreddit by its display name. Case is ignored, because it differs between dumps."""

    id = models.AutoField(primary_key=True)  # four bytes, because every comment row has it
    name = models.CharField(max_length=50)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("name"), name="subreddit_name_unique_in_any_case"),
            models.CheckConstraint(condition=~Q(name=""), name="subreddit_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"r/{self.name}"


class AttributeHint(models.Model):
    """What writing in a subreddit suggests about an attribute: a hint, never an answer.

    An empty value means that the subreddit is about the attribute without suggesting a value (r/expats and location).
    """

    subreddit = models.ForeignKey(Subreddit, on_delete=models.CASCADE, related_name="hints")
    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    value = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subreddit", "attribute", "value"], name="hint_said_once"),
            models.CheckConstraint(condition=Q(attribute__in=Attribute.values), name="hint_attribute_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.attribute}: {self.value}"
