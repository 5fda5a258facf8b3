"""The audit log. Postgres refuses to change or delete its rows."""

import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now

from annotator.models.people import Annotator


class AuditEntry(models.Model):
    class Action(models.TextChoices):
        SIGNED_IN = "signed_in", "signed in"
        SIGN_IN_FAILED = "sign_in_failed", "couldn’t sign in"
        LOCKED_OUT = "locked_out", "was locked out"
        LOCK_OUT_LIFTED = "lock_out_lifted", "lifted a lock-out"
        SIGNED_OUT = "signed_out", "signed out"
        PASSWORD_CHANGED = "password_changed", "changed their password"
        PASSWORD_RESET = "password_reset", "reset their password"
        RESET_LINK_MADE = "reset_link_made", "created a password link"
        ACCOUNT_CHANGED = "account_changed", "changed their name or email address"
        TWO_FACTOR_ADDED = "two_factor_added", "added a second factor"
        TWO_FACTOR_REMOVED = "two_factor_removed", "removed a second factor"
        INVITED = "invited", "invited someone"
        INVITATION_REVOKED = "invitation_revoked", "revoked an invitation"
        JOINED = "joined", "accepted an invitation"
        ROLES_CHANGED = "roles_changed", "changed roles"
        DEACTIVATED = "deactivated", "deactivated someone"
        REACTIVATED = "reactivated", "reactivated someone"
        HINTS_CHANGED = "hints_changed", "changed the subreddit list"
        ACCOUNT_NAME_SEEN = "account_name_seen", "looked up an account name"
        ACCOUNT_FORGOTTEN = "account_forgotten", "removed a Reddit account"
        IMPORT_STARTED = "import_started", "started an import"
        CORPUS_CHANGED = "corpus_changed", "renamed, archived or restored a corpus"
        CORPUS_DELETION_ASKED = "corpus_deletion_asked", "requested the deletion of a corpus"
        CORPUS_DELETED = "corpus_deleted", "deleted a corpus"
        DETECTION_STARTED = "detection_started", "started a detection run"
        DETECTION_CHANGED = "detection_changed", "paused, resumed or cancelled a detection run"
        GUIDELINES_PUBLISHED = "guidelines_published", "published guidelines"
        GUIDELINES_READ = "guidelines_read", "read the guidelines"
        PROFILE_SUBMITTED = "profile_submitted", "submitted a profile"
        PROFILE_SKIPPED = "profile_skipped", "skipped a profile"
        PROFILE_REOPENED = "profile_reopened", "reopened a profile"
        PROFILE_FLAGGED = "profile_flagged", "flagged a profile"
        BATCH_CHANGED = "batch_changed", "changed a batch"
        SLOTS_MOVED = "slots_moved", "reassigned profiles"
        PROFILE_SEEN = "profile_seen", "read a profile"
        GOLD_DECIDED = "gold_decided", "adjudicated a dispute"
        MEANING_DECIDED = "meaning_decided", "decided whether two answers mean the same"
        TARGETS_CHANGED = "targets_changed", "changed the targets"
        EXPORT_STARTED = "export_started", "requested an export"
        EXPORT_FETCHED = "export_fetched", "downloaded an export"
        LABELS_IMPORTED = "labels_imported", "imported judgements"
        LABELS_REMOVED = "labels_removed", "undid an import of judgements"
        SECOND_LOOK_STARTED = "second_look_started", "started a second look"
        CLAIM_REVIEWED = "claim_reviewed", "reviewed a claim of a model"
        EVALUATION_STARTED = "evaluation_started", "started an evaluation"
        EVALUATION_FETCHED = "evaluation_fetched", "downloaded an evaluation"
        EVALUATION_DELETED = "evaluation_deleted", "deleted an evaluation"
        SEARCH_DELETED = "search_deleted", "deleted a subreddit search"
        ENDPOINT_CHANGED = "endpoint_changed", "changed a model endpoint"
        ENDPOINT_CONFIRMED = "endpoint_confirmed", "confirmed that texts may be sent to a model host"
        PROMPT_WRITTEN = "prompt_written", "wrote a new prompt"
        TEXTS_SENT = "texts_sent", "sent texts to a model on another host"

    at = models.DateTimeField(db_default=Now())
    action = models.CharField(max_length=40, choices=Action.choices)
    actor = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="audit_entries")
    subject = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    address = models.GenericIPAddressField(null=True, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["-at", "-id"], name="audit_newest_first"),
            GinIndex(fields=["details"], opclasses=["jsonb_path_ops"], name="audit_details"),
        ]
        triggers = [
            pgtrigger.Protect(name="audit_never_changed", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.action} at {self.at}"
