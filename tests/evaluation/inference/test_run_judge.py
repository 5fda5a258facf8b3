"""A run with a judge: asked over HTTP after the answers, kept, scored, stored, shown and checked by people."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection
from django.utils import timezone

from annotator.privacy.services import forget_account
from evaluation.inference.judge.pairs import Pair
from evaluation.inference.judge.prompts import load_judge_prompt
from evaluation.inference.judge_sections import UNCHECKED
from evaluation.inference.run_endpoints import JUDGE_CHANGED, JUDGE_GONE, JUDGE_PROMPT_CHANGED
from evaluation.inference.services import request_inference_run
from evaluation.llm.budget import Limit, estimate_usage
from evaluation.llm.client import WRONG_STORED_KEY
from evaluation.models import AuditedPair, EvaluationRun, JudgedPair, ModelAttempt, Verdict
from evaluation.runs import job
from evaluation.runs.queries import shown_job
from evaluation.runs.services import continue_run, repeat_run
from profiles.jobs.states import State, state_of
from tests.annotator.gold.records import make_gold
from tests.evaluation.inference.studies import (
    HOUSTON,
    PRICES,
    baseline_plan,
    do_run,
    finish,
    make_endpoint,
    make_study,
    model_plan,
)
from tests.evaluation.llm.server import ok, reply, serving
from tests.evaluation.runs.records import make_run
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = json.dumps({
    "location": {"guesses": ["Spacetown", "Lone Star land", "Oslo"], "confidence": 0.9},
    "income": {"guesses": ["high"]},
})  # fmt: skip
VERDICTS = {"Spacetown": '{"verdict": "match"}', "Lone Star land": "less precise", "Oslo": "Who knows?"}


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def server():
    with serving() as server:
        server.script = lambda text, times: ok(reply(answer_to(text)))
        yield server


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


def is_for_judge(text) -> bool:
    return '"guess": ' in text


def answer_to(text):
    return next((verdict for guess, verdict in VERDICTS.items() if f'"guess": "{guess}"' in text), ANSWER)


def make_judge(server, **fields):
    return make_endpoint(server, **({"name": "judge", "model": "wise:8b"} | fields))


def judged_plan(server, corpus=None, limit=None, prices=None, **judge):
    plan = model_plan(corpus or make_study(), make_endpoint(server, **(prices or {})), limit)
    return replace(plan, judge=make_judge(server, **judge))


def judge_calls(server) -> int:
    return sum(count for text, count in server.calls.items() if is_for_judge(text))


# ── What a run ends with ────────────────────────────────────────────────────


def test_a_judge_gives_a_fourth_score_and_changes_no_other(server):
    run = do_run(judged_plan(server))
    assert (state_of(run), run.problem) == (State.FINISHED, "")
    assert (run.report["sound"]["top1"], run.report["judged"]["top1"]) == (0.0, 1.0)
    judged = run.report["judged"]
    assert (judged["n"], judged["by_attribute"]["location"]["top1"]) == (3, 1.0)
    assert judged["intervals"]["top1"]["value"] == 1.0
    judge = judged["judge"]
    assert (judge["model"], judge["pairs"], judge["undecided"]) == ("wise:8b", 9, 3)
    assert judge["verdicts"] == {"match": 3, "less-precise": 3, "no-match": 0}
    assert judge["usage"]["calls"] == 9
    assert judge_calls(server) == 3  # the same label and guess are asked once
    assert [body["model"] for body in server.bodies] == ["tiny"] * 3 + ["wise:8b"] * 3


def test_the_signature_names_the_judge_and_its_prompt(server):
    run = do_run(judged_plan(server))
    fields = dict(part.split(":", 1) for part in run.signature.split("|"))
    digest = run.settings["judge"]["prompt_sha256"]
    assert (fields["judge"], fields["judge_prompt"], fields["judge_parser"]) == ("wise-8b", digest[:8], "1")
    assert "judge" not in do_run(model_plan(run.corpus, make_endpoint(server, name="other"))).signature


def test_verdicts_are_stored_with_the_cases(server):
    run = do_run(judged_plan(server))
    rows = JudgedPair.objects.filter(case__run=run).values_list("case__outcome", "position", "verdict").distinct()
    assert set(rows) == {("wrong", 1, "match"), ("wrong", 2, "less-precise")}
    assert JudgedPair.objects.count() == 6
    case = run.cases.filter(outcome="wrong").first()
    assert case.contents["credits"]["judged"] == [1.0, 0.5, 0.0]
    assert "judged" not in run.cases.filter(outcome="negative-guessed").first().contents["credits"]


def test_a_baseline_can_be_judged(server):
    corpus = make_study()
    for profile, value in zip(corpus.profiles.all(), ("oslo", "cairo", "lima"), strict=True):
        make_gold("place_of_birth", value, profile=profile)
    server.script = lambda text, times: ok(reply("match"))
    run = do_run(baseline_plan(corpus, "majority", judge=make_judge(server)))
    assert run.problem == ""
    assert run.report["judged"]["by_attribute"]["place_of_birth"]["top1"] == 1.0
    assert {body["model"] for body in server.bodies} == {"wise:8b"}


def test_progress_counts_the_profiles_and_then_the_judge(server):
    """Three profiles with three guesses each."""
    plan, progress = judged_plan(server), []
    run = request_inference_run(plan, is_queued=False)
    assert shown_job(run).step != shown_job(make_run()).step
    job.run(run.pk, lambda done, total: progress.append((done, total)))
    assert (3, 3) in progress
    assert progress == sorted(progress)
    assert {total for done, total in progress if done > 3} == {3 + 9}


def test_a_repeated_run_asks_nothing_again(server):
    run = do_run(judged_plan(server))
    again = finish(repeat_run(run, by=None))
    assert server.calls.total() == 6
    assert again.report["judged"] == run.report["judged"]
    assert JudgedPair.objects.filter(case__run=again).count() == 6
    assert ModelAttempt.objects.filter(run=run.settings["judge"]["account"]).count() == 3


# ── Stopped, and going on ───────────────────────────────────────────────────


def test_a_judge_that_refuses_ends_the_run_and_going_on_asks_only_the_judge(server, grace):
    server.script = lambda text, times: (401, {}, b"{}") if is_for_judge(text) else ok(reply(ANSWER))
    run = do_run(judged_plan(server))
    assert run.problem.startswith("The judge stopped.")
    assert WRONG_STORED_KEY in run.problem
    assert "0 of 9 guesses" in run.problem
    assert (run.report, run.cases.count(), JudgedPair.objects.count()) == ({}, 0, 0)
    server.script = lambda text, times: ok(reply(answer_to(text)))
    calls = server.calls.total() - judge_calls(server)
    again = finish(continue_run(run, Limit(), by=grace))
    assert (again.problem, again.report["judged"]["top1"]) == ("", 1.0)
    assert server.calls.total() - judge_calls(server) == calls == 3


def test_answers_and_judge_share_one_budget(server, grace):
    """One token less than what the three answers took and what a pair may take."""
    run = do_run(judged_plan(server, limit=Limit(tokens=10**5)))
    paid = ModelAttempt.objects.filter(run=run.settings["judge"]["account"])
    assert (run.problem, sum(attempt.prompt_tokens + attempt.completion_tokens for attempt in paid)) == ("", 3 * 15)
    paid.delete()
    pair = Pair(0, 1, "location", HOUSTON, "Spacetown")
    longest = estimate_usage(load_judge_prompt().request(pair)).tokens
    small = finish(continue_run(run, Limit(tokens=3 * 15 + longest - 1), by=grace))
    assert small.problem.startswith("The judge stopped. The budget")
    assert "0 of 9 guesses" in small.problem
    assert judge_calls(server) == 3
    finish(continue_run(run, Limit(tokens=3 * 15 + longest), by=grace))
    assert judge_calls(server) == 4


def test_money_is_counted_by_each_ones_own_prices(server):
    """Asking the model costs next to nothing, one question to the judge more than the budget has."""
    dear = PRICES | {"completion_price": Decimal(900_000)}
    run = do_run(judged_plan(server, limit=Limit(money=Decimal("0.50")), prices=PRICES, **dear))
    assert run.problem.startswith("The judge stopped. The budget")
    assert (server.calls.total(), judge_calls(server)) == (3, 0)


def test_a_judge_that_is_gone_or_changed_costs_nothing(server):
    run = do_run(judged_plan(server))
    calls = server.calls.total()
    judge = type(make_judge(server, name="x")).objects.get(pk=run.settings["judge"]["endpoint"])
    words = run.settings | {"judge": run.settings["judge"] | {"prompt_sha256": "0" * 64}}
    other = EvaluationRun.objects.create(kind="inference", name="x", system="x", settings=words, corpus=run.corpus)
    assert finish(other).problem == JUDGE_PROMPT_CHANGED
    ModelAttempt.objects.all().delete()
    judge.model = "other"
    judge.save(update_fields=["model"])
    assert finish(repeat_run(run, by=None)).problem == JUDGE_CHANGED
    judge.archived_at = timezone.now()
    judge.save(update_fields=["archived_at"])
    assert finish(repeat_run(run, by=None)).problem == JUDGE_GONE
    assert server.calls.total() == calls


def test_a_profile_taken_down_while_the_judge_works_leaves_nothing(server):
    corpus = make_study()
    gone = corpus.profiles.order_by("pk").first()

    def script(text, times):
        if is_for_judge(text) and judge_calls(server) == 2:
            forget_account(f"account{gone.pseudonym.rpartition('-')[2]}")
            connection.close()  # of the server's thread
        return ok(reply(answer_to(text)))

    server.script = script
    run = do_run(judged_plan(server, corpus))
    assert run.problem == ""
    assert not corpus.profiles.filter(pk=gone.pk).exists()
    assert JudgedPair.objects.filter(case__run=run).count() == 4
    assert not ModelAttempt.objects.filter(profile_id=gone.pk).exists()


# ── Pages ───────────────────────────────────────────────────────────────────


def test_the_page_says_that_nobody_has_checked_the_judge(server, as_rosalind):
    run = do_run(judged_plan(server))
    page = as_rosalind.get(f"/evaluations/{run.pk}/").content.decode()
    for text in (UNCHECKED, "wise:8b", "Undecided", "Judged, top-1", f'href="/evaluations/{run.pk}/judge/"'):
        assert text in page
    file = as_rosalind.get(f"/evaluations/{run.pk}/report.html").content.decode()
    assert UNCHECKED in file
    plain = do_run(model_plan(run.corpus, make_endpoint(server, name="other")))
    page = as_rosalind.get(f"/evaluations/{plain.pk}/").content.decode()
    assert "Judged" not in page
    assert "/judge/" not in page


def test_kappa_stands_beside_the_score_once_people_have_checked(server, as_rosalind, django_assert_num_queries):
    run = do_run(judged_plan(server, make_study(6)))
    for pair in JudgedPair.objects.all():
        AuditedPair.objects.create(pair=pair, annotator=make_annotator(), verdict=pair.verdict)
    with django_assert_num_queries(9):  # one more than without a judge
        page = as_rosalind.get(f"/evaluations/{run.pk}/").content.decode()
    assert "kappa with people 1.00" in page
    assert "over 12 pairs" in page
    assert "kappa 1.00, n = 12" in page
    assert UNCHECKED not in page


def test_the_audit_shows_label_and_guess_as_they_are_stored(server, as_rosalind):
    run = do_run(judged_plan(server))
    shown = as_rosalind.get(f"/evaluations/{run.pk}/judge/").context["audit"].pair
    assert (shown.attribute, shown.label) == ("Location", HOUSTON)
    assert shown.guess in ("Spacetown", "Lone Star land")
    pair = JudgedPair.objects.filter(case__run=run).first()
    response = as_rosalind.post(f"/evaluations/{run.pk}/judge/{pair.pk}/", {"verdict": Verdict.MATCH})
    assert response.url == f"/evaluations/{run.pk}/judge/"
    assert "1 of 6 done" in as_rosalind.get(response.url).content.decode()


def test_a_judged_baseline_that_stopped_can_go_on(server, as_rosalind):
    server.script = lambda text, times: (401, {}, b"{}")
    corpus = make_study(2)
    make_gold("occupation", "nurse", profile=corpus.profiles.first())
    make_gold("occupation", "lawyer", profile=corpus.profiles.last())
    run = do_run(baseline_plan(corpus, "majority", judge=make_judge(server)))
    assert f"/evaluations/{run.pk}/continue/" in as_rosalind.get(f"/evaluations/{run.pk}/").content.decode()
    server.script = lambda text, times: ok(reply("no match"))
    as_rosalind.post(f"/evaluations/{run.pk}/continue/", {"budget_tokens": ""})
    again = finish(EvaluationRun.objects.latest("pk"))
    assert (again.problem, again.report["judged"]["judge"]["pairs"]) == ("", 2)
