"""Reports that went through Postgres read as those that did not."""

import numpy as np
import pytest

from evaluation.models import EvaluationRun
from evaluation.probes.dreaddit import PROBE
from evaluation.probes.order import restore_order
from evaluation.probes.presentation import present_probe
from tests.evaluation.probes.answers import random_answers
from tests.evaluation.probes.test_genderbench_log import log_of


@pytest.mark.django_db
def test_a_stored_report_has_the_order_of_the_study():
    _, report = log_of(random_answers(np.random.default_rng(1), 30, 2), bootstrap=20)
    run = EvaluationRun.objects.create(kind="probe", name="x", system="x", report=report)
    stored = EvaluationRun.objects.get(pk=run.pk).report
    assert list(stored["metrics"]) != list(report["metrics"])
    ordered = restore_order(stored)
    assert ordered == stored
    assert list(ordered["metrics"]) == list(PROBE.metrics)
    assert list(ordered["card"]) == list(PROBE.card)
    assert present_probe(ordered) == present_probe(report)
