"""A run over defences: the same attack before and after each, with the texts that it was made on."""

import json
from dataclasses import replace

import pytest

from annotator.models import GoldRecord
from annotator.privacy.services import forget_account
from evaluation.defences import measurement
from evaluation.defences.plans import NEEDS_DETECTION, NEEDS_MODEL, NO_DEFENCES, PlanRefused, recipe_of
from evaluation.defences.services import request_defence_run
from evaluation.defences.spans import DETECTION_GONE
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.scopes import Scope
from evaluation.llm.budget import Limit
from evaluation.models import DefendedText, EvaluationRun
from evaluation.runs.services import continue_run, repeat_run
from profiles.attributes import Attribute
from profiles.jobs.states import State, state_of
from profiles.models import Comment, Detection
from tests.annotator.gold.records import make_gold, make_prompted
from tests.evaluation.defences.studies import do_run, make_study, model_plan, rules_plan
from tests.evaluation.inference.studies import finish, make_endpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db(transaction=True)
HONEST = json.dumps({"location": {"inference": "says so", "guesses": ["Houston"], "confidence": 0.9}})
CLUELESS = json.dumps({"location": {"inference": "", "guesses": ["unknown"]}})


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def server():
    """A model that finds Houston where it is written, and rewrites it as “a city”."""
    with serving() as server:

        def script(text, times):
            if '"number"' in text:
                comments = json.JSONDecoder().raw_decode(text, text.index('{\n "comments"'))[0]["comments"]
                for comment in comments:
                    comment["text"] = comment["text"].replace("Houston", "a big city")
                return ok(reply(json.dumps({"comments": comments})))
            return ok(reply(HONEST if "Houston" in text else CLUELESS))

        server.script = script
        yield server


def by_key(run: EvaluationRun) -> dict:
    return {defence["key"]: defence for defence in run.report["defences"]}


def test_masks_are_attacked_and_scored():
    run = do_run(rules_plan(*make_study(4)))
    assert (state_of(run), run.problem) == (State.FINISHED, "")
    top1 = {key: defence["scores"]["intervals"]["top1"]["value"] for key, defence in by_key(run).items()}
    assert top1["none"] == 1.0
    assert top1["detections-tag"] == top1["evidence-stars"] == 0.5
    assert by_key(run)["random-tag"]["changed"]["characters"] == 4 * len("Houston")


def test_keeps_the_texts_that_changed():
    run = do_run(rules_plan(*make_study(2), "detections-tag", "evidence-stars"))
    bodies = dict(DefendedText.objects.filter(run=run, profile__pseudonym__isnull=False).values_list("defence", "body"))
    assert bodies["detections-tag"].startswith("I live in [LOCATION].")
    assert "a ** year" in bodies["evidence-stars"]
    assert DefendedText.objects.filter(run=run).count() == 4


def test_cases_name_their_defence():
    run = do_run(rules_plan(*make_study(2), "detections-tag"))
    assert run.cases.filter(defence="none", outcome="right").count() == 4
    assert run.cases.filter(defence="detections-tag", outcome="right").count() == 2


def test_surrogates_are_the_same_in_a_second_run():
    plan = rules_plan(*make_study(2), "detections-surrogate", "random-stars")
    first, second = do_run(plan), do_run(plan)
    texts = [
        list(run.defended_texts.order_by("comment", "defence").values_list("body", flat=True))
        for run in (first, second)
    ]
    assert texts[0] == texts[1]
    assert first.signature == second.signature
    assert not any(
        "Houston" in body
        for body in first.defended_texts.filter(defence__startswith="det").values_list("body", flat=True)
    )


@pytest.mark.parametrize(
    ("prompted", "is_masked"),
    [(Prompted.ALL, True), (Prompted.OTHERS, True), (Prompted.NONE, False)],
)
def test_evidence_of_model_prompted_labels_is_masked_where_they_count(prompted, is_masked):
    corpus, detection = make_study(2)
    profile = corpus.profiles.order_by("pk").first()
    comment = profile.comments.get()
    start = comment.body.index("nurse")
    span = {"comment": comment.pk, "start": start, "end": start + 5, "text": "nurse"}
    make_gold(Attribute.OCCUPATION, "", profile=profile)
    make_prompted("occupation", "nurse", profile=profile, prompted_by="another model", evidence=[span])
    plan = rules_plan(corpus, detection, "evidence-tag")
    run = do_run(replace(plan, scope=Scope(corpus, prompted=prompted, system=plan.system.title)))
    body = run.defended_texts.get(profile=profile).body
    assert ("[OCCUPATION]" in body, "nurse" in body) == (is_masked, not is_masked)


