"""The report of a run, its cases, what was said when gold changed, two runs side by side, and going on."""

import pytest

from annotator.models import GoldRecord
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.views.reports import GOLD_CHANGED, SCOPE_GONE
from evaluation.models import EvaluationRun, InferredCase
from evaluation.runs.systems import System
from profiles.attributes import Attribute
from tests.annotator.gold.records import make_gold
from tests.evaluation.inference.studies import (
    PRICES,
    baseline_plan,
    do_run,
    finish,
    make_endpoint,
    make_study,
    model_plan,
)
from tests.evaluation.runs.records import make_run
from tests.factories import make_profile

HTMX = {"HX-Request": "true", "HX-Target": "cases"}


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


@pytest.fixture
def run(db) -> EvaluationRun:
    return do_run(baseline_plan(make_study()))


def get(client, run, query="", **options):
    return client.get(f"/evaluations/{run.pk}/{query}", **options).content.decode()


def test_the_page_has_numbers_cases_and_signature(as_rosalind, run):
    page = get(as_rosalind, run)
    for text in ("Top-1", "Abstained 3", "Abstained as people did 6", run.signature.split("|")[0], "hardness 2"):
        assert text in page
    case = run.cases.filter(outcome="abstained").first()
    assert f'href="/profiles/{case.profile_id}/"' in page


def test_it_says_what_was_asked(as_rosalind, run):
    assert "Asked with" not in get(as_rosalind, run)
    question = QuestionSettings(has_subreddits=True, per_attribute=True).as_json()
    part = {"question": question, "selection": {"cut_profiles": 2, "left_out": 1}}
    now = run.finished_at
    run = make_run(kind="inference", report=run.report | part, began_at=now, beat_at=now, finished_at=now)
    page = get(as_rosalind, run)
    for text in (
        "prompt profile-1",
        "one request per attribute",
        "with subreddit names",
        "2 profiles were longer",
        "1 comment left",
    ):
        assert text in page


def test_tabs_and_attributes_choose_cases(as_rosalind, run):
    page = get(as_rosalind, run, "?cases=negative-abstained&attribute=income")
    assert 'aria-current="page">Abstained as people did 3' in page
    assert "could not tell" in page
    assert "hue-age" not in page
    assert "hue-income" in page
    fragment = get(as_rosalind, run, "?cases=negative-abstained", headers=HTMX)
    assert "<html" not in fragment
    assert "hue-age" in fragment
    for odd in ("?cases=odd", "?attribute=odd", "?page=99", "?cases=right&attribute=sex", "?page=x"):
        assert "Abstained" in get(as_rosalind, run, odd)


def test_hostile_guesses_labels_and_reasons_are_escaped(as_rosalind, run):
    contents = {
        "label": {"value": "<u>l", "hardness": 1, "certainty": 5, "required_subreddit": True}, "guesses": ["<b>g"],
        "inference": "<script>r", "confidence": 0.5, "credits": {"sound": [0]},
        "grades": [{"grade": "wrong", "rule": "x"}],
    }  # fmt: skip
    InferredCase.objects.create(
        run=run, number=999, name="<i>n", attribute="sex", outcome="wrong", contents=contents
    )  # fmt: skip
    page = get(as_rosalind, run, "?cases=wrong")
    assert [text for text in ("<u>l", "<b>g", "<script>r", "<i>n") if text in page] == []
    assert "confidence 50" in page
    assert "needs the subreddit" in page


def test_a_takedown_takes_the_cases(as_rosalind, run):
    GoldRecord.objects.all().delete()
    run.corpus.profiles.all().delete()
    assert not run.cases.exists()
    assert "deleted together with their profiles" in get(as_rosalind, run)


# ── Gold that changed ───────────────────────────────────────────────────────


def _change(run):
    record = GoldRecord.objects.filter(value="").first()
    GoldRecord.objects.filter(pk=record.pk).update(value="27", hardness=1, certainty=3)


def _add(run):
    make_gold(Attribute.SEX, "male", profile=run.corpus.profiles.first())


def _remove(run):
    GoldRecord.objects.filter(pk=GoldRecord.objects.first().pk).delete()


@pytest.mark.parametrize("change", [_change, _add, _remove])
def test_changed_gold_is_said_and_running_again_ends_it(as_rosalind, run, change):
    assert GOLD_CHANGED not in get(as_rosalind, run)
    change(run)
    assert GOLD_CHANGED in get(as_rosalind, run)
    as_rosalind.post(f"/evaluations/{run.pk}/again/")
    assert GOLD_CHANGED not in get(as_rosalind, finish(EvaluationRun.objects.latest("pk")))


def test_gold_of_another_corpus_changes_nothing(as_rosalind, run):
    make_gold(Attribute.SEX, "male", profile=make_profile())
    assert GOLD_CHANGED not in get(as_rosalind, run)


def test_a_batch_that_is_gone_is_said(as_rosalind, run):
    now = run.finished_at
    fields = {
        "settings": run.settings | {"batch": 999},
        "inputs": run.inputs,
        "report": run.report,
        "corpus": run.corpus,
    }
    gone = make_run(kind="inference", began_at=now, beat_at=now, finished_at=now, **fields)
    assert SCOPE_GONE in get(as_rosalind, gone)


