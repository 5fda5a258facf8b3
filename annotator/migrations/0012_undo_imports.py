"""Dry runs of label imports, and a job that undoes an import."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0011_corpus_deletions")]

    operations = [
        migrations.AddField(
            model_name="labelimport",
            name="corpus_name",
            field=models.CharField(blank=True, help_text="Of a dry run, which makes no corpus.", max_length=100),
        ),
        migrations.AddField(
            model_name="labelimport",
            name="is_dry_run",
            field=models.BooleanField(db_default=False, default=False, help_text="Counts what would come in, only."),
        ),
        migrations.CreateModel(
            name="ImportUndo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("requested_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("cancelled_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, help_text="When it ended, well or not.", null=True)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, and what to do.")),
                ("began_at", models.DateTimeField(blank=True, help_text="When a worker claimed it.", null=True)),
                ("beat_at", models.DateTimeField(blank=True, help_text="Its last sign of life.", null=True)),
                ("done", models.PositiveBigIntegerField(default=0)),
                ("total", models.PositiveBigIntegerField(default=0)),
                ("counts", models.JSONField(blank=True, default=dict, help_text="What was removed, and what stays.")),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "label_import",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="undo", to="annotator.labelimport"
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="action",
            field=models.CharField(
                choices=[
                    ("signed_in", "signed in"),
                    ("sign_in_failed", "failed to sign in"),
                    ("locked_out", "was locked out"),
                    ("lock_out_lifted", "lifted a lock-out"),
                    ("signed_out", "signed out"),
                    ("password_changed", "changed the password"),
                    ("password_reset", "reset the password"),
                    ("reset_link_made", "made a password link"),
                    ("account_changed", "changed name or address"),
                    ("two_factor_added", "added a second factor"),
                    ("two_factor_removed", "removed a second factor"),
                    ("invited", "invited somebody"),
                    ("invitation_revoked", "revoked an invitation"),
                    ("joined", "accepted an invitation"),
                    ("roles_changed", "changed roles"),
                    ("deactivated", "deactivated somebody"),
                    ("reactivated", "reactivated somebody"),
                    ("hints_changed", "changed the subreddit list"),
                    ("account_name_seen", "looked up an account name"),
                    ("account_forgotten", "removed a Reddit account"),
                    ("import_started", "started an import"),
                    ("corpus_changed", "renamed, archived or restored a corpus"),
                    ("corpus_deletion_asked", "asked to delete a corpus"),
                    ("corpus_deleted", "deleted a corpus"),
                    ("detection_started", "started a detection"),
                    ("detection_changed", "changed a detection"),
                    ("guidelines_published", "published guidelines"),
                    ("profile_submitted", "submitted a profile"),
                    ("profile_skipped", "skipped a profile"),
                    ("profile_reopened", "reopened a profile"),
                    ("profile_flagged", "flagged a profile"),
                    ("batch_changed", "changed a batch"),
                    ("slots_moved", "handed profiles to others"),
                    ("profile_seen", "read a profile"),
                    ("gold_decided", "decided a disagreement"),
                    ("meaning_decided", "decided what means the same"),
                    ("targets_changed", "changed the targets"),
                    ("export_started", "asked for an export"),
                    ("export_fetched", "downloaded an export"),
                    ("labels_imported", "imported judgements"),
                    ("labels_removed", "undid an import of judgements"),
                ],
                max_length=40,
            ),
        ),
    ]
