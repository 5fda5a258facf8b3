"""A second look on the report of its run, on the page and in downloads."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.scopes import Scope
from evaluation.inference.second_look import services
from evaluation.inference.second_look.incompleteness import FORMAT
from evaluation.inference.second_look.options import ConfirmedAnswer, DrawOptions
from evaluation.models import ClaimVerdict, EvaluationRun, SecondLook
from tests.annotator.gold.records import make_gold
from tests.evaluation.inference.second_look.looks import claims_of
from tests.evaluation.inference.studies import baseline_plan, do_run
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db
CONFIRM = ClaimVerdict.CONFIRM


@pytest.fixture
def run() -> EvaluationRun:
    """The rules find an age that people overlooked, in each of 12 profiles."""
    corpus = make_corpus("pilot")
    for number in range(12):
        profile = make_profile(f"I am {30 + number} years old and live in Houston", corpus=corpus)
        make_gold("age", "", profile=profile)
        make_gold("income", "", profile=profile)
        make_gold("sex", "male" if number % 2 else "", profile=profile)
        make_gold("location", "houston / texas / united states", profile=profile)
    return do_run(baseline_plan(corpus, "rules"))


def reviewed(run, grace) -> SecondLook:
    look = services.draw_second_look(run, DrawOptions())
    for claim in claims_of(look):
        services.give_blind_verdict(claim, CONFIRM, by=grace)
        services.decide_claim(claim, CONFIRM, ConfirmedAnswer(claim.value, 1, 5), by=grace)
    return look


def test_offers_to_start_one_and_then_leads_to_it(as_grace, grace, run):
    page = as_grace.get(f"/evaluations/{run.pk}/").content.decode()
    assert f"/evaluations/{run.pk}/second-look/" in page
    assert "Start a second look" in page
    reviewed(run, grace)
    page = as_grace.get(f"/evaluations/{run.pk}/").content.decode()
    assert "Start a second look" not in page
    assert "People confirmed 12 of 12 claims." in page


def test_downloads_have_it_beside_the_report(as_grace, grace, run):
    before = as_grace.get(f"/evaluations/{run.pk}/report.json").content
    assert "second_look" not in json.loads(before)
    reviewed(run, grace)
    report = json.loads(as_grace.get(f"/evaluations/{run.pk}/report.json").content)
    assert report.pop("second_look")["format"] == FORMAT
    assert report == json.loads(before)
    assert "People confirmed 12 of 12 claims." in as_grace.get(f"/evaluations/{run.pk}/report.html").content.decode()
    assert "second_look" not in EvaluationRun.objects.get(pk=run.pk).report


def test_what_it_found_counts_for_others_only(grace, run):
    reviewed(run, grace)

    def right_ages(system: str) -> int:
        plan = baseline_plan(run.corpus, system)
        scope = Scope(run.corpus, prompted=Prompted.OTHERS, system=plan.system.title)
        repeated = do_run(type(plan)(plan.system, plan.scoring, scope))
        return repeated.cases.filter(attribute="age").exclude(outcome__startswith="negative").count()

    assert (right_ages("rules"), right_ages("majority")) == (0, 12)


def test_the_command_draws_and_says_how_far_it_is(run, grace):
    def review(**options) -> str:
        output = StringIO()
        call_command("review_claims", run=run.pk, stdout=output, **options)
        return output.getvalue()

    assert f"/evaluations/{run.pk}/second-look/" in review(claims=5)
    look = SecondLook.objects.get()
    assert look.claim_count == 5
    output = review(claims=9)
    assert "0 of " in output
    assert SecondLook.objects.get().claim_count == 5


def test_the_command_refuses_what_cannot_be(run):
    with pytest.raises(CommandError, match="no evaluation"):
        call_command("review_claims", run=run.pk + 999)
    with pytest.raises(CommandError, match="nothing to review"):
        call_command("review_claims", run=do_run(baseline_plan(run.corpus, "hints")).pk)
