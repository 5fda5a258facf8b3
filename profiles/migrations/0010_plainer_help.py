"""Plainer help texts and audit labels. Nothing changes in the database."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('profiles', '0009_archived_corpora'),
    ]

    operations = [
        migrations.AlterField(
            model_name='comment',
            name='copy_number',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Which copy of the line, in a corpus that keeps duplicates; otherwise 0.'),
        ),
        migrations.AlterField(
            model_name='corpus',
            name='archived_at',
            field=models.DateTimeField(blank=True, help_text='Archived: still readable, but nothing new can start.', null=True),
        ),
        migrations.AlterField(
            model_name='corpus',
            name='deleting_at',
            field=models.DateTimeField(blank=True, help_text='When its deletion began. Pages no longer show it.', null=True),
        ),
        migrations.AlterField(
            model_name='corpus',
            name='funnel',
            field=models.JSONField(default=list, help_text='Number of comments left after each rule.'),
        ),
        migrations.AlterField(
            model_name='corpus',
            name='loading',
            field=models.JSONField(blank=True, default=dict, help_text='Progress of an unfinished load.'),
        ),
        migrations.AlterField(
            model_name='corpus',
            name='options',
            field=models.JSONField(default=dict, help_text='The rules of the import, complete enough to repeat it.'),
        ),
        migrations.AlterField(
            model_name='detectionchunk',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0, help_text='How many times a worker started it.'),
        ),
        migrations.AlterField(
            model_name='detectionchunk',
            name='comment_count',
            field=models.PositiveIntegerField(help_text='Number of comments when it was planned. 0 for comments that are retried.'),
        ),
        migrations.AlterField(
            model_name='detectionchunk',
            name='lease',
            field=models.UUIDField(blank=True, help_text='The worker that holds it. Only this worker may store detections.', null=True),
        ),
        migrations.AlterField(
            model_name='detectionchunk',
            name='priority',
            field=models.PositiveSmallIntegerField(default=0, help_text='The highest comes first: profiles that people open next.'),
        ),
        migrations.AlterField(
            model_name='detectionchunk',
            name='seconds',
            field=models.FloatField(default=0, help_text='Time a worker spent on it.'),
        ),
        migrations.AlterField(
            model_name='detectionrun',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='dumpfile',
            name='problem',
            field=models.TextField(blank=True, help_text='If it failed: what happened and what to do.'),
        ),
        migrations.AlterField(
            model_name='dumpfile',
            name='seconds',
            field=models.FloatField(default=0, help_text='Time spent reading it.'),
        ),
        migrations.AlterField(
            model_name='dumpfile',
            name='size',
            field=models.BigIntegerField(help_text='Size on disk in bytes.'),
        ),
        migrations.AlterField(
            model_name='forgottenaccount',
            name='account_digest',
            field=models.BinaryField(help_text='The digest of the account name, as in a profile.', max_length=16, unique=True),
        ),
        migrations.AlterField(
            model_name='forgottenaccount',
            name='removed',
            field=models.JSONField(default=dict, help_text='Number of rows of each kind that were removed.'),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='file',
            field=models.CharField(blank=True, help_text='The file being read.', max_length=255),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='paths',
            field=models.JSONField(default=list, help_text='The requested files.'),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='stage_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='When this stage began. Done and total refer to it.'),
        ),
        migrations.AlterField(
            model_name='profile',
            name='spelling',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Which spelling of the name, in a case-sensitive corpus; otherwise 0.'),
        ),
        migrations.AlterField(
            model_name='unanalysed',
            name='detail',
            field=models.CharField(blank=True, help_text='Never contains text of the comment.', max_length=200),
        ),
    ]
