"""Imports whose corpus was removed again keep its name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0017_assignments_by_profile_and_annotator")]

    operations = [
        migrations.AlterField(
            model_name="labelimport",
            name="corpus_name",
            field=models.CharField(
                blank=True,
                help_text="Where there is no corpus: in a dry run, or because it was removed again.",
                max_length=100,
            ),
        ),
    ]
