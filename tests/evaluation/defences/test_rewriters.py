"""A model of its own that rewrites, and another one or a baseline that attacks what it wrote."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from evaluation.defences.defended_inference import StoredDefence
from evaluation.defences.dry_runs import estimate_defences
from evaluation.defences.plans import NEEDS_MODEL, NOTHING_TO_REWRITE, PlanRefused
from evaluation.defences.services import start_defence_run
from evaluation.inference.costs import Usage, add_usage
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.questions import QuestionSettings
from evaluation.llm.budget import OTHER_CURRENCY, Limit
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import EvaluationRun, ModelAttempt
from evaluation.runs.services import continue_run
from evaluation.runs.systems import ENDPOINT_GONE, System
from tests.evaluation.defences.studies import do_run, make_study, model_plan, rules_plan
from tests.evaluation.defences.test_measurement import by_key
from tests.evaluation.defences.test_new_defence import URL, hidden, payload
from tests.evaluation.inference.studies import PRICES, finish, make_endpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db(transaction=True)
HONEST = json.dumps({"location": {"inference": "says so", "guesses": ["Houston"], "confidence": 0.9}})
MILLION = 1_000_000


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"


@pytest.fixture
def server():
    """A model that finds Houston where it is written, and rewrites it as “a big city”."""
    with serving() as server:

        def script(text, times):
            if '"number"' not in text:
                return ok(reply(HONEST if "Houston" in text else "{}"))
            comments = json.JSONDecoder().raw_decode(text, text.index('{\n "comments"'))[0]["comments"]
            for comment in comments:
                comment["text"] = comment["text"].replace("Houston", "a big city")
            return ok(reply(json.dumps({"comments": comments})))

        server.script = script
        yield server


@pytest.fixture
def rewriter(server):
    return make_endpoint(server, name="editor", model="careful")


def asked(model, server) -> int:
    return sum(body["model"] == model for body in server.bodies)


def baseline_plan(rewriter, *keys, profiles=3, **fields):
    corpus, detection = make_study(profiles)
    question = QuestionSettings()
    return rules_plan(
        corpus, detection, *(keys or ("rewrite-1",)), rewriter=System.stored(rewriter), question=question,
        prompt=prompt_named(question.prompt), **fields,
    )  # fmt: skip


def test_a_baseline_attacks_what_a_model_has_rewritten(server, rewriter):
    run = do_run(baseline_plan(rewriter))
    located = {key: item["scores"]["by_attribute"]["location"]["top1"]["value"] for key, item in by_key(run).items()}
    assert located == {"none": 1.0, "rewrite-1": 0.0}
    assert by_key(run)["rewrite-1"]["title"] == "Rewritten by careful, 1 round"
    assert run.report["threat"]["rewriter"].startswith("careful at ")
    assert "rewriter:careful" in run.signature
    assert run.report["costs"]["model"]["calls"] == 6  # it infers from each profile, and rewrites it


def test_another_model_attacks_and_does_not_rewrite(server, rewriter):
    attacker = make_endpoint(server)
    run = do_run(model_plan(*make_study(3), attacker, "rewrite-2", rewriter=System.stored(rewriter)))
    assert run.problem == ""
    assert asked("tiny", server) == 6  # before and after
    assert asked("careful", server) == 12  # two rounds of three inferences and three rewrites
    assert run.report["costs"]["model"]["calls"] == 18
    assert {body["model"] for body in server.bodies if '"number"' in body["messages"][-1]["content"]} == {"careful"}


def test_the_model_that_rewrites_is_part_of_the_recipe_and_of_what_is_attacked_later(server, rewriter):
    plan = baseline_plan(rewriter)
    run = do_run(plan)
    digests = {recipe.digest for recipe in replace(plan, rewriter=None, system=System.stored(rewriter)).all_recipes}
    assert by_key(run)["rewrite-1"]["digest"] not in digests
    assert StoredDefence.of(run.pk, "rewrite-1", plan.scope.corpus.pk).recipe.rewriter == "careful"


def test_both_models_share_the_token_budget_and_the_rest_can_be_asked_later(server, rewriter):
    attacker = make_endpoint(server)
    plan = model_plan(
        *make_study(3), attacker, "rewrite-1", rewriter=System.stored(rewriter), limit=Limit(tokens=3_000)
    )
    honest = server.script

    def costly(text, times):
        status, headers, body = honest(text, times)
        usage = {"prompt_tokens": 300, "completion_tokens": 100}
        return status, headers, json.dumps(json.loads(body) | {"usage": usage}).encode()

    server.script = costly
    run = do_run(plan)
    assert by_key(run)["rewrite-1"]["state"] == "incomplete"
    assert sum(row.prompt_tokens + row.completion_tokens for row in ModelAttempt.objects.all()) <= 3_000
    again = finish(continue_run(run, Limit(), by=make_annotator("ada")))
    assert by_key(again)["rewrite-1"]["state"] == "complete"
    assert max(server.calls.values()) <= 2  # each model once


def test_a_budget_in_money_counts_each_model_by_its_own_prices(server):
    """Three attacks take 30 + 15 tokens at 2 and 10 a million; the rewriter's prices leave nothing for a rewrite."""
    rewriter = make_endpoint(server, name="editor", model="careful", **PRICES | {"prompt_price": Decimal(90_000)})
    attacker = make_endpoint(server, **PRICES)
    limit = Limit(money=Decimal("0.2"))
    run = do_run(model_plan(*make_study(3), attacker, "rewrite-1", rewriter=System.stored(rewriter), limit=limit))
    assert (asked("tiny", server), asked("careful", server)) == (3, 0)
    assert by_key(run)["rewrite-1"]["state"] == "incomplete"


