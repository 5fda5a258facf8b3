"""Model-prompted answers as gold: for others, for nobody, for all."""

import pytest
from django.core.management import call_command

from annotator.models import GoldRecord
from evaluation.inference.gold_profiles import gold_digest, gold_profiles
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.scopes import Scope, stored_scope
from evaluation.inference.views.reports import gold_note
from evaluation.models import EvaluationRun
from evaluation.runs.systems import System
from tests.annotator.gold.records import make_prompted
from tests.evaluation.inference.studies import baseline_plan, do_run, make_study
from tests.factories import make_batch

pytestmark = pytest.mark.django_db
RULES = System.baseline("rules").title
OTHER = "another model"


@pytest.fixture
def corpus():
    """Three profiles; of the first, somebody confirmed the income after `OTHER` had claimed it."""
    corpus = make_study()
    make_prompted("income", "high", profile=first_profile(corpus), prompted_by=OTHER)
    return corpus


def first_profile(corpus):
    return corpus.profiles.order_by("pseudonym").first()


def income_of(corpus, prompted: Prompted, system: str = "") -> str | None:
    label = gold_profiles(corpus, prompted=prompted, system=system)[0].labels.get("income")
    return label and label.value


@pytest.mark.parametrize(
    ("prompted", "system", "value"),
    [
        (Prompted.NONE, RULES, ""),  # people could not tell
        (Prompted.OTHERS, RULES, "high"),
        (Prompted.OTHERS, OTHER, None),  # neither right nor wrong
        (Prompted.ALL, OTHER, "high"),
    ],
)
def test_counts_by_setting_and_system(corpus, prompted, system, value):
    assert income_of(corpus, prompted, system) == value


@pytest.mark.parametrize("prompted", [Prompted.OTHERS, Prompted.ALL])
def test_what_people_found_themselves_wins(corpus, prompted):
    GoldRecord.objects.filter(attribute="income").update(value="low", hardness=1, certainty=5)
    assert income_of(corpus, prompted, RULES) == "low"
    assert income_of(corpus, prompted, OTHER) == "low"


def test_a_batch_only_has_those_of_its_own_gold(corpus):
    batch = make_batch(corpus=corpus)
    GoldRecord.objects.filter(attribute="location").update(batch_ids=[batch.pk])
    assert {*gold_profiles(corpus, batch, Prompted.ALL)[0].labels} == {"location"}


def test_all_systems_are_scored_on_the_same_gold(corpus):
    def digest(*reading) -> str:
        return gold_digest(gold_profiles(corpus, None, *reading))

    assert digest(Prompted.OTHERS, OTHER) == digest(Prompted.OTHERS, RULES) == digest(Prompted.ALL)
    assert digest(Prompted.OTHERS, OTHER) != digest(Prompted.NONE)


@pytest.mark.parametrize(("prompted", "scored"), [(Prompted.NONE, 3), (Prompted.OTHERS, 4), (Prompted.ALL, 4)])
def test_scores_have_them_as_labels(corpus, prompted, scored):
    run = run_on(corpus, prompted)
    assert run.report["sound"]["n"] == scored


def test_a_run_on_its_own_finds_leaves_them_out(corpus):
    first_profile(corpus).prompted.update(prompted_by=RULES)
    run = run_on(corpus, Prompted.OTHERS)
    assert run.report["sound"]["n"] == 3
    assert run.report["prompted"] == {"setting": "others", "counted": 0, "left_out": 1}
    assert not run.cases.filter(profile=first_profile(corpus), attribute="income").exists()


def test_the_setting_is_in_the_signature_unless_none_count(corpus):
    none, others = run_on(corpus, Prompted.NONE), run_on(corpus, Prompted.OTHERS)
    assert f"corpus-{corpus.pk}-prompted-others@" in others.signature
    assert "prompted" not in f"{none.signature}{none.settings}{none.report}"
    assert stored_scope(none) == Scope(corpus, system=RULES)
    assert stored_scope(others) == Scope(corpus, prompted=Prompted.OTHERS, system=RULES)


def test_a_report_says_when_somebody_has_confirmed_more_since(corpus):
    none, others = run_on(corpus, Prompted.NONE), run_on(corpus, Prompted.OTHERS)
    assert (gold_note(none), gold_note(others)) == ("", "")
    make_prompted("age", "27", profile=first_profile(corpus), prompted_by=OTHER)
    assert gold_note(none) == ""
    assert gold_note(others)


def test_the_page_says_what_counts(as_grace, corpus):
    page = as_grace.get(f"/evaluations/{run_on(corpus, Prompted.OTHERS).pk}/").content.decode()
    assert "1 model-prompted answer counts" in page


@pytest.mark.parametrize(("argument", "n"), [([], 4), (["--prompted", "none"], 3)])
def test_the_command_counts_those_of_others_unless_told(corpus, argument, n, tmp_path, settings):
    settings.EVALUATIONS = tmp_path
    call_command("infer_attributes", "--corpus", corpus.name, "--baseline", "rules", "--store", *argument)
    assert EvaluationRun.objects.get().report["sound"]["n"] == n


def run_on(corpus, prompted: Prompted) -> EvaluationRun:
    plan = baseline_plan(corpus, "rules")
    scope = Scope(corpus, prompted=prompted, system=plan.system.title)
    return do_run(type(plan)(plan.system, plan.scoring, scope))
