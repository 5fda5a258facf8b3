"""Batches of imported judgements have no guidelines of ours."""

import django.db.models.deletion
from django.db import migrations, models

NONE = "None for imported judgements, which were made by the guidelines of another study."


class Migration(migrations.Migration):
    dependencies = [("annotator", "0013_withdrawn_exports")]

    operations = [
        migrations.AlterField(
            model_name="batch",
            name="guideline",
            field=models.ForeignKey(
                help_text=NONE, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="batches",
                to="annotator.guidelineversion",
            ),
        ),
        migrations.AlterField(
            model_name="batchevent",
            name="guideline",
            field=models.ForeignKey(
                db_constraint=False, help_text=NONE, null=True, on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+", related_query_name="+", to="annotator.guidelineversion",
            ),
        ),
        migrations.AddConstraint(
            model_name="batch",
            constraint=models.CheckConstraint(
                condition=models.Q(("guideline__isnull", False), ("draw__has_key", "import"), _connector="OR"),
                name="batch_has_guidelines_or_came_in",
            ),
        ),
    ]