def test_prices_in_two_currencies_are_refused_before_anything_is_asked(server):
    rewriter = make_endpoint(server, name="editor", model="careful", **PRICES | {"currency": "USD"})
    attacker, limit = make_endpoint(server, **PRICES), Limit(money=Decimal(5))
    run = do_run(model_plan(*make_study(2), attacker, "rewrite-1", rewriter=System.stored(rewriter), limit=limit))
    assert run.problem == OTHER_CURRENCY
    assert not server.calls


def test_an_endpoint_that_is_gone_stops_the_run_before_anything_is_asked(server, rewriter):
    plan = model_plan(*make_study(2), make_endpoint(server), "rewrite-1", rewriter=System.stored(rewriter))
    rewriter.delete()
    assert do_run(plan).problem == ENDPOINT_GONE
    assert not server.calls


def test_refuses_a_model_that_has_nothing_to_rewrite(rewriter):
    with pytest.raises(PlanRefused, match=NOTHING_TO_REWRITE[:30]):
        baseline_plan(rewriter, "detections-tag")


def test_the_same_run_is_not_started_twice(rewriter):
    plan = baseline_plan(rewriter)
    (first, is_new), (second, is_newer) = start_defence_run(plan), start_defence_run(plan)
    assert (first.pk, is_new, is_newer) == (second.pk, True, False)
    assert "rewrite:" in first.settings["rewriter_account"]


# ── The dry run ─────────────────────────────────────────────────────────────


def test_the_dry_run_counts_both_models_apart(server):
    rewriter = make_endpoint(server, name="editor", model="careful", **PRICES)
    attacker = make_endpoint(server)
    plan = model_plan(*make_study(3), attacker, "rewrite-2", rewriter=System.stored(rewriter))
    asked_models = [(endpoint_of(row), prices_of(row)) for row in (attacker, rewriter)]
    estimate = estimate_defences(plan, *asked_models)
    assert [(row.calls, row.by_rewriter) for row in estimate.rows] == [(3, False), (12, True), (3, False)]
    sentences = list(estimate.sentences())
    assert any(sentence.startswith("Together: 6 calls. Cost: unknown") for sentence in sentences)
    assert any("together: 12 calls. Cost: at most" in sentence for sentence in sentences)


def test_a_rewrite_is_not_estimated_as_free_because_the_originals_were_asked_about(server):
    endpoint = make_endpoint(server)
    plan = model_plan(*make_study(3), endpoint, "rewrite-1")
    fresh = estimate_defences(plan, (endpoint_of(endpoint), None)).rows[1]
    do_run(replace(plan, recipes=plan.recipes[:1]))
    none, again = estimate_defences(plan, (endpoint_of(endpoint), None)).rows
    assert (none.calls, again) == (0, fresh)


# ── Page and command ────────────────────────────────────────────────────────


def test_the_page_asks_the_model_that_rewrites_only_after_its_dry_run(client, rosalind, server, rewriter):
    client.force_login(rosalind)
    corpus, _ = make_study()
    fields = payload(corpus, defences=["rewrite-1"], rewriter=rewriter.pk)
    response = client.post(URL, fields)
    assert (response.status_code, EvaluationRun.objects.count()) == (200, 0)
    assert "The model that rewrites, together" in response.content.decode()
    assert client.post(URL, fields | hidden(response)).status_code == 302
    assert EvaluationRun.objects.get().settings["rewriter"]["model"] == "careful"


def test_the_page_refuses_rewriting_without_a_model(client, rosalind, rewriter):
    client.force_login(rosalind)
    corpus, _ = make_study()
    refused = client.post(URL, payload(corpus, defences=["rewrite-1"]))
    assert refused.context["form"].errors["defences"] == [NEEDS_MODEL]
    refused = client.post(URL, payload(corpus, defences=["detections-tag"], rewriter=rewriter.pk))
    assert refused.context["form"].errors["defences"] == [NOTHING_TO_REWRITE]


def test_the_command_takes_a_stored_endpoint_or_an_address(server, rewriter, capsys):
    corpus, _ = make_study()
    options = ("--corpus", corpus.name, "--baseline", "rules", "--bootstrap", "20", "--defence", "rewrite-1")
    call_command("defend", *options, "--rewriter", "editor", "--dry-run")
    assert "Rewritten by careful, 1 round, before the attack: 6 calls" in capsys.readouterr().out
    call_command("defend", *options, "--rewriter", server.url, "--rewriter-model", "careful")
    assert "Rewritten by careful" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("defend", *options)
    with pytest.raises(CommandError):
        call_command("defend", *options, "--rewriter", "nobody")


# ── Costs ───────────────────────────────────────────────────────────────────


def test_usage_of_several_models_adds_up_and_costs_only_in_one_currency():
    first = Usage(1, 10, 5, 2.0, Decimal(3), "EUR", kept=1)
    second = Usage(2, 20, 10, 1.0, Decimal(4), "EUR")
    assert add_usage([first, second], 7) == Usage(3, 30, 15, 3.0, Decimal(7), "EUR", kept=1, profiles=7)
    assert add_usage([first, replace(second, currency="USD")], 7).cost is None
    assert add_usage([first, replace(second, cost=None)], 7).cost is None
    assert (add_usage([first], 7), add_usage([], 7)) == (first, None)
