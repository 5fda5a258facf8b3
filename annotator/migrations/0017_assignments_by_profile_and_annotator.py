"""Find what else an annotator said about a profile, without relying on the planner's statistics."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0016_audit_evaluations"), ("profiles", "0009_archived_corpora")]

    operations = [
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["profile", "annotator"], name="assignment_of_profile_by"),
        ),
        migrations.AlterField(  # the new index serves it, too
            model_name="assignment",
            name="profile",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="profiles.profile",
            ),
        ),
    ]
