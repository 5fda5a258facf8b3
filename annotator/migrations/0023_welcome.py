"""Evaluators confirm the guidelines before their first profile."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0022_feedback_to_evaluators'),
    ]

    operations = [
        migrations.AddField(
            model_name='annotator',
            name='welcomed_at',
            field=models.DateTimeField(blank=True, help_text='When an evaluator confirmed that they had read the guidelines.', null=True),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('signed_in', 'signed in'), ('sign_in_failed', 'failed to sign in'), ('locked_out', 'was locked out'), ('lock_out_lifted', 'lifted a lock-out'), ('signed_out', 'signed out'), ('password_changed', 'changed the password'), ('password_reset', 'reset the password'), ('reset_link_made', 'made a password link'), ('account_changed', 'changed name or address'), ('two_factor_added', 'added a second factor'), ('two_factor_removed', 'removed a second factor'), ('invited', 'invited somebody'), ('invitation_revoked', 'revoked an invitation'), ('joined', 'accepted an invitation'), ('roles_changed', 'changed roles'), ('deactivated', 'deactivated somebody'), ('reactivated', 'reactivated somebody'), ('hints_changed', 'changed the subreddit list'), ('account_name_seen', 'looked up an account name'), ('account_forgotten', 'removed a Reddit account'), ('import_started', 'started an import'), ('corpus_changed', 'renamed, archived or restored a corpus'), ('corpus_deletion_asked', 'asked to delete a corpus'), ('corpus_deleted', 'deleted a corpus'), ('detection_started', 'started a detection'), ('detection_changed', 'changed a detection'), ('guidelines_published', 'published guidelines'), ('guidelines_read', 'read the guidelines'), ('profile_submitted', 'submitted a profile'), ('profile_skipped', 'skipped a profile'), ('profile_reopened', 'reopened a profile'), ('profile_flagged', 'flagged a profile'), ('batch_changed', 'changed a batch'), ('slots_moved', 'handed profiles to others'), ('profile_seen', 'read a profile'), ('gold_decided', 'decided a disagreement'), ('meaning_decided', 'decided what means the same'), ('targets_changed', 'changed the targets'), ('export_started', 'asked for an export'), ('export_fetched', 'downloaded an export'), ('labels_imported', 'imported judgements'), ('labels_removed', 'undid an import of judgements'), ('evaluation_started', 'started an evaluation'), ('evaluation_fetched', 'downloaded an evaluation'), ('evaluation_deleted', 'deleted an evaluation'), ('endpoint_changed', 'changed a model endpoint'), ('endpoint_confirmed', 'allowed a model host to be sent texts'), ('prompt_written', 'wrote a new prompt'), ('texts_sent', 'sent texts to a model on another host')], max_length=40),
        ),
    ]
