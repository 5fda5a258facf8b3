"""Answers of language models, kept so that none is paid for twice."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0003_agreement_jobs'),
        ('profiles', '0009_archived_corpora'),
    ]

    operations = [
        migrations.CreateModel(
            name='ModelAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('run', models.CharField(blank=True, help_text='Which run paid for it.', max_length=60)),
                ('base_url', models.CharField(max_length=300)),
                ('model', models.CharField(max_length=200)),
                ('request', models.JSONField(help_text='The body of the request, as it was sent.')),
                ('text', models.TextField(blank=True)),
                ('finish_reason', models.CharField(blank=True, max_length=40)),
                ('problem', models.CharField(blank=True, help_text="Why the text can't be used.", max_length=40)),
                ('prompt_tokens', models.PositiveIntegerField(help_text='As the server counted.', null=True)),
                ('completion_tokens', models.PositiveIntegerField(help_text='As the server counted.', null=True)),
                ('logprobs', models.JSONField(null=True)),
                ('seconds', models.FloatField(help_text='From the last sending to the answer.')),
                ('cost', models.DecimalField(decimal_places=8, help_text='By the prices of its run.', max_digits=16, null=True)),
                ('answered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('profile', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.profile')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('run', ''), _negated=True), fields=['run'], name='attempts_of_a_run')],
                'constraints': [models.CheckConstraint(condition=models.Q(('digest__regex', '^[0-9a-f]{64}$')), name='attempt_has_a_digest'), models.CheckConstraint(condition=models.Q(('seconds__gte', 0)), name='attempt_took_time'), models.CheckConstraint(condition=models.Q(('cost', None), ('cost__gte', 0), _connector='OR'), name='attempt_costs_nothing_or_more')],
            },
        ),
    ]
