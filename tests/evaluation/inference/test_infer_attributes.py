"""Ask a model about profiles with gold, over HTTP, and score what it says."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.inference.prediction_lines import prediction_line
from evaluation.inference.prompts import contents_digest, load_prompt
from evaluation.inference.readers import read_predictions
from evaluation.inference.records import Label, Prediction
from evaluation.models import EvaluationRun, ModelAttempt, PromptVersion
from profiles.attributes import Attribute
from tests.annotator.gold.records import make_gold
from tests.evaluation.inference.studies import make_endpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = json.dumps({
    "location": {"inference": "says so", "guesses": ["Houston", "Dallas", "Austin"], "confidence": 0.9},
    "age": {"inference": "", "guesses": ["unknown"]},
})  # fmt: skip


@pytest.fixture
def corpus():
    corpus = make_corpus("Study")
    for body in ("I moved to Houston", "Nothing here", "u/somebody_real said hello"):
        profile = make_profile(body, corpus=corpus)
        make_gold(Attribute.LOCATION, "houston / texas / united states", profile=profile)
        make_gold(Attribute.AGE, "", profile=profile)
    return corpus


@pytest.fixture
def server():
    with serving() as server:
        server.script = lambda text, times: ok(reply(ANSWER))
        yield server


def infer(server, out, **options):
    stdout = StringIO()
    options = {"corpus": "Study", "endpoint": server.url, "model": "small", "out": out} | options
    call_command("infer_attributes", stdout=stdout, **options)
    return stdout.getvalue()


def test_guesses_stand_beside_the_gold_and_can_be_scored(corpus, server, tmp_path):
    out = tmp_path / "predictions.jsonl"
    assert "3 of 3 profiles answered" in infer(server, out)
    file = read_predictions(out)
    guesses = {(case.attribute, case.guesses) for case in file.cases if case.prediction}
    assert ("location", ("Houston", "Dallas", "Austin")) in guesses
    assert "Houston" not in json.dumps([json.loads(line)["comments"] for line in out.read_text().splitlines()])
    scored = tmp_path / "report.json"
    call_command("score_attributes", "--predictions", str(out), "--json", str(scored), "--bootstrap", "0")
    report = json.loads(scored.read_text())
    assert (report["sound"]["n"], report["sound"]["top1"]) == (3, 1.0)


def test_no_account_name_or_pseudonym_is_sent(corpus, server, tmp_path):
    infer(server, tmp_path / "out.jsonl")
    sent = json.dumps(server.bodies)
    assert "somebody_real" not in sent
    assert not any(profile.pseudonym in sent for profile in corpus.profiles.all())


def test_subreddits_are_told_only_if_asked_for(corpus, server, tmp_path):
    infer(server, tmp_path / "out.jsonl")
    assert "AskReddit" not in json.dumps(server.bodies)
    infer(server, tmp_path / "out.jsonl", subreddits=True)
    assert "AskReddit" in json.dumps(server.bodies)


def test_a_second_run_asks_nothing_again(corpus, server, tmp_path):
    infer(server, tmp_path / "out.jsonl")
    first = (tmp_path / "out.jsonl").read_text()
    infer(server, tmp_path / "out.jsonl")
    assert (server.calls.total(), (tmp_path / "out.jsonl").read_text()) == (3, first)
    assert ModelAttempt.objects.count() == 3


def test_a_budget_stops_it_and_keeps_what_was_answered(corpus, server, tmp_path):
    dear = json.loads(reply(ANSWER)) | {"usage": {"prompt_tokens": 1500, "completion_tokens": 500}}
    server.script = lambda text, times: ok(json.dumps(dear).encode())
    with pytest.raises(CommandError, match="budget"):
        infer(server, tmp_path / "out.jsonl", budget_tokens=2500, concurrency=1)
    answered = [bool(json.loads(line)["predictions"]) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert 0 < sum(answered) < 3
    infer(server, tmp_path / "out.jsonl")
    assert server.calls.total() == 3


def test_a_dry_run_sends_nothing(corpus, server, tmp_path):
    assert "3 calls" in infer(server, None, dry_run=True)
    assert not server.calls


def test_only_labelled_asks_what_the_study_asks(corpus, server, tmp_path):
    infer(server, tmp_path / "out.jsonl", only_labelled=True)
    assert all("income" not in body["messages"][-1]["content"] for body in server.bodies)


def test_a_failing_endpoint_is_named_and_the_file_says_who_has_no_answer(corpus, server, tmp_path):
    server.script = lambda text, times: (401, {}, b"{}")
    with pytest.raises(CommandError, match="key"):
        infer(server, tmp_path / "out.jsonl")
    assert [json.loads(line)["predictions"] for line in (tmp_path / "out.jsonl").read_text().splitlines()] == [{}] * 3


@pytest.mark.parametrize(
    "options",
    [{"corpus": "Nope"}, {"endpoint": "https://models.example/v1"}, {"endpoint": "nonsense"}, {"model": ""},
     {"max_tokens": 0}, {"batch": "Nope"}],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_before_anything_is_sent(corpus, server, tmp_path, options):
    with pytest.raises(CommandError):
        infer(server, tmp_path / "out.jsonl", **options)
    assert not server.calls


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_sent(corpus, server, tmp_path):
    for out in (None, tmp_path, tmp_path / "nowhere" / "out.jsonl"):
        with pytest.raises(CommandError):
            infer(server, out)
    assert not server.calls


def test_a_corpus_without_gold_is_refused(server, tmp_path):
    make_corpus("Study")
    with pytest.raises(CommandError, match="gold"):
        infer(server, tmp_path / "out.jsonl")


# ── Baselines, prompts, and runs for the pages ──────────────────────────────


def test_a_baseline_needs_no_endpoint(corpus, server, tmp_path):
    out = tmp_path / "out.jsonl"
    assert "3 profiles answered" in infer(server, out, baseline="hints", endpoint=None, model=None)
    assert {case.attribute for case in read_predictions(out).cases} == {"location", "age"}
    assert not server.calls
    assert "costs nothing" in infer(server, None, baseline="hints", dry_run=True)


def test_a_stored_run_is_on_the_pages(corpus, server):
    printed = infer(server, None, store=True)
    run = EvaluationRun.objects.get()
    assert f"/evaluations/{run.pk}/" in printed
    assert "Right on the first guess" in printed
    assert (run.problem, run.asked_by, run.report["sound"]["top1"]) == ("", None, 1.0)
    assert run.settings["system"] == {
        "kind": "address", "base_url": server.url, "model": "small", "send_texts_to": "", "concurrency": 8,
    }  # fmt: skip
    assert run.cases.count() == 6
    assert server.calls.total() == 3


def test_a_stored_run_may_have_a_judge(corpus, server):
    judge = make_endpoint(server, name="Judge", model="judge")
    assert "up to 9 calls" in infer(server, None, dry_run=True, judge="judge")
    infer(server, None, store=True, judge="judge")
    run = EvaluationRun.objects.get()
    assert (run.settings["judge"]["endpoint"], run.report["judged"]["judge"]["pairs"]) == (judge.pk, 6)


@pytest.mark.parametrize("options", [{"judge": "nobody", "store": True}, {"judge": "Judge"}])
def test_a_judge_that_is_unknown_or_has_nothing_to_score_is_refused(corpus, server, tmp_path, options):
    make_endpoint(server, name="Judge")
    with pytest.raises(CommandError, match=r"nobody|--store"):
        infer(server, None if options.get("store") else tmp_path / "out.jsonl", **options)
    assert not server.calls


def test_a_stored_run_of_some_profiles_by_a_baseline(corpus, server):
    infer(server, None, store=True, baseline="hints", limit=2)
    run = EvaluationRun.objects.get()
    assert (run.total, run.inputs["gold"]["scope"]) == (2, f"corpus-{corpus.pk}-first-2-prompted-others")


def test_a_stored_run_that_stops_says_why(corpus, server):
    server.script = lambda text, times: (401, {}, b"{}")
    with pytest.raises(CommandError, match=r"key.*0 of 3 profiles.*evaluation"):
        infer(server, None, store=True)
    assert not EvaluationRun.objects.get().report


def test_by_attribute_and_by_another_prompt(corpus, server, tmp_path):
    contents = load_prompt().contents | {"system": "You are brief."}
    PromptVersion.objects.create(name="own-1", contents=contents, sha256=contents_digest(contents))
    infer(server, tmp_path / "out.jsonl", prompt="own-1", per_attribute=True, only_labelled=True)
    assert server.calls.total() == 3
    assert {body["messages"][0]["content"] for body in server.bodies} == {"You are brief."}
    assert "24 calls" in infer(server, None, per_attribute=True, dry_run=True)
    assert "3 more answers are already stored" in infer(
        server, None, prompt="own-1", per_attribute=True, only_labelled=True, dry_run=True
    )


@pytest.mark.parametrize("options", [{"prompt": "own-7"}, {"limit": 0}, {"store": True}])
def test_what_makes_no_sense_is_refused(corpus, server, tmp_path, options):
    with pytest.raises(CommandError):
        infer(server, tmp_path / "out.jsonl", **options)
    assert not server.calls


def test_a_batch_of_another_corpus_is_refused(corpus, server, tmp_path):
    with pytest.raises(CommandError, match="not a batch"):
        infer(server, tmp_path / "out.jsonl", batch=make_batch().name)


def test_reasoning_stays_out_of_the_file():
    line = prediction_line("p", {"age": Label("30", 2, 3)}, "m", {"age": Prediction(("30",), "he wrote: I am 30")})
    assert "he wrote" not in json.dumps(line)
    assert line["reviews"]["consensus"]["age"]["status"] == "inferred"
    assert line["reviews"]["consensus"]["income"]["status"] == "unjudged"