def test_a_takedown_removes_texts_and_cases():
    corpus, detection = make_study(2)
    run = do_run(rules_plan(corpus, detection))
    profile = corpus.profiles.order_by("pk").first()
    name = f"account{profile.pseudonym.rpartition('-')[2]}"
    forget_account(name)
    assert not run.defended_texts.filter(profile=profile.pk).exists()
    assert run.defended_texts.exists()


def test_what_is_taken_down_during_the_run_is_not_stored(monkeypatch):
    corpus, detection = make_study(2)
    profile = corpus.profiles.order_by("pk").first()
    name = f"account{profile.pseudonym.rpartition('-')[2]}"
    build = measurement.build_defence_report

    def forget_first(*args):
        forget_account(name)
        return build(*args)

    monkeypatch.setattr(measurement, "build_defence_report", forget_first)
    run = do_run(rules_plan(corpus, detection))
    assert state_of(run) is State.FINISHED
    assert set(run.defended_texts.values_list("profile", flat=True)) == {corpus.profiles.get().pk}


def test_a_defence_that_changes_nothing_is_said():
    corpus, detection = make_study(2)
    Detection.objects.all().delete()
    run = do_run(rules_plan(corpus, detection, "detections-tag"))
    assert by_key(run)["detections-tag"]["changed"]["comments"] == 0
    assert run.report["warnings"]


def test_a_detection_run_that_is_gone_stops_the_run():
    corpus, detection = make_study(2)
    run = do_run(rules_plan(corpus, detection))
    detection.delete()
    again = finish(repeat_run(run, by=make_annotator("ada")))
    assert again.problem == DETECTION_GONE


# ── Models ──────────────────────────────────────────────────────────────────


def test_a_model_attacks_every_version(server):
    run = do_run(model_plan(*make_study(3), make_endpoint(server), "detections-tag", "rewrite-1"))
    located = {key: item["scores"]["by_attribute"]["location"]["top1"]["value"] for key, item in by_key(run).items()}
    assert located == {"none": 1.0, "detections-tag": 0.0, "rewrite-1": 0.0}
    assert by_key(run)["rewrite-1"]["rewriting"]["rewritten"] == 3
    assert run.defended_texts.filter(defence="rewrite-1", body__contains="a big city").count() == 3
    assert run.report["threat"]["kind"] == "endpoint"


def test_progress_counts_every_step_of_a_rewrite_and_never_goes_back(server):
    """Three profiles: one attack without a defence, two rounds of two steps and an attack with it."""
    plan = model_plan(*make_study(3), make_endpoint(server), "rewrite-2")
    standings = []
    measurement.measure_defences(
        request_defence_run(plan, is_queued=False), lambda *standing: standings.append(standing)
    )
    assert {total for _, total in standings} == {3 + 3 * 5}
    done = [number for number, _ in standings]
    assert done == sorted(done)
    assert {0, 3, 6, 9, 12, 15} <= set(done)
    assert done[-1] == 18


def test_nothing_is_asked_twice(server):
    plan = model_plan(*make_study(3), make_endpoint(server), "detections-tag", "rewrite-2")
    do_run(plan)
    do_run(plan)
    assert max(server.calls.values()) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("I'm sorry, I can't help with that.", "refused"),
        ("", "missing"),
        ("The JSON object is a JSON string.", "missing"),
        ('{"comments": [{"number": 1, "text": ""}]}', "refused"),
        (f'{{"comments": [{{"number": 1, "text": "{" ".join("bcdefghj")}"}}]}}', "unrelated"),
        (f'{{"comments": [{{"number": 1, "text": "{"I live in a city. " * 30}"}}]}}', "unrelated"),
    ],
)
def test_what_is_no_rewrite_is_counted_and_keeps_the_original(server, answer, kind):
    honest = server.script
    server.script = lambda text, times: ok(reply(answer)) if '"number"' in text else honest(text, times)
    run = do_run(model_plan(*make_study(2), make_endpoint(server), "rewrite-1"))
    rewriting = by_key(run)["rewrite-1"]["rewriting"]
    assert (rewriting[kind], rewriting["kept_original"], rewriting["rewritten"]) == (2, 2, 0)
    assert not run.defended_texts.exists()


