"""Activity while a profile is labelled: time spent, look-ups, flags."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotator.models.batches import Assignment
from profiles.attributes import Attribute
from profiles.models import Comment


class Sitting(models.Model):
    """A profile open in one tab, and how long it was visible and in use. Counts seconds, never keystrokes."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="sittings", db_index=False)
    key = models.UUIDField(help_text="Set by the page, so that a repeated report adds nothing.")
    active_seconds = models.PositiveIntegerField(default=0)
    card_seconds = models.JSONField(default=dict, help_text="Seconds by attribute.")
    began_at = models.DateTimeField(db_default=Now())
    last_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "key"], name="sitting_once_a_page")]
        indexes = [models.Index(fields=["last_at"], name="sitting_by_time")]

    def __str__(self) -> str:
        return f"sitting of {self.active_seconds} s"


class LookUp(models.Model):
    """A search engine, map or translator that the annotator opened. Hardness 4 means that the answer required one."""

    class Service(models.TextChoices):
        GOOGLE = "google", "Google"
        DUCKDUCKGO = "duckduckgo", "DuckDuckGo"
        BING = "bing", "Bing"
        OPENSTREETMAP = "openstreetmap", "OpenStreetMap"
        DEEPL = "deepl", "DeepL"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="look_ups")
    service = models.CharField(max_length=20, choices=Service.choices)
    words = models.CharField(max_length=300)
    attribute = models.CharField(
        max_length=20,
        choices=Attribute.choices,
        blank=True,
        help_text="The attribute whose card was open. Empty if unknown.",
    )
    looked_up_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(service__in=["google", "duckduckgo", "bing", "openstreetmap", "deepl"]),
                name="look_up_at_a_known_service",
            )
        ]

    def __str__(self) -> str:
        return f"{self.service} for assignment {self.assignment_id}"


class Flag(models.Model):
    """A request to an admin to look at a comment, or at the whole profile."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="flags")
    comment = models.ForeignKey(Comment, null=True, blank=True, on_delete=models.CASCADE, related_name="flags")
    remark = models.CharField(max_length=1000)
    flagged_at = models.DateTimeField(db_default=Now())
    handled_at = models.DateTimeField(null=True, blank=True, help_text="When an admin resolved it.")
    reply = models.CharField(max_length=1000, blank=True, help_text="The admin's reply, which the evaluator sees.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(remark=""), name="flag_has_a_remark"),
            models.CheckConstraint(
                condition=Q(reply="") | Q(handled_at__isnull=False), name="flag_answered_when_handled"
            ),
        ]

    def __str__(self) -> str:
        return f"flag {self.pk}"
