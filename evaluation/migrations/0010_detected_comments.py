"""What another detector's file marks, in a table of its own, so that a takedown removes it."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0009_second_looks'),
        ('profiles', '0010_plainer_help'),
    ]

    operations = [
        migrations.CreateModel(
            name='DetectedComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('spans', models.JSONField(help_text='[start, end, type] for each.')),
                ('comment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.comment')),
                ('profile', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.profile')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='detected_comments', to='evaluation.evaluationrun')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'comment'), name='detected_comment_once')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='detectedcomment',
            trigger=pgtrigger.compiler.Trigger(name='detected_comment_never_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='509d5891937275ef81fd55168c35e2aacda4df7e', operation='UPDATE', pgid='pgtrigger_detected_comment_never_edited_04d04', table='evaluation_detectedcomment', when='BEFORE')),
        ),
    ]
