"""Exports whose file was removed by a takedown say so."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0012_undo_imports")]

    operations = [
        migrations.AddField(
            model_name="export",
            name="withdrawn_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When its file was removed because an account in its corpus was taken down.",
                null=True,
            ),
        ),
    ]