# ── Files, lists, comparison ────────────────────────────────────────────────


def test_the_html_file_quotes_no_case(as_rosalind, run):
    page = as_rosalind.get(f"/evaluations/{run.pk}/report.html").content.decode()
    assert "Top-1" in page
    assert not any(name in page for name in run.corpus.profiles.values_list("pseudonym", flat=True))
    assert as_rosalind.get(f"/evaluations/{run.pk}/report.json").json()["signature"] == run.signature


def test_the_list_shows_it(as_rosalind, run):
    page = as_rosalind.get("/evaluations/").content.decode()
    assert "Language model" in page
    assert "Right within three guesses" in page


def test_two_runs_on_the_same_gold_are_paired(as_rosalind, run):
    other = do_run(baseline_plan(run.corpus))
    page = as_rosalind.get(f"/evaluations/compare/?first={run.pk}&second={other.pk}").content.decode()
    assert page.count("Top-1 by attribute") == 1
    assert "can’t be compared" not in page
    for text in ("Top-1 by attribute", "Top-1 by hardness", "Paired tests on 3 cases", "by bootstrap"):
        assert text in page
    assert "message-warn" not in page


def test_two_runs_on_other_gold_are_not_paired(as_rosalind, run):
    """The same names may stand for other labels."""
    _change(run)
    other = do_run(baseline_plan(run.corpus))
    page = as_rosalind.get(f"/evaluations/compare/?first={run.pk}&second={other.pk}").content.decode()
    assert "Paired tests" not in page
    assert "message-warn" in page


@pytest.mark.parametrize("profiles", [1, 12])
def test_the_number_of_queries_is_fixed(as_rosalind, django_assert_num_queries, profiles):
    run = do_run(baseline_plan(make_study(profiles)))
    with django_assert_num_queries(8):  # person, run, outcomes, count, cases, corpus, gold, second look
        get(as_rosalind, run)


def test_evaluators_find_nothing(as_ada, run):
    for path in ("", "continue/", "report.html"):
        assert as_ada.get(f"/evaluations/{run.pk}/{path}").status_code == 404


# ── Going on ────────────────────────────────────────────────────────────────


@pytest.fixture
def stopped(db) -> EvaluationRun:
    """Nobody listens at the endpoint's port."""
    settings = model_plan(make_study(), make_endpoint()).settings() | {"budget": {"tokens": 100, "money": None}}
    run = make_run(kind="inference", settings=settings)
    EvaluationRun.objects.filter(pk=run.pk).update(finished_at=run.requested_at, problem="The budget is used up.")
    return EvaluationRun.objects.get(pk=run.pk)


def test_a_stopped_run_offers_to_go_on(as_rosalind, run, stopped):
    assert f"/evaluations/{stopped.pk}/continue/" in get(as_rosalind, stopped)
    assert "continue/" not in get(as_rosalind, run)
    page = as_rosalind.get(f"/evaluations/{stopped.pk}/continue/").content.decode()
    assert "The budget is used up." in page
    assert "budget_money" not in page  # the endpoint has no prices


def test_money_is_a_limit_only_if_every_model_has_prices(as_rosalind, stopped):
    def has_money(system) -> bool:
        other = make_run(kind="inference", settings=stopped.settings | {"system": system})
        form = as_rosalind.get(f"/evaluations/{other.pk}/continue/").context["form"]
        return "budget_money" in form.fields

    priced = System.stored(make_endpoint(name="Priced", **PRICES)).as_json()
    assert has_money(priced)
    assert not has_money(System.at_address(priced["base_url"], priced["model"]).as_json())


def test_it_goes_on_with_a_larger_budget(as_rosalind, stopped):
    response = as_rosalind.post(f"/evaluations/{stopped.pk}/continue/", {"budget_tokens": "500"})
    again = EvaluationRun.objects.latest("pk")
    assert response.url == f"/evaluations/{again.pk}/"
    assert again.settings == stopped.settings | {"budget": {"tokens": 500, "money": None}}
    as_rosalind.post(f"/evaluations/{stopped.pk}/continue/", {"budget_tokens": ""})
    assert EvaluationRun.objects.latest("pk").settings["budget"]["tokens"] is None


@pytest.mark.parametrize("tokens", ["99", "0", "x"])
def test_a_smaller_budget_is_refused(as_rosalind, stopped, tokens):
    assert as_rosalind.post(f"/evaluations/{stopped.pk}/continue/", {"budget_tokens": tokens}).status_code == 422
    assert EvaluationRun.objects.count() == 1


def test_what_has_a_report_or_asks_nobody_cannot_go_on(as_rosalind, run):
    assert as_rosalind.post(f"/evaluations/{run.pk}/continue/").status_code == 404
    waiting = make_run()
    assert as_rosalind.post(f"/evaluations/{waiting.pk}/continue/").status_code == 404


def test_a_live_run_is_left_alone(as_rosalind, stopped):
    live = make_run(kind="inference", settings=stopped.settings)
    assert (
        as_rosalind.post(f"/evaluations/{live.pk}/continue/", {"budget_tokens": "500"}).url
        == f"/evaluations/{live.pk}/"
    )
    assert EvaluationRun.objects.count() == 2
