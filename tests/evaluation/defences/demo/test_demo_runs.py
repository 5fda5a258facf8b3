"""A new demo study gets a run over defences once Presidio has read it."""

import pytest

from annotator.demo.study import DEFEND_DEMO
from evaluation.defences.demo.runs import MADE_BY, request_demo_run
from evaluation.defences.demo.tasks import defend_demo
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.spans.evidence.scopes import NoDetection
from profiles.models import DetectionRun
from tests.evaluation.defences.studies import make_study
from tests.evaluation.inference.studies import finish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def demo(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"
    corpus, _ = make_study(3)
    corpus.options = {"made_by": MADE_BY}
    corpus.save(update_fields=["options"])
    return corpus


def test_the_study_asks_for_the_task_by_its_name():
    assert defend_demo.name == DEFEND_DEMO


@pytest.mark.usefixtures("demo")
def test_measures_once():
    request_demo_run()
    request_demo_run()
    run = finish(EvaluationRun.objects.get(kind=EvaluationKind.DEFENCE))
    assert (run.problem, len(run.report["defences"])) == ("", 6)


@pytest.mark.usefixtures("demo")
def test_waits_for_presidio():
    DetectionRun.objects.update(finished_at=None)
    with pytest.raises(NoDetection):  # called directly, a task that would be tried again raises its reason
        defend_demo()
    assert not EvaluationRun.objects.exists()


def test_without_a_demo_corpus_nothing_happens():
    request_demo_run()
    assert not EvaluationRun.objects.exists()
