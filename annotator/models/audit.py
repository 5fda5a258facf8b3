"""The audit log. Postgres refuses to change or delete its rows."""

import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now

from annotator.models.people import Annotator


class AuditEntry(models.Model):
    class Action(models.TextChoices):
        SIGNED_IN = "signed_in", "signed in"
        SIGN_IN_FAILED = "sign_in_failed", "failed to sign in"
        LOCKED_OUT = "locked_out", "was locked out"
        LOCK_OUT_LIFTED = "lock_out_lifted", "lifted a lock-out"
        SIGNED_OUT = "signed_out", "signed out"
        PASSWORD_CHANGED = "password_changed", "changed the password"
        PASSWORD_RESET = "password_reset", "reset the password"
        RESET_LINK_MADE = "reset_link_made", "made a password link"
        ACCOUNT_CHANGED = "account_changed", "changed name or address"
        TWO_FACTOR_ADDED = "two_factor_added", "added a second factor"
        TWO_FACTOR_REMOVED = "two_factor_removed", "removed a second factor"
        INVITED = "invited", "invited somebody"
        INVITATION_REVOKED = "invitation_revoked", "revoked an invitation"
        JOINED = "joined", "accepted an invitation"
        ROLES_CHANGED = "roles_changed", "changed roles"
        DEACTIVATED = "deactivated", "deactivated somebody"
        REACTIVATED = "reactivated", "reactivated somebody"
        HINTS_CHANGED = "hints_changed", "changed the subreddit list"
        ACCOUNT_NAME_SEEN = "account_name_seen", "looked up an account name"
        ACCOUNT_FORGOTTEN = "account_forgotten", "removed a Reddit account"
        IMPORT_STARTED = "import_started", "started an import"
        CORPUS_CHANGED = "corpus_changed", "renamed, archived or restored a corpus"
        CORPUS_DELETION_ASKED = "corpus_deletion_asked", "asked to delete a corpus"
        CORPUS_DELETED = "corpus_deleted", "deleted a corpus"
        DETECTION_STARTED = "detection_started", "started a detection"
        DETECTION_CHANGED = "detection_changed", "changed a detection"
        GUIDELINES_PUBLISHED = "guidelines_published", "published guidelines"
        GUIDELINES_READ = "guidelines_read", "read the guidelines"
        PROFILE_SUBMITTED = "profile_submitted", "submitted a profile"
        PROFILE_SKIPPED = "profile_skipped", "skipped a profile"
        PROFILE_REOPENED = "profile_reopened", "reopened a profile"
        PROFILE_FLAGGED = "profile_flagged", "flagged a profile"
        BATCH_CHANGED = "batch_changed", "changed a batch"
        SLOTS_MOVED = "slots_moved", "handed profiles to others"
        PROFILE_SEEN = "profile_seen", "read a profile"
        GOLD_DECIDED = "gold_decided", "decided a disagreement"
        MEANING_DECIDED = "meaning_decided", "decided what means the same"
        TARGETS_CHANGED = "targets_changed", "changed the targets"
        EXPORT_STARTED = "export_started", "asked for an export"
        EXPORT_FETCHED = "export_fetched", "downloaded an export"
        LABELS_IMPORTED = "labels_imported", "imported judgements"
        LABELS_REMOVED = "labels_removed", "undid an import of judgements"
        EVALUATION_STARTED = "evaluation_started", "started an evaluation"
        EVALUATION_FETCHED = "evaluation_fetched", "downloaded an evaluation"
        EVALUATION_DELETED = "evaluation_deleted", "deleted an evaluation"
        ENDPOINT_CHANGED = "endpoint_changed", "changed a model endpoint"
        ENDPOINT_CONFIRMED = "endpoint_confirmed", "allowed a model host to be sent texts"
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
