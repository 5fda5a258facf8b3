"""Endpoints, prompts, cases of language models with their judges, and proposed subreddits."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0004_model_attempts'),
        ('profiles', '0009_archived_corpora'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditedPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('match', 'Match'), ('less-precise', 'Less precise'), ('no-match', 'No match')], max_length=20)),
                ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='InferredCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Its position in the run, from 1.')),
                ('name', models.CharField(help_text='The pseudonym, or the name in the file.', max_length=200)),
                ('attribute', models.CharField(choices=[('location', 'Location'), ('sex', 'Sex'), ('age', 'Age'), ('occupation', 'Occupation'), ('place_of_birth', 'Place of birth'), ('marital_status', 'Marital status'), ('income', 'Income'), ('education', 'Education')], max_length=20)),
                ('outcome', models.CharField(help_text='The tab that lists it.', max_length=20)),
                ('contents', models.JSONField(help_text='Label, guesses, reasoning, confidence, credits by scorer.')),
            ],
        ),
        migrations.CreateModel(
            name='JudgedPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(help_text='Of the guess, from 1.')),
                ('verdict', models.CharField(choices=[('match', 'Match'), ('less-precise', 'Less precise'), ('no-match', 'No match')], max_length=20)),
            ],
        ),
        migrations.CreateModel(
            name='ModelEndpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('base_url', models.CharField(max_length=300)),
                ('model', models.CharField(max_length=200)),
                ('sealed_key', models.BinaryField(blank=True, help_text='Encrypted; empty if the endpoint needs none.', null=True)),
                ('concurrency', models.PositiveSmallIntegerField(default=8, help_text='Requests at once.')),
                ('per_minute', models.PositiveIntegerField(blank=True, help_text='Requests, retries included.', null=True)),
                ('timeout', models.PositiveSmallIntegerField(default=120, help_text='Seconds for one request.')),
                ('prompt_price', models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ('completion_price', models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                ('currency', models.CharField(blank=True, max_length=3)),
                ('prices_read_on', models.DateField(blank=True, null=True)),
                ('confirmed_host', models.CharField(blank=True, help_text="May be sent people's texts.", max_length=255)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='PromptVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='As signatures show it.', max_length=60, unique=True)),
                ('contents', models.JSONField(help_text='`{system, header, footer, attributes: {attribute: [title, values]}}`.')),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='SubredditProposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Its position in the answer, from 1.')),
                ('name', models.CharField(help_text='The subreddit, without r/.', max_length=50)),
                ('reason', models.CharField(blank=True, help_text="The model's own.", max_length=1000)),
                ('is_certain', models.BooleanField(help_text='Whether the model kept it when asked again.')),
                ('decision', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('rejected', 'Rejected')], default='open', max_length=10)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='SubredditSearch',
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
                ('attribute', models.CharField(choices=[('location', 'Location'), ('sex', 'Sex'), ('age', 'Age'), ('occupation', 'Occupation'), ('place_of_birth', 'Place of birth'), ('marital_status', 'Marital status'), ('income', 'Income'), ('education', 'Education')], max_length=20)),
                ('value', models.CharField(help_text='What the authors have in common, such as “London”.', max_length=120)),
                ('wanted', models.PositiveSmallIntegerField(help_text='How many subreddits the model is asked for.')),
                ('examples', models.JSONField(default=list, help_text='Subreddits that a person named as examples.')),
                ('prompt', models.CharField(help_text='The version of the prompts.', max_length=60)),
                ('exchanges', models.JSONField(default=list, help_text='What was asked and answered, in order.')),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='evaluationrun',
            name='evaluation_of_a_known_kind',
        ),
        migrations.AlterField(
            model_name='evaluationrun',
            name='kind',
            field=models.CharField(choices=[('spans', 'Spans'), ('evidence', 'Evidence'), ('inference', 'Language model'), ('probe', 'Probe')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='evaluationrun',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['spans', 'evidence', 'inference', 'probe'])), name='evaluation_of_a_known_kind'),
        ),
        migrations.AddField(
            model_name='auditedpair',
            name='annotator',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='inferredcase',
            name='profile',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.profile'),
        ),
        migrations.AddField(
            model_name='inferredcase',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='evaluation.evaluationrun'),
        ),
        migrations.AddField(
            model_name='judgedpair',
            name='case',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='judged', to='evaluation.inferredcase'),
        ),
        migrations.AddField(
            model_name='auditedpair',
            name='pair',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='audits', to='evaluation.judgedpair'),
        ),
        migrations.AddField(
            model_name='modelendpoint',
            name='confirmed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='modelendpoint',
            name='made_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='promptversion',
            name='written_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='subredditproposal',
            name='decided_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='subredditproposal',
            name='hint',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='profiles.attributehint'),
        ),
        migrations.AddField(
            model_name='subredditsearch',
            name='asked_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='subredditsearch',
            name='endpoint',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.modelendpoint'),
        ),
        migrations.AddField(
            model_name='subredditproposal',
            name='search',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='evaluation.subredditsearch'),
        ),
        migrations.AddIndex(
            model_name='inferredcase',
            index=models.Index(fields=['run', 'outcome', 'attribute', 'number'], name='cases_by_outcome'),
        ),
        migrations.AddConstraint(
            model_name='inferredcase',
            constraint=models.UniqueConstraint(fields=('run', 'number'), name='inferred_case_once'),
        ),
        migrations.AddConstraint(
            model_name='inferredcase',
            constraint=models.CheckConstraint(condition=models.Q(('attribute__in', ['location', 'sex', 'age', 'occupation', 'place_of_birth', 'marital_status', 'income', 'education'])), name='inferred_case_attribute_is_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='inferredcase',
            trigger=pgtrigger.compiler.Trigger(name='inferred_case_never_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='607d5da5eb28906c30a6ba7b75b5e2f9809d0fdb', operation='UPDATE', pgid='pgtrigger_inferred_case_never_edited_ae35b', table='evaluation_inferredcase', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='judgedpair',
            constraint=models.UniqueConstraint(fields=('case', 'position'), name='guess_judged_once'),
        ),
        migrations.AddConstraint(
            model_name='judgedpair',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['match', 'less-precise', 'no-match'])), name='judged_with_a_known_verdict'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgedpair',
            trigger=pgtrigger.compiler.Trigger(name='judged_pair_never_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='1c232cc91302a9655918559a27cffddbce5aa062', operation='UPDATE', pgid='pgtrigger_judged_pair_never_edited_0595a', table='evaluation_judgedpair', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='auditedpair',
            constraint=models.UniqueConstraint(fields=('pair', 'annotator'), name='pair_audited_once_each'),
        ),
        migrations.AddConstraint(
            model_name='auditedpair',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['match', 'less-precise', 'no-match'])), name='audited_with_a_known_verdict'),
        ),
        migrations.AddConstraint(
            model_name='modelendpoint',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('name'), condition=models.Q(('archived_at', None)), name='endpoint_with_its_own_name', violation_error_message='Another endpoint has this name.'),
        ),
        migrations.AddConstraint(
            model_name='modelendpoint',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('completion_price', None), ('currency', ''), ('prices_read_on', None), ('prompt_price', None)), models.Q(('completion_price__gte', 0), ('currency__gt', ''), ('prices_read_on__isnull', False), ('prompt_price__gte', 0)), _connector='OR'), name='endpoint_with_all_prices_or_none', violation_error_message='Enter both prices with their currency and date, or none of them.'),
        ),
        migrations.AddConstraint(
            model_name='modelendpoint',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_host', '')), models.Q(('confirmed_at__isnull', False), ('confirmed_host__gt', '')), _connector='OR'), name='endpoint_confirmed_with_a_time'),
        ),
        migrations.AddConstraint(
            model_name='modelendpoint',
            constraint=models.CheckConstraint(condition=models.Q(('concurrency__range', (1, 256)), ('timeout__range', (1, 3600))), name='endpoint_within_limits'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='promptversion',
            trigger=pgtrigger.compiler.Trigger(name='prompt_version_never_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='99c066f1afede5d5d3d8ac470bd1ac26bb485995', operation='UPDATE', pgid='pgtrigger_prompt_version_never_edited_cf3a6', table='evaluation_promptversion', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='subredditsearch',
            constraint=models.CheckConstraint(condition=models.Q(('attribute__in', ['location', 'sex', 'age', 'occupation', 'place_of_birth', 'marital_status', 'income', 'education'])), name='search_attribute_is_known'),
        ),
        migrations.AddConstraint(
            model_name='subredditsearch',
            constraint=models.CheckConstraint(condition=models.Q(('wanted__range', (1, 100))), name='search_wants_one_to_a_hundred'),
        ),
        migrations.AddConstraint(
            model_name='subredditproposal',
            constraint=models.UniqueConstraint(fields=('search', 'number'), name='proposal_once_per_position'),
        ),
        migrations.AddConstraint(
            model_name='subredditproposal',
            constraint=models.UniqueConstraint(fields=('search', 'name'), name='proposal_once_per_subreddit'),
        ),
        migrations.AddConstraint(
            model_name='subredditproposal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('decision', 'open')), models.Q(('decided_at__isnull', False), ('decision__in', ['accepted', 'rejected'])), _connector='OR'), name='proposal_decided_with_a_time'),
        ),
    ]
