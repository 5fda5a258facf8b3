"""Admins can reply to flags, and let evaluators see their own agreement on planted profiles."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0021_look_up_attribute'),
        ('profiles', '0009_archived_corpora'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='batch',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='batch',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='batch',
            name='delete_delete',
        ),
        migrations.AddField(
            model_name='batch',
            name='agreement_shown',
            field=models.BooleanField(default=False, help_text='Evaluators see how often their own answers on planted profiles agree.'),
        ),
        migrations.AddField(
            model_name='batchevent',
            name='agreement_shown',
            field=models.BooleanField(default=False, help_text='Evaluators see how often their own answers on planted profiles agree.'),
        ),
        migrations.AddField(
            model_name='flag',
            name='reply',
            field=models.CharField(blank=True, help_text='What the admin answered; the evaluator sees it.', max_length=1000),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='batch',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotator_batchevent" ("after_practice_id", "agreement_shown", "closed_at", "corpus_id", "created_at", "created_by_id", "draw", "due_at", "extensions", "guideline_id", "hints_shown", "id", "is_practice", "name", "overlap", "paused_at", "people", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "recipe_id", "started_at", "version") SELECT new_values."after_practice_id", new_values."agreement_shown", new_values."closed_at", new_values."corpus_id", new_values."created_at", new_values."created_by_id", new_values."draw", new_values."due_at", new_values."extensions", new_values."guideline_id", new_values."hints_shown", new_values."id", new_values."is_practice", new_values."name", new_values."overlap", new_values."paused_at", new_values."people", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', new_values."id", new_values."recipe_id", new_values."started_at", new_values."version" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='3fe6c729aee0fb2d61a005168365f2b230783d56', level='STATEMENT', operation='INSERT', pgid='pgtrigger_insert_insert_39dcc', referencing='REFERENCING NEW TABLE AS new_values ', table='annotator_batch', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='batch',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotator_batchevent" ("after_practice_id", "agreement_shown", "closed_at", "corpus_id", "created_at", "created_by_id", "draw", "due_at", "extensions", "guideline_id", "hints_shown", "id", "is_practice", "name", "overlap", "paused_at", "people", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "recipe_id", "started_at", "version") SELECT new_values."after_practice_id", new_values."agreement_shown", new_values."closed_at", new_values."corpus_id", new_values."created_at", new_values."created_by_id", new_values."draw", new_values."due_at", new_values."extensions", new_values."guideline_id", new_values."hints_shown", new_values."id", new_values."is_practice", new_values."name", new_values."overlap", new_values."paused_at", new_values."people", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', new_values."id", new_values."recipe_id", new_values."started_at", new_values."version" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values.* IS DISTINCT FROM new_values.*) ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='671fb2ae9a069dcb5f57d55e7b87415dee0d6984', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_update_update_7e789', referencing='REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ', table='annotator_batch', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='batch',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotator_batchevent" ("after_practice_id", "agreement_shown", "closed_at", "corpus_id", "created_at", "created_by_id", "draw", "due_at", "extensions", "guideline_id", "hints_shown", "id", "is_practice", "name", "overlap", "paused_at", "people", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "recipe_id", "started_at", "version") SELECT old_values."after_practice_id", old_values."agreement_shown", old_values."closed_at", old_values."corpus_id", old_values."created_at", old_values."created_by_id", old_values."draw", old_values."due_at", old_values."extensions", old_values."guideline_id", old_values."hints_shown", old_values."id", old_values."is_practice", old_values."name", old_values."overlap", old_values."paused_at", old_values."people", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', old_values."id", old_values."recipe_id", old_values."started_at", old_values."version" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;', hash='4b5c823b5cde96bcb03efdb7e2dbdb9f2e5e6213', level='STATEMENT', operation='DELETE', pgid='pgtrigger_delete_delete_bede1', referencing='REFERENCING OLD TABLE AS old_values ', table='annotator_batch', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='flag',
            constraint=models.CheckConstraint(condition=models.Q(('reply', ''), ('handled_at__isnull', False), _connector='OR'), name='flag_answered_when_handled'),
        ),
    ]
