"""Runs over defences, the texts that they made, and cases by defence."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0007_plainer_help'),
        ('profiles', '0009_archived_corpora'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DefendedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('defence', models.CharField(help_text='The key of its recipe in the run.', max_length=40)),
                ('body', models.TextField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='evaluationrun',
            name='evaluation_of_a_known_kind',
        ),
        migrations.AddField(
            model_name='inferredcase',
            name='defence',
            field=models.CharField(blank=True, help_text='The defence that its texts had, in runs over defences.', max_length=40),
        ),
        migrations.AlterField(
            model_name='evaluationrun',
            name='kind',
            field=models.CharField(choices=[('spans', 'Spans'), ('evidence', 'Evidence'), ('inference', 'Language model'), ('probe', 'Probe'), ('defence', 'Defence')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='evaluationrun',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['spans', 'evidence', 'inference', 'probe', 'defence'])), name='evaluation_of_a_known_kind'),
        ),
        migrations.AddField(
            model_name='defendedtext',
            name='comment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.comment'),
        ),
        migrations.AddField(
            model_name='defendedtext',
            name='profile',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.profile'),
        ),
        migrations.AddField(
            model_name='defendedtext',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='defended_texts', to='evaluation.evaluationrun'),
        ),
        migrations.AddConstraint(
            model_name='defendedtext',
            constraint=models.UniqueConstraint(fields=('run', 'defence', 'comment'), name='defended_text_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='defendedtext',
            trigger=pgtrigger.compiler.Trigger(name='defended_text_never_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='dffba68071b22e08dddc8d9c0049f12832b78bbb', operation='UPDATE', pgid='pgtrigger_defended_text_never_edited_ce3e8', table='evaluation_defendedtext', when='BEFORE')),
        ),
    ]
