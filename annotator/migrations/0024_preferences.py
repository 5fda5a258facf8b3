"""People choose a text size and a density for the labelling page, and whether it reminds them of breaks."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotator', '0023_welcome'),
    ]

    operations = [
        migrations.AddField(
            model_name='annotator',
            name='break_reminders',
            field=models.BooleanField(default=True, verbose_name='Remind me to take a break'),
        ),
        migrations.AddField(
            model_name='annotator',
            name='density',
            field=models.CharField(choices=[('compact', 'Compact'), ('normal', 'Normal'), ('roomy', 'Roomy')], default='normal', max_length=10),
        ),
        migrations.AddField(
            model_name='annotator',
            name='text_size',
            field=models.CharField(choices=[('small', 'Small'), ('normal', 'Normal'), ('large', 'Large'), ('very-large', 'Very large')], default='normal', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='annotator',
            constraint=models.CheckConstraint(condition=models.Q(('text_size__in', ['small', 'normal', 'large', 'very-large'])), name='annotator_text_size_is_known'),
        ),
        migrations.AddConstraint(
            model_name='annotator',
            constraint=models.CheckConstraint(condition=models.Q(('density__in', ['compact', 'normal', 'roomy'])), name='annotator_density_is_known'),
        ),
    ]
