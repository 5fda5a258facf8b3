"""Jobs whose worker was killed are called again soon, whatever happened to them before."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.core.waiting_jobs import jobs_to_call, killed_jobs
from evaluation.models import EvaluationRun
from tests.evaluation.runs.records import make_run

pytestmark = pytest.mark.django_db
RUNS = EvaluationRun.objects.all()


def test_a_killed_job_is_called_although_it_was_called_when_it_waited():
    now = timezone.now()
    run = make_run(requested_at=now - timedelta(minutes=3))
    assert jobs_to_call(RUNS) == [run.pk]
    _kill(run)
    assert killed_jobs(RUNS) == [run.pk]
    assert killed_jobs(RUNS) == []


def test_a_job_that_is_killed_twice_is_called_twice():
    run = make_run()
    for minutes in (3, 2):
        _kill(run, began_at=timezone.now() - timedelta(minutes=minutes))
        assert killed_jobs(RUNS) == [run.pk]


def _kill(run, began_at=None):
    silent = timezone.now() - timedelta(minutes=1)
    RUNS.filter(pk=run.pk).update(began_at=began_at or silent, beat_at=silent)
