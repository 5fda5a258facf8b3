"""Ingests and detection runs share the columns of a job."""

import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("profiles", "0005_comments_of_presences")]

    operations = [
        migrations.RenameField(model_name="ingest", old_name="started_at", new_name="requested_at"),
        migrations.RenameField(model_name="detectionrun", old_name="created_at", new_name="requested_at"),
        migrations.AddField(
            model_name='ingest',
            name='began_at',
            field=models.DateTimeField(blank=True, help_text='When a worker claimed it.', null=True),
        ),
        migrations.AddField(
            model_name='ingest',
            name='cancelled_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='ingest',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='detectionrun',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, well or not.', null=True),
        ),
        migrations.AlterField(
            model_name='detectionrun',
            name='problem',
            field=models.TextField(blank=True, help_text='Why it failed, and what to do.'),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='Its last sign of life.', null=True),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='done',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, well or not.', null=True),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='problem',
            field=models.TextField(blank=True, help_text='Why it failed, and what to do.'),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='requested_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='stage_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='When this stage began; done and total are of it.'),
        ),
        migrations.AlterField(
            model_name='ingest',
            name='total',
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
