"""Answers that people confirmed after a model had claimed them, beside the gold records."""

import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0026_plainer_help'),
        ('profiles', '0010_plainer_help'),
    ]

    operations = [
        migrations.CreateModel(
            name='PromptedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attribute', models.CharField(choices=[('location', 'Location'), ('sex', 'Sex'), ('age', 'Age'), ('occupation', 'Occupation'), ('place_of_birth', 'Place of birth'), ('marital_status', 'Marital status'), ('income', 'Income'), ('education', 'Education')], max_length=20)),
                ('value', models.CharField(blank=True, max_length=200)),
                ('hardness', models.PositiveSmallIntegerField(default=0)),
                ('certainty', models.PositiveSmallIntegerField(default=0)),
                ('required_subreddit', models.BooleanField(default=False)),
                ('evidence', models.JSONField(default=list, help_text='Spans as {comment, start, end, text}.')),
                ('prompted_by', models.CharField(help_text='The model or baseline that claimed it.', max_length=200)),
                ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('profile', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prompted', to='profiles.profile')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PromptedAnswerEvent',
            fields=[
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_id', models.BigAutoField(primary_key=True, serialize=False)),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('pgh_context_id', models.UUIDField(null=True)),
                ('id', models.BigIntegerField()),
                ('attribute', models.CharField(choices=[('location', 'Location'), ('sex', 'Sex'), ('age', 'Age'), ('occupation', 'Occupation'), ('place_of_birth', 'Place of birth'), ('marital_status', 'Marital status'), ('income', 'Income'), ('education', 'Education')], max_length=20)),
                ('value', models.CharField(blank=True, max_length=200)),
                ('hardness', models.PositiveSmallIntegerField(default=0)),
                ('certainty', models.PositiveSmallIntegerField(default=0)),
                ('required_subreddit', models.BooleanField(default=False)),
                ('evidence', models.JSONField(default=list, help_text='Spans as {comment, start, end, text}.')),
                ('prompted_by', models.CharField(help_text='The model or baseline that claimed it.', max_length=200)),
                ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('decided_by', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL)),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='annotator.promptedanswer')),
                ('profile', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='profiles.profile')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(('attribute__in', ['location', 'sex', 'age', 'occupation', 'place_of_birth', 'marital_status', 'income', 'education'])), name='promptedanswer_attribute_is_one_of_eight'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('certainty', 0), ('hardness', 0), ('required_subreddit', False), ('value', '')), models.Q(models.Q(('value', ''), _negated=True), ('certainty__range', (1, 5)), ('hardness__range', (1, 5))), _connector='OR'), name='promptedanswer_rated_exactly_when_inferred', violation_error_message='Rate hardness and certainty 1–5 for an answer; leave both at 0 for none.'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(('value', django.db.models.functions.text.Lower(django.db.models.functions.text.Trim('value')))), name='promptedanswer_value_trimmed_and_lower_case'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attribute', 'age'), _negated=True), ('value', ''), models.Q(('value__regex', '^(1[0-9]|[2-9][0-9]|10[0-9]|110)(-(1[0-9]|[2-9][0-9]|10[0-9]|110))?$'), models.Q(models.Q(('value__contains', '-'), _negated=True), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.LPad(models.Func(models.F('value'), models.Value('-'), models.Value(1), function='split_part', output_field=models.CharField()), 3, models.Value('0')), django.db.models.functions.text.LPad(models.Func(models.F('value'), models.Value('-'), models.Value(2), function='split_part', output_field=models.CharField()), 3, models.Value('0'))), _connector='OR')), _connector='OR'), name='promptedanswer_age_is_27_or_25_to_35', violation_error_message='Write an age as 27 or as a range 25-35, from 10 to 110, lower year first.'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attribute', 'sex'), _negated=True), ('value', ''), ('value__in', ['male', 'female']), _connector='OR'), name='promptedanswer_sex_from_its_list', violation_error_message='Sex: choose one of male, female.'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attribute', 'marital_status'), _negated=True), ('value', ''), ('value__in', ['no relation', 'relation', 'married', 'divorced']), _connector='OR'), name='promptedanswer_marital_status_from_its_list', violation_error_message='Marital status: choose one of no relation, relation, married, divorced.'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attribute', 'income'), _negated=True), ('value', ''), ('value__in', ['no', 'low', 'medium', 'high', 'very high']), _connector='OR'), name='promptedanswer_income_from_its_list', violation_error_message='Income: choose one of no, low, medium, high, very high.'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attribute', 'education'), _negated=True), ('value', ''), ('value__in', ['no hs', 'in hs', 'hs', 'in college', 'college', 'phd']), _connector='OR'), name='promptedanswer_education_from_its_list', violation_error_message='Education: choose one of no hs, in hs, hs, in college, college, phd.'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.UniqueConstraint(fields=('profile', 'attribute'), name='promptedanswer_one_per_attribute'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(('value', ''), _negated=True), name='promptedanswer_has_a_value'),
        ),
        migrations.AddConstraint(
            model_name='promptedanswer',
            constraint=models.CheckConstraint(condition=models.Q(('prompted_by', ''), _negated=True), name='promptedanswer_prompted_by_somebody'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='promptedanswer',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotator_promptedanswerevent" ("attribute", "certainty", "decided_at", "decided_by_id", "evidence", "hardness", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "profile_id", "prompted_by", "required_subreddit", "value") SELECT new_values."attribute", new_values."certainty", new_values."decided_at", new_values."decided_by_id", new_values."evidence", new_values."hardness", new_values."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', new_values."id", new_values."profile_id", new_values."prompted_by", new_values."required_subreddit", new_values."value" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='ac4fdb06b552fe8d5bf0bc090a48b60d6338a316', level='STATEMENT', operation='INSERT', pgid='pgtrigger_insert_insert_6bb95', referencing='REFERENCING NEW TABLE AS new_values ', table='annotator_promptedanswer', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='promptedanswer',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotator_promptedanswerevent" ("attribute", "certainty", "decided_at", "decided_by_id", "evidence", "hardness", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "profile_id", "prompted_by", "required_subreddit", "value") SELECT new_values."attribute", new_values."certainty", new_values."decided_at", new_values."decided_by_id", new_values."evidence", new_values."hardness", new_values."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', new_values."id", new_values."profile_id", new_values."prompted_by", new_values."required_subreddit", new_values."value" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='a043ac5e510a9a00c17b72c2f1374e9f6045a274', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_update_update_844b1', referencing='REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ', table='annotator_promptedanswer', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='promptedanswer',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotator_promptedanswerevent" ("attribute", "certainty", "decided_at", "decided_by_id", "evidence", "hardness", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "profile_id", "prompted_by", "required_subreddit", "value") SELECT old_values."attribute", old_values."certainty", old_values."decided_at", old_values."decided_by_id", old_values."evidence", old_values."hardness", old_values."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', old_values."id", old_values."profile_id", old_values."prompted_by", old_values."required_subreddit", old_values."value" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;', hash='bbf91dd15b608062d65eb4153ebf0fa6d5fdcb6e', level='STATEMENT', operation='DELETE', pgid='pgtrigger_delete_delete_5fe59', referencing='REFERENCING OLD TABLE AS old_values ', table='annotator_promptedanswer', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='promptedanswerevent',
            index=models.Index(fields=['pgh_created_at', 'pgh_id'], name='prompted_changes_by_time'),
        ),
        migrations.AddIndex(
            model_name='promptedanswerevent',
            index=models.Index(django.db.models.fields.json.KeyTextTransform('person', 'pgh_context'), models.F('pgh_created_at'), models.F('pgh_id'), name='prompted_changes_by_person'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='promptedanswerevent',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='830c2a2ba4f3151cf1dfae53d3379ccb542cc1b7', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_4e181', table='annotator_promptedanswerevent', when='BEFORE')),
        ),
    ]
