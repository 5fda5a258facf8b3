"""Exports, label imports and gold builds share the columns of a job."""

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0007_gold_build"), ("profiles", "0006_jobs")]

    operations = [
        migrations.RenameField(model_name="export", old_name="asked_at", new_name="requested_at"),
        migrations.RenameField(model_name="labelimport", old_name="asked_at", new_name="requested_at"),
        migrations.AddField(
            model_name='export',
            name='cancelled_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='export',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='goldbuild',
            name='cancelled_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='goldbuild',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, well or not.', null=True),
        ),
        migrations.AddField(
            model_name='goldbuild',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='goldbuild',
            name='problem',
            field=models.TextField(blank=True, help_text='Why it failed, and what to do.'),
        ),
        migrations.AddField(
            model_name='goldbuild',
            name='requested_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AddField(
            model_name='labelimport',
            name='began_at',
            field=models.DateTimeField(blank=True, help_text='When a worker claimed it.', null=True),
        ),
        migrations.AddField(
            model_name='labelimport',
            name='cancelled_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='labelimport',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='export',
            name='began_at',
            field=models.DateTimeField(blank=True, help_text='When a worker claimed it.', null=True),
        ),
        migrations.AlterField(
            model_name='export',
            name='done',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='export',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, well or not.', null=True),
        ),
        migrations.AlterField(
            model_name='export',
            name='total',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='began_at',
            field=models.DateTimeField(blank=True, help_text='When a worker claimed it.', null=True),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='built_at',
            field=models.DateTimeField(blank=True, help_text='When the last build finished well.', null=True),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='done',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='goldbuild',
            name='total',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='done',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, well or not.', null=True),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='problem',
            field=models.TextField(blank=True, help_text='Why it failed, and what to do.'),
        ),
        migrations.AlterField(
            model_name='labelimport',
            name='total',
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
