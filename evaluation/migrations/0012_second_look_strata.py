"""How many claims could be drawn by attribute, for an estimate of those that nobody reviews."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0011_detections_from_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='secondlook',
            name='eligible_by_attribute',
            field=models.JSONField(default=dict, help_text='Empty: drawn before this was counted.'),
        ),
    ]