def test_a_budget_that_ends_on_the_way_leaves_no_biased_number(server):
    corpus, detection = make_study(3)
    plan = model_plan(corpus, detection, make_endpoint(server), "detections-tag", limit=Limit(tokens=5_000))
    server.script = lambda text, times: ok(
        json.dumps(json.loads(reply(HONEST)) | {"usage": {"prompt_tokens": 1000, "completion_tokens": 200}}).encode()
    )
    run = do_run(plan)
    assert state_of(run) is State.FINISHED
    masked = by_key(run)["detections-tag"]
    assert (masked["state"], masked["scores"]) == ("incomplete", None)
    assert len(run.report["missing"]) == 1
    assert not run.cases.filter(defence="detections-tag").exists()


def test_without_the_undefended_answers_there_is_no_report_and_it_can_go_on(server):
    corpus, detection = make_study(3)
    plan = model_plan(corpus, detection, make_endpoint(server), "detections-tag", limit=Limit(tokens=10))
    run = do_run(plan)
    assert (run.report, bool(run.problem)) == ({}, True)
    again = finish(continue_run(run, Limit(), by=make_annotator("ada")))
    assert state_of(again) is State.FINISHED


# ── Plans ───────────────────────────────────────────────────────────────────


def test_refuses_what_cannot_be_measured():
    corpus, detection = make_study(1)
    with pytest.raises(PlanRefused, match=NEEDS_DETECTION[:20]):
        rules_plan(corpus, None, "both-tag")
    with pytest.raises(PlanRefused, match=NEEDS_MODEL[:20]):
        rules_plan(corpus, detection, "rewrite-1")
    with pytest.raises(PlanRefused, match=NO_DEFENCES[:20]):
        replace(rules_plan(corpus, detection), recipes=[])
    with pytest.raises(PlanRefused):
        recipe_of("detections-klingon")


# ── Bad input ───────────────────────────────────────────────────────────────


def test_a_defence_that_changes_everything_is_said():
    corpus, detection = make_study(2)
    for comment in Comment.objects.all():
        Detection.objects.create(
            run=detection, comment=comment, entity_type="X", start=0, end=len(comment.body), score=1
        )
    run = do_run(rules_plan(corpus, detection, "detections-stars"))
    assert "changes-everything-detections-stars" in {warning["key"] for warning in run.report["warnings"]}
    assert by_key(run)["detections-stars"]["utility"]["rouge_l"]["value"] == 0


def test_a_single_profile_of_a_single_comment():
    run = do_run(rules_plan(*make_study(1)))
    assert {"few-profiles", "few-candidates"} <= {warning["key"] for warning in run.report["warnings"]}
    assert by_key(run)["detections-tag"]["scores"]["intervals"]["top1"]["low"] is None


def test_profiles_without_evidence_are_said():
    corpus, detection = make_study(3)
    first = corpus.profiles.order_by("pk").first()
    GoldRecord.objects.filter(profile=first).update(evidence=[])
    run = do_run(rules_plan(corpus, detection, "evidence-tag"))
    assert by_key(run)["evidence-tag"]["changed"]["profiles"] == 2
    (caution,) = [row for row in run.report["warnings"] if row["key"] == "no-evidence-evidence-tag"]
    assert "1 profile of 3" in caution["message"]


def test_a_budget_that_ends_while_comments_are_rewritten_leaves_no_number(server):
    corpus, detection = make_study(3)
    honest = server.script

    def expensive(text, times):
        status, headers, body = honest(text, times)
        usage = {"prompt_tokens": 1000, "completion_tokens": 200}
        return status, headers, json.dumps(json.loads(body) | {"usage": usage}).encode()

    server.script = expensive
    run = do_run(model_plan(corpus, detection, make_endpoint(server), "rewrite-1", limit=Limit(tokens=6_200)))
    assert (state_of(run), run.problem) == (State.FINISHED, "")
    assert (by_key(run)["rewrite-1"]["state"], by_key(run)["rewrite-1"]["scores"]) == ("incomplete", None)
    assert by_key(run)["none"]["state"] == "complete"
    assert not run.defended_texts.exists()
    again = finish(continue_run(run, Limit(), by=make_annotator("ada")))
    assert by_key(again)["rewrite-1"]["state"] == "complete"
    assert max(server.calls.values()) == 1
