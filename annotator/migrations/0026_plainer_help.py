"""Plainer help texts and audit labels. Nothing changes in the database."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0025_plainer_disputes'),
    ]

    operations = [
        migrations.AlterField(
            model_name='adjudicationlease',
            name='held_at',
            field=models.DateTimeField(help_text='The last heartbeat.'),
        ),
        migrations.AlterField(
            model_name='annotator',
            name='is_imported',
            field=models.BooleanField(default=False, help_text="Someone from another study, who can't sign in."),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='handled_at',
            field=models.DateTimeField(blank=True, help_text='When an admin resolved the skip.', null=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='is_planted',
            field=models.BooleanField(default=False, help_text='A planted profile with known answers. Only admins may know.'),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='position',
            field=models.PositiveIntegerField(help_text="Position in the batch's seeded random order."),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='reopened_at',
            field=models.DateTimeField(blank=True, help_text='Submitted earlier and being changed now.', null=True),
        ),
        migrations.AlterField(
            model_name='assignmentevent',
            name='handled_at',
            field=models.DateTimeField(blank=True, help_text='When an admin resolved the skip.', null=True),
        ),
        migrations.AlterField(
            model_name='assignmentevent',
            name='is_planted',
            field=models.BooleanField(default=False, help_text='A planted profile with known answers. Only admins may know.'),
        ),
        migrations.AlterField(
            model_name='assignmentevent',
            name='position',
            field=models.PositiveIntegerField(help_text="Position in the batch's seeded random order."),
        ),
        migrations.AlterField(
            model_name='assignmentevent',
            name='reopened_at',
            field=models.DateTimeField(blank=True, help_text='Submitted earlier and being changed now.', null=True),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('signed_in', 'signed in'), ('sign_in_failed', 'couldn’t sign in'), ('locked_out', 'was locked out'), ('lock_out_lifted', 'lifted a lock-out'), ('signed_out', 'signed out'), ('password_changed', 'changed their password'), ('password_reset', 'reset their password'), ('reset_link_made', 'created a password link'), ('account_changed', 'changed their name or email address'), ('two_factor_added', 'added a second factor'), ('two_factor_removed', 'removed a second factor'), ('invited', 'invited someone'), ('invitation_revoked', 'revoked an invitation'), ('joined', 'accepted an invitation'), ('roles_changed', 'changed roles'), ('deactivated', 'deactivated someone'), ('reactivated', 'reactivated someone'), ('hints_changed', 'changed the subreddit list'), ('account_name_seen', 'looked up an account name'), ('account_forgotten', 'removed a Reddit account'), ('import_started', 'started an import'), ('corpus_changed', 'renamed, archived or restored a corpus'), ('corpus_deletion_asked', 'requested the deletion of a corpus'), ('corpus_deleted', 'deleted a corpus'), ('detection_started', 'started a detection run'), ('detection_changed', 'paused, resumed or cancelled a detection run'), ('guidelines_published', 'published guidelines'), ('guidelines_read', 'read the guidelines'), ('profile_submitted', 'submitted a profile'), ('profile_skipped', 'skipped a profile'), ('profile_reopened', 'reopened a profile'), ('profile_flagged', 'flagged a profile'), ('batch_changed', 'changed a batch'), ('slots_moved', 'reassigned profiles'), ('profile_seen', 'read a profile'), ('gold_decided', 'adjudicated a dispute'), ('meaning_decided', 'decided whether two answers mean the same'), ('targets_changed', 'changed the targets'), ('export_started', 'requested an export'), ('export_fetched', 'downloaded an export'), ('labels_imported', 'imported judgements'), ('labels_removed', 'undid an import of judgements'), ('evaluation_started', 'started an evaluation'), ('evaluation_fetched', 'downloaded an evaluation'), ('evaluation_deleted', 'deleted an evaluation'), ('search_deleted', 'deleted a subreddit search'), ('endpoint_changed', 'changed a model endpoint'), ('endpoint_confirmed', 'confirmed that texts may be sent to a model host'), ('prompt_written', 'wrote a new prompt'), ('texts_sent', 'sent texts to a model on another host')], max_length=40),
        ),
        migrations.AlterField(
            model_name='batch',
            name='after_practice',
            field=models.ForeignKey(blank=True, help_text='A practice batch that evaluators must finish first.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.batch'),
        ),
        migrations.AlterField(
            model_name='batch',
            name='extensions',
            field=models.JSONField(blank=True, default=list, help_text='Profiles drawn after the batch was started.'),
        ),
        migrations.AlterField(
            model_name='batch',
            name='guideline',
            field=models.ForeignKey(help_text='Empty for imported judgements, which followed the guidelines of another study.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='annotator.guidelineversion'),
        ),
        migrations.AlterField(
            model_name='batch',
            name='is_practice',
            field=models.BooleanField(default=False, help_text='Practice for every evaluator, on profiles with known answers.'),
        ),
        migrations.AlterField(
            model_name='batch',
            name='overlap',
            field=models.PositiveSmallIntegerField(default=1, help_text='How many annotators label each profile.'),
        ),
        migrations.AlterField(
            model_name='batch',
            name='people',
            field=models.JSONField(blank=True, default=list, help_text='Who labels it, and how many profiles each person gets. Empty for a shared pool.'),
        ),
        migrations.AlterField(
            model_name='batch',
            name='version',
            field=models.PositiveIntegerField(default=1, help_text='Increases with every change, so that two admins notice each other.'),
        ),
        migrations.AlterField(
            model_name='batchevent',
            name='after_practice',
            field=models.ForeignKey(blank=True, db_constraint=False, help_text='A practice batch that evaluators must finish first.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='annotator.batch'),
        ),
        migrations.AlterField(
            model_name='batchevent',
            name='extensions',
            field=models.JSONField(blank=True, default=list, help_text='Profiles drawn after the batch was started.'),
        ),
        migrations.AlterField(
            model_name='batchevent',
            name='guideline',
            field=models.ForeignKey(db_constraint=False, help_text='Empty for imported judgements, which followed the guidelines of another study.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='annotator.guidelineversion'),
        ),
        migrations.AlterField(
            model_name='batchevent',
            name='is_practice',
            field=models.BooleanField(default=False, help_text='Practice for every evaluator, on profiles with known answers.'),
        ),
        migrations.AlterField(
            model_name='batchevent',
            name='overlap',
            field=models.PositiveSmallIntegerField(default=1, help_text='How many annotators label each profile.'),
        ),
        migrations.AlterField(
            model_name='batchevent',
            name='people',
            field=models.JSONField(blank=True, default=list, help_text='Who labels it, and how many profiles each person gets. Empty for a shared pool.'),
        ),
        migrations.AlterField(
            model_name='batchevent',
            name='version',
            field=models.PositiveIntegerField(default=1, help_text='Increases with every change, so that two admins notice each other.'),
        ),
        migrations.AlterField(
            model_name='builtgold',
            name='fingerprint',
            field=models.CharField(help_text='Hash of everything that the build read.', max_length=32),
        ),
        migrations.AlterField(
            model_name='corpusdeletion',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='corpusdeletion',
            name='corpus_id',
            field=models.BigIntegerField(help_text='Not a foreign key, because the corpus is deleted.', unique=True),
        ),
        migrations.AlterField(
            model_name='corpusdeletion',
            name='counts',
            field=models.JSONField(default=dict, help_text='Number of rows of each kind when the deletion was requested.'),
        ),
        migrations.AlterField(
            model_name='corpusdeletion',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='corpusdeletion',
            name='name',
            field=models.CharField(help_text='The name of the corpus when its deletion was requested.', max_length=100),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='severity',
            field=models.PositiveIntegerField(help_text='The most severe disputes come first in the queue.'),
        ),
        migrations.AlterField(
            model_name='draft',
            name='evidence',
            field=models.JSONField(default=list, help_text='Spans as {comment, start, end, text}.'),
        ),
        migrations.AlterField(
            model_name='draft',
            name='version',
            field=models.PositiveIntegerField(default=1, help_text='Increases with every change, so that two tabs notice each other.'),
        ),
        migrations.AlterField(
            model_name='evidence',
            name='text',
            field=models.TextField(help_text='The text of the span when it was marked, for later verification.'),
        ),
        migrations.AlterField(
            model_name='export',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='export',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='export',
            name='options',
            field=models.JSONField(default=dict, help_text='Filters and contents, complete enough to repeat the export.'),
        ),
        migrations.AlterField(
            model_name='flag',
            name='handled_at',
            field=models.DateTimeField(blank=True, help_text='When an admin resolved it.', null=True),
        ),
        migrations.AlterField(
            model_name='flag',
            name='reply',
            field=models.CharField(blank=True, help_text="The admin's reply, which the evaluator sees.", max_length=1000),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='built_at',
            field=models.DateTimeField(blank=True, help_text='When the last build succeeded.', null=True),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='rule',
            field=models.CharField(blank=True, help_text='The consensus rule in force.', max_length=40),
        ),
        migrations.AlterField(
            model_name='goldrecord',
            name='batch_ids',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='The batches its judgements come from.', size=None),
        ),
        migrations.AlterField(
            model_name='goldrecord',
            name='evidence',
            field=models.JSONField(default=list, help_text='Spans as {comment, start, end, text}.'),
        ),
        migrations.AlterField(
            model_name='goldrecord',
            name='said',
            field=models.JSONField(default=list, help_text='Each judgement at that time: {judgement, annotator, batch, value, hardness, certainty, …}.'),
        ),
        migrations.AlterField(
            model_name='goldrecordevent',
            name='batch_ids',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='The batches its judgements come from.', size=None),
        ),
        migrations.AlterField(
            model_name='goldrecordevent',
            name='evidence',
            field=models.JSONField(default=list, help_text='Spans as {comment, start, end, text}.'),
        ),
        migrations.AlterField(
            model_name='goldrecordevent',
            name='said',
            field=models.JSONField(default=list, help_text='Each judgement at that time: {judgement, annotator, batch, value, hardness, certainty, …}.'),
        ),
        migrations.AlterField(
            model_name='importundo',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='importundo',
            name='counts',
            field=models.JSONField(blank=True, default=dict, help_text='Number of rows removed and kept.'),
        ),
        migrations.AlterField(
            model_name='importundo',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='knownanswer',
            name='evidence',
            field=models.JSONField(default=list, help_text='One [comment id, start, end] for each span.'),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='corpus_name',
            field=models.CharField(blank=True, help_text='For imports without a corpus: dry runs, and those whose corpus was deleted.', max_length=100),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='is_dry_run',
            field=models.BooleanField(db_default=False, default=False, help_text='Only counts what would be imported.'),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='name',
            field=models.CharField(help_text='The name of the file.', max_length=200),
        ),
        migrations.AlterField(
            model_name='lookup',
            name='attribute',
            field=models.CharField(blank=True, choices=[('location', 'Location'), ('sex', 'Sex'), ('age', 'Age'), ('occupation', 'Occupation'), ('place_of_birth', 'Place of birth'), ('marital_status', 'Marital status'), ('income', 'Income'), ('education', 'Education')], help_text='The attribute whose card was open. Empty if unknown.', max_length=20),
        ),
        migrations.AlterField(
            model_name='sitting',
            name='key',
            field=models.UUIDField(help_text='Set by the page, so that a repeated report adds nothing.'),
        ),
        migrations.AlterField(
            model_name='submission',
            name='nothing_inferred',
            field=models.BooleanField(default=False, help_text='The annotator confirmed that nothing can be inferred from this profile.'),
        ),
    ]
