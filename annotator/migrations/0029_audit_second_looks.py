"""The audit log records second looks. Nothing changes in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0028_dataset_exports'),
    ]

    operations = [
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('signed_in', 'signed in'), ('sign_in_failed', 'couldn’t sign in'), ('locked_out', 'was locked out'), ('lock_out_lifted', 'lifted a lock-out'), ('signed_out', 'signed out'), ('password_changed', 'changed their password'), ('password_reset', 'reset their password'), ('reset_link_made', 'created a password link'), ('account_changed', 'changed their name or email address'), ('two_factor_added', 'added a second factor'), ('two_factor_removed', 'removed a second factor'), ('invited', 'invited someone'), ('invitation_revoked', 'revoked an invitation'), ('joined', 'accepted an invitation'), ('roles_changed', 'changed roles'), ('deactivated', 'deactivated someone'), ('reactivated', 'reactivated someone'), ('hints_changed', 'changed the subreddit list'), ('account_name_seen', 'looked up an account name'), ('account_forgotten', 'removed a Reddit account'), ('import_started', 'started an import'), ('corpus_changed', 'renamed, archived or restored a corpus'), ('corpus_deletion_asked', 'requested the deletion of a corpus'), ('corpus_deleted', 'deleted a corpus'), ('detection_started', 'started a detection run'), ('detection_changed', 'paused, resumed or cancelled a detection run'), ('guidelines_published', 'published guidelines'), ('guidelines_read', 'read the guidelines'), ('profile_submitted', 'submitted a profile'), ('profile_skipped', 'skipped a profile'), ('profile_reopened', 'reopened a profile'), ('profile_flagged', 'flagged a profile'), ('batch_changed', 'changed a batch'), ('slots_moved', 'reassigned profiles'), ('profile_seen', 'read a profile'), ('gold_decided', 'adjudicated a dispute'), ('meaning_decided', 'decided whether two answers mean the same'), ('targets_changed', 'changed the targets'), ('export_started', 'requested an export'), ('export_fetched', 'downloaded an export'), ('labels_imported', 'imported judgements'), ('labels_removed', 'undid an import of judgements'), ('second_look_started', 'started a second look'), ('claim_reviewed', 'reviewed a claim of a model'), ('evaluation_started', 'started an evaluation'), ('evaluation_fetched', 'downloaded an evaluation'), ('evaluation_deleted', 'deleted an evaluation'), ('search_deleted', 'deleted a subreddit search'), ('endpoint_changed', 'changed a model endpoint'), ('endpoint_confirmed', 'confirmed that texts may be sent to a model host'), ('prompt_written', 'wrote a new prompt'), ('texts_sent', 'sent texts to a model on another host')], max_length=40),
        ),
    ]
