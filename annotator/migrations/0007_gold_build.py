"""Settling is called a gold build now. The table keeps its name."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0006_running_a_study"), ("profiles", "0005_comments_of_presences")]

    operations = [
        migrations.AlterModelTable(name="settling", table="annotator_settling"),
        migrations.RenameModel(old_name="Settling", new_name="GoldBuild"),
        migrations.RenameField(model_name="goldbuild", old_name="settled_to", new_name="built_to"),
        migrations.RenameField(model_name="goldbuild", old_name="settled_at", new_name="built_at"),
        migrations.AlterField(
            model_name="goldbuild",
            name="built_at",
            field=models.DateTimeField(null=True, blank=True, help_text="When the last build finished."),
        ),
        migrations.AlterField(
            model_name="goldbuild",
            name="began_at",
            field=models.DateTimeField(null=True, blank=True, help_text="Of the build that is going on."),
        ),
        migrations.AlterField(
            model_name="goldbuild",
            name="corpus",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="gold_build",
                serialize=False,
                to="profiles.corpus",
            ),
        ),
    ]
