"""Plainer help texts and audit labels. Nothing changes in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0006_proposal_hint_is_new'),
    ]

    operations = [
        migrations.AlterField(
            model_name='agreementjob',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='agreementjob',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='evaluationinput',
            name='name',
            field=models.CharField(help_text='The name of the uploaded file.', max_length=200),
        ),
        migrations.AlterField(
            model_name='evaluationrun',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='evaluationrun',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
        migrations.AlterField(
            model_name='judgedpair',
            name='position',
            field=models.PositiveSmallIntegerField(help_text='Position of the guess, from 1.'),
        ),
        migrations.AlterField(
            model_name='modelattempt',
            name='completion_tokens',
            field=models.PositiveIntegerField(help_text='As counted by the server.', null=True),
        ),
        migrations.AlterField(
            model_name='modelattempt',
            name='cost',
            field=models.DecimalField(decimal_places=8, help_text='Cost at the prices of its run.', max_digits=16, null=True),
        ),
        migrations.AlterField(
            model_name='modelattempt',
            name='problem',
            field=models.CharField(blank=True, help_text="Why the answer can't be used.", max_length=40),
        ),
        migrations.AlterField(
            model_name='modelattempt',
            name='prompt_tokens',
            field=models.PositiveIntegerField(help_text='As counted by the server.', null=True),
        ),
        migrations.AlterField(
            model_name='modelattempt',
            name='seconds',
            field=models.FloatField(help_text='Seconds from the last request to the answer.'),
        ),
        migrations.AlterField(
            model_name='modelendpoint',
            name='concurrency',
            field=models.PositiveSmallIntegerField(default=8, help_text='Maximum number of parallel requests.'),
        ),
        migrations.AlterField(
            model_name='modelendpoint',
            name='confirmed_host',
            field=models.CharField(blank=True, help_text="The host that may receive people's texts.", max_length=255),
        ),
        migrations.AlterField(
            model_name='modelendpoint',
            name='per_minute',
            field=models.PositiveIntegerField(blank=True, help_text='Maximum number of requests per minute, retries included.', null=True),
        ),
        migrations.AlterField(
            model_name='modelendpoint',
            name='timeout',
            field=models.PositiveSmallIntegerField(default=120, help_text='Time limit for one request in seconds.'),
        ),
        migrations.AlterField(
            model_name='subredditproposal',
            name='hint_is_new',
            field=models.BooleanField(default=False, help_text='Whether accepting it created the hint.'),
        ),
        migrations.AlterField(
            model_name='subredditproposal',
            name='reason',
            field=models.CharField(blank=True, help_text='The reason that the model gave.', max_length=1000),
        ),
        migrations.AlterField(
            model_name='subredditsearch',
            name='beat_at',
            field=models.DateTimeField(blank=True, help_text='The last heartbeat.', null=True),
        ),
        migrations.AlterField(
            model_name='subredditsearch',
            name='finished_at',
            field=models.DateTimeField(blank=True, help_text='When it ended, successfully or not.', null=True),
        ),
    ]
