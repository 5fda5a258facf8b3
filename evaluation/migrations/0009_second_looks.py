"""Second looks at claims of a system where people found nothing."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0008_defences'),
        ('profiles', '0010_plainer_help'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SecondLook',
            fields=[
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='second_look', serialize=False, to='evaluation.evaluationrun')),
                ('seed', models.PositiveBigIntegerField()),
                ('min_confidence', models.FloatField(help_text='Empty: the run states no confidence.', null=True)),
                ('baseline', models.CharField(help_text='Whose guesses are the controls.', max_length=40)),
                ('eligible', models.PositiveIntegerField(help_text='Claims of the system that could be drawn.')),
                ('claim_count', models.PositiveIntegerField(help_text='Claims of the system that were drawn.')),
                ('control_count', models.PositiveIntegerField()),
                ('drawn_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('drawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Its position in the queue, from 1.')),
                ('attribute', models.CharField(choices=[('location', 'Location'), ('sex', 'Sex'), ('age', 'Age'), ('occupation', 'Occupation'), ('place_of_birth', 'Place of birth'), ('marital_status', 'Marital status'), ('income', 'Income'), ('education', 'Education')], max_length=20)),
                ('value', models.CharField(max_length=300)),
                ('reasoning', models.TextField(blank=True)),
                ('confidence', models.FloatField(null=True)),
                ('prompter', models.CharField(help_text='The model or baseline that claims it.', max_length=200)),
                ('is_control', models.BooleanField()),
                ('profile', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='profiles.profile')),
                ('look', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='evaluation.secondlook')),
            ],
        ),
        migrations.CreateModel(
            name='ClaimLease',
            fields=[
                ('claim', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lease', serialize=False, to='evaluation.claim')),
                ('held_at', models.DateTimeField()),
                ('held_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ClaimReview',
            fields=[
                ('claim', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='review', serialize=False, to='evaluation.claim')),
                ('blind_verdict', models.CharField(choices=[('confirm', 'Confirm'), ('reject', 'Reject'), ('open', 'Leave open')], max_length=10)),
                ('blind_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('verdict', models.CharField(blank=True, choices=[('confirm', 'Confirm'), ('reject', 'Reject'), ('open', 'Leave open')], max_length=10)),
                ('decided_at', models.DateTimeField(null=True)),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='secondlook',
            trigger=pgtrigger.compiler.Trigger(name='second_look_never_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='b687a77c2e0d1a5121e97132b68e4617098a800b', operation='UPDATE', pgid='pgtrigger_second_look_never_edited_7304e', table='evaluation_secondlook', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(fields=('look', 'number'), name='claim_numbered_once'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(fields=('look', 'profile', 'attribute'), name='claim_once_per_attribute'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(('attribute__in', ['location', 'sex', 'age', 'occupation', 'place_of_birth', 'marital_status', 'income', 'education'])), name='claim_attribute_is_known'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(('value', ''), _negated=True), name='claim_names_something'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='claim',
            trigger=pgtrigger.compiler.Trigger(name='claim_never_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='8dc3215e60816ab1d69b1e59b2d20c411912da16', operation='UPDATE', pgid='pgtrigger_claim_never_edited_92c26', table='evaluation_claim', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='claimreview',
            constraint=models.CheckConstraint(condition=models.Q(('blind_verdict__in', ['confirm', 'reject', 'open']), ('verdict__in', ['', 'confirm', 'reject', 'open'])), name='claim_reviewed_with_a_known_verdict'),
        ),
        migrations.AddConstraint(
            model_name='claimreview',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('verdict', '')), models.Q(models.Q(('verdict', ''), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='claim_decided_at_a_time'),
        ),
    ]
