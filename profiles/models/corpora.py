"""What was written: corpora, profiles, comments. Fixed once ingested."""

from django.apps import apps
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from profiles.models.keys import ForeignKeyOfSeveral
from profiles.models.subreddits import Subreddit

READY = Q(ready_at__isnull=False, deleting_at=None)


class CorpusQuerySet(models.QuerySet["Corpus"]):
    def ready(self) -> "CorpusQuerySet":
        """Completely loaded, and not being deleted. Nobody reads a corpus before or after that."""
        return self.filter(READY)

    def visible(self) -> "CorpusQuerySet":
        """Ready, or being built by an ingest, or left unfinished by one."""
        ingests = apps.get_model("profiles", "Ingest").objects.filter(
            corpus=OuterRef("pk")
        )  # its module imports this one
        return self.filter(READY | Q(Exists(ingests), deleting_at=None))

    def current(self) -> "CorpusQuerySet":
        """Not archived."""
        return self.filter(archived_at=None)

    def archived(self) -> "CorpusQuerySet":
        return self.filter(archived_at__isnull=False)


class Corpus(models.Model):
    """Comments selected by the same rules and grouped into profiles, with the counts of those rules."""

    name = models.CharField(max_length=100, unique=True)
    options = models.JSONField(default=dict, help_text="The rules of the import, complete enough to repeat it.")
    funnel = models.JSONField(default=list, help_text="Number of comments left after each rule.")
    loading = models.JSONField(default=dict, blank=True, help_text="Progress of an unfinished load.")
    created_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text="Archived: still readable, but nothing new can start."
    )
    deleting_at = models.DateTimeField(
        null=True, blank=True, help_text="When its deletion began. Pages no longer show it."
    )

    objects = CorpusQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "corpora"

    def __str__(self) -> str:
        return self.name


class ProfileQuerySet(models.QuerySet["Profile"]):
    def ready(self) -> "ProfileQuerySet":
        """Profiles of corpora that are ready."""
        return self.filter(corpus__ready_at__isnull=False, corpus__deleting_at=None)


class Profile(models.Model):
    """One Reddit account in one corpus, under a pseudonym.

    Stores only a keyed digest of the account, by which the next ingest finds the profile again.
    The counts are written together with the comments they count.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="profiles", db_index=False)
    pseudonym = models.CharField(max_length=60)
    account_digest = models.BinaryField(max_length=16)
    spelling = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Which spelling of the name, in a case-sensitive corpus; otherwise 0."
    )
    comment_count = models.PositiveIntegerField()
    first_written_at = models.DateTimeField()
    last_written_at = models.DateTimeField()

    objects = ProfileQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "account_digest", "spelling"], name="profile_one_per_account"),
            models.UniqueConstraint(fields=["corpus", "pseudonym"], name="profile_pseudonym_unique_in_corpus"),
            models.CheckConstraint(condition=Q(comment_count__gt=0), name="profile_has_comments"),
            models.CheckConstraint(
                condition=Q(first_written_at__lte=F("last_written_at")), name="profile_dates_in_order"
            ),
        ]
        indexes = [models.Index(fields=["corpus", "-comment_count", "id"], name="profile_by_size")]

    def __str__(self) -> str:
        return self.pseudonym


class Presence(models.Model):
    """The number of comments of one profile in one subreddit, for the summary, the hints and the filters."""

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="presences", db_index=False)
    subreddit = models.ForeignKey(Subreddit, on_delete=models.PROTECT, related_name="presences")
    comment_count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["profile", "subreddit"], name="presence_one_per_subreddit"),
            models.CheckConstraint(condition=Q(comment_count__gt=0), name="presence_has_comments"),
        ]

    def __str__(self) -> str:
        return f"{self.profile_id} in {self.subreddit_id}"


class Comment(models.Model):
    """One text as it was written. Rows are narrow, because there are tens of millions, and are loaded through COPY.

    The foreign key to a presence covers both profile and subreddit.
    """

    profile = models.ForeignKey(
        Profile, on_delete=models.CASCADE, related_name="comments", db_index=False, db_constraint=False
    )
    subreddit = models.ForeignKey(
        Subreddit, on_delete=models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    reddit_id = models.BigIntegerField(help_text="Reddit's base-36 id as a number: eight bytes instead of text.")
    written_at = models.DateTimeField()
    copy_number = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Which copy of the line, in a corpus that keeps duplicates; otherwise 0."
    )
    body = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["profile", "reddit_id", "copy_number"], name="comment_loaded_once"),
            models.CheckConstraint(condition=~Q(body=""), name="comment_has_text"),
            ForeignKeyOfSeveral(
                fields=("profile", "subreddit"), to="profiles.Presence", name="comment_is_of_a_presence"
            ),
        ]
        indexes = [
            # The reading page: by subreddit, then date, page by page.
            models.Index(fields=["profile", "subreddit", "written_at", "id"], name="comment_reading_order"),
        ]

    def __str__(self) -> str:
        return f"comment {self.pk}"
