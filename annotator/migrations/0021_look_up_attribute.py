"""A look-up belongs to the card that was open."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0020_audit_models'),
    ]

    operations = [
        migrations.AddField(
            model_name='lookup',
            name='attribute',
            field=models.CharField(blank=True, choices=[('location', 'Location'), ('sex', 'Sex'), ('age', 'Age'), ('occupation', 'Occupation'), ('place_of_birth', 'Place of birth'), ('marital_status', 'Marital status'), ('income', 'Income'), ('education', 'Education')], help_text='Whose card was open. Empty: not known.', max_length=20),
        ),
    ]
