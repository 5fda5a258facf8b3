"""Subreddits that a language model proposed, and what a person decided about each."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models import Annotator
from evaluation.models.endpoints import ModelEndpoint
from profiles.attributes import Attribute
from profiles.models import AttributeHint
from profiles.models.jobs import ClaimedJob


class SubredditSearch(ClaimedJob):
    """A request for subreddits whose comments give an attribute away, with its prompts and answers."""

    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    value = models.CharField(max_length=120, help_text="What the authors have in common, such as “London”.")
    wanted = models.PositiveSmallIntegerField(help_text="How many subreddits the model is asked for.")
    examples = models.JSONField(default=list, help_text="Subreddits that a person named as examples.")
    prompt = models.CharField(max_length=60, help_text="The version of the prompts.")
    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.PROTECT, related_name="+")
    asked_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    exchanges = models.JSONField(default=list, help_text="What was asked and answered, in order.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(attribute__in=Attribute.values), name="search_attribute_is_known"),
            models.CheckConstraint(condition=Q(wanted__range=(1, 100)), name="search_wants_one_to_a_hundred"),
        ]

    def __str__(self) -> str:
        return f"subreddit search {self.pk}"


class SubredditProposal(models.Model):
    """One subreddit of a search."""

    class Decision(models.TextChoices):
        OPEN = "open", "Open"
        ACCEPTED = "accepted", "Accepted"
        REJECTED = "rejected", "Rejected"

    search = models.ForeignKey(SubredditSearch, on_delete=models.CASCADE, related_name="proposals", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="Its position in the answer, from 1.")
    name = models.CharField(max_length=50, help_text="The subreddit, without r/.")
    reason = models.CharField(max_length=1000, blank=True, help_text="The reason that the model gave.")
    is_certain = models.BooleanField(help_text="Whether the model kept it when asked again.")
    decision = models.CharField(max_length=10, choices=Decision.choices, default=Decision.OPEN)
    decided_by = models.ForeignKey(Annotator, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    hint = models.ForeignKey(AttributeHint, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    hint_is_new = models.BooleanField(default=False, help_text="Whether accepting it created the hint.")
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["search", "number"], name="proposal_once_per_position"),
            models.UniqueConstraint(fields=["search", "name"], name="proposal_once_per_subreddit"),
            models.CheckConstraint(
                condition=Q(decision="open", decided_by=None, decided_at=None)
                | Q(decision__in=["accepted", "rejected"], decided_at__isnull=False),
                name="proposal_decided_with_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"proposal {self.number} of search {self.search_id}"
