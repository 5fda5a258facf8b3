"""Whether accepting a proposal made its hint: only then does undoing the decision remove it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0005_language_models'),
    ]

    operations = [
        migrations.AddField(
            model_name='subredditproposal',
            name='hint_is_new',
            field=models.BooleanField(default=False, help_text='Whether accepting it made the hint.'),
        ),
    ]
