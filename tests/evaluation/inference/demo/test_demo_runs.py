"""A new demo study gets a run by a baseline."""

import pytest

from annotator.demo.study import INFER_DEMO
from evaluation.inference.demo.runs import BASELINE, MADE_BY
from evaluation.inference.demo.tasks import infer_demo
from evaluation.models import EvaluationRun
from tests.evaluation.inference.studies import finish, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


def test_the_study_asks_for_the_task_by_its_name():
    assert infer_demo.name == INFER_DEMO


def test_the_baseline_is_scored_once():
    corpus = make_study()
    corpus.options = {"made_by": MADE_BY}
    corpus.save(update_fields=["options"])
    infer_demo()
    infer_demo()
    run = finish(EvaluationRun.objects.get())
    assert (run.problem, run.settings["system"]) == ("", {"kind": "baseline", "name": BASELINE})
    assert run.cases.exists()


def test_other_studies_are_left_alone():
    make_study()
    infer_demo()
    assert not EvaluationRun.objects.exists()
