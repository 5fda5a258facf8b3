"""A new demo study gets its evaluations once Presidio has read it."""

import pytest
from celery.exceptions import Retry

from annotator.demo.study import EVALUATE_DEMO
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs import job
from evaluation.spans.demo.runs import MADE_BY, DetectionUnfinished, request_demo_runs
from evaluation.spans.demo.tasks import evaluate_demo
from tests.evaluation.spans.evidence.studies import (
    BODY,
    make_judgement_with_evidence,
    make_run,
    make_submitted,
)
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo():
    corpus = make_corpus()
    corpus.options = {"made_by": MADE_BY}
    corpus.save(update_fields=["options"])
    make_judgement_with_evidence(make_submitted(make_profile(BODY, corpus=corpus)))
    return corpus


def test_the_study_asks_for_the_task_by_its_name():
    assert evaluate_demo.name == EVALUATE_DEMO


def test_scores_the_evidence_once(demo):
    make_run(demo)
    request_demo_runs()
    request_demo_runs()
    run = EvaluationRun.objects.get(kind=EvaluationKind.EVIDENCE)
    job.run(run.pk)
    run.refresh_from_db()
    assert run.report["overall"]["spans"] == 1


def test_scores_our_own_gold_standard_once(demo):
    make_run(demo)
    request_demo_runs()
    request_demo_runs()
    run = EvaluationRun.objects.get(kind=EvaluationKind.SPANS)
    job.run(run.pk)
    run.refresh_from_db()
    assert run.problem == ""
    assert (run.report["gold"]["documents"], run.documents.count()) == (14, 14)
    assert 0.5 < run.report["results"][0]["macro"]["f1"]["value"] < 1


def test_does_not_wait_for_presidio_where_it_need_not(demo):
    make_run(demo, finished=False)
    with pytest.raises(DetectionUnfinished):
        request_demo_runs()
    assert [run.kind for run in EvaluationRun.objects.all()] == [EvaluationKind.SPANS]


def test_waits_for_presidio(demo):
    make_run(demo, finished=False)
    with pytest.raises(DetectionUnfinished):
        request_demo_runs()
    with pytest.raises(Retry):
        evaluate_demo.apply(throw=True)


def test_leaves_other_studies_alone():
    corpus = make_corpus()
    make_profile(BODY, corpus=corpus)
    make_run(corpus)
    request_demo_runs()
    assert not EvaluationRun.objects.exists()
