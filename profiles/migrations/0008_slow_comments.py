from django.db import migrations, models


class Migration(migrations.Migration):
    """Not only a pattern can take too long: the model can, too."""

    dependencies = [
        ('profiles', '0007_jobs_that_began'),
    ]

    operations = [
        migrations.AlterField(
            model_name='unanalysed',
            name='reason',
            field=models.CharField(choices=[('language', 'In a language without a model'), ('failed', 'The analysis failed'), ('ended', 'It ended the worker, again and again'), ('slow', 'It took too long')], max_length=10),
        ),
    ]
