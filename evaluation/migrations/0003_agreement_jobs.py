"""Agreement reports are made by jobs."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0018_imports_without_a_corpus'),
        ('evaluation', '0002_evaluation_runs'),
        ('profiles', '0009_archived_corpora'),
    ]

    operations = [
        migrations.CreateModel(
            name='AgreementJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, help_text='When it ended, well or not.', null=True)),
                ('problem', models.TextField(blank=True, help_text='Why it failed, and what to do.')),
                ('began_at', models.DateTimeField(blank=True, help_text='When a worker claimed it.', null=True)),
                ('beat_at', models.DateTimeField(blank=True, help_text='Its last sign of life.', null=True)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(default=0)),
                ('batch', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotator.batch')),
                ('corpus', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.corpus')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('corpus', 'batch'), name='agreementjob_one_per_scope', nulls_distinct=False)],
            },
        ),
    ]
