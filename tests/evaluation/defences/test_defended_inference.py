"""Asking a model or a baseline about masked texts, and what such a run says about itself."""

import json
import re

import pytest
from django.core.management import CommandError, call_command

from annotator.models import GoldRecord
from evaluation.defences.defended_inference import RUN_GONE, Mask
from evaluation.defences.plans import PlanRefused, recipe_of
from evaluation.inference.readers import read_predictions
from evaluation.inference.run_comparison import compare_runs
from evaluation.models import EvaluationRun
from evaluation.runs.services import repeat_run
from profiles.attributes import Attribute
from tests.annotator.gold.records import make_gold
from tests.evaluation.defences.studies import do_run, make_study, model_plan
from tests.evaluation.inference.studies import finish, make_endpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_annotator, make_profile

pytestmark = pytest.mark.django_db(transaction=True)
HOUSTON = json.dumps({"location": {"inference": "says so", "guesses": ["Houston"], "confidence": 0.9}})
UNKNOWN = json.dumps({"location": {"inference": "", "guesses": ["unknown"]}})


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"


@pytest.fixture
def corpus():
    return make_study(3)[0]


@pytest.fixture
def server():
    """A model that finds Houston where it is written."""
    with serving() as server:
        server.script = lambda text, times: ok(reply(HOUSTON if "Houston" in text else UNKNOWN))
        yield server


def infer(corpus, *options):
    call_command("infer_attributes", "--corpus", corpus.name, *options)


def location(run):
    return run.report["sound"]["by_attribute"]["location"]["top1"]


def test_a_model_is_asked_about_masked_texts_and_the_run_says_so(corpus, server):
    make_endpoint(server)
    infer(corpus, "--endpoint", "small", "--store")
    infer(corpus, "--endpoint", "small", "--store", "--defence", "detections-tag")
    plain, masked = EvaluationRun.objects.order_by("pk")
    assert (location(plain), location(masked)) == (1.0, 0.0)
    assert masked.name.endswith(": Presidio, replaced by type")
    assert "|defence:detections-tag@" in masked.signature
    assert "|defence:" not in plain.signature
    assert masked.report["defence"]["title"] == "Presidio, replaced by type"
    tables = compare_runs(plain, masked)
    assert "Paired" in tables[-1].title


def test_the_comparison_and_the_report_name_the_defence(corpus, client, rosalind):
    infer(corpus, "--baseline", "rules", "--store")
    infer(corpus, "--baseline", "rules", "--store", "--defence", "evidence-stars")
    plain, masked = EvaluationRun.objects.order_by("pk")
    client.force_login(rosalind)
    for url in (f"/evaluations/{masked.pk}/", f"/evaluations/compare/?first={plain.pk}&second={masked.pk}"):
        assert "Evidence, replaced by stars" in client.get(url).content.decode()


def test_a_run_over_masked_texts_repeats(corpus):
    infer(corpus, "--baseline", "rules", "--store", "--defence", "random-surrogate", "--seed", "5")
    run = EvaluationRun.objects.get()
    again = finish(repeat_run(run, by=make_annotator("ada")))
    assert (again.signature, location(again)) == (run.signature, location(run))
    assert run.settings["defence"]["recipe"]["seed"] == 5


def test_signatures_tell_evidence_apart(corpus):
    infer(corpus, "--baseline", "rules", "--store", "--defence", "evidence-tag")
    assert "|evidence:" in EvaluationRun.objects.get().signature


def test_another_detectors_file_is_kept_with_the_run(corpus, tmp_path):
    lines = [
        json.dumps({"id": f"{profile.pseudonym}/1", "spans": [{"start": 10, "end": 17, "label": "CITY"}]})
        for profile in corpus.profiles.all()
    ]
    (tmp_path / "other.jsonl").write_text("\n".join(lines), encoding="utf-8")
    options = ("--defence", "detections-tag", "--detections-file", str(tmp_path / "other.jsonl"))
    infer(corpus, "--baseline", "rules", "--store", *options)
    run = EvaluationRun.objects.get()
    assert (run.detected_comments.count(), location(run)) == (corpus.profiles.count(), 0.0)
    assert location(finish(repeat_run(run, by=make_annotator("ada")))) == 0.0


def test_predictions_about_masked_texts_go_to_a_file(corpus, server, tmp_path):
    out = tmp_path / "masked.jsonl"
    infer(corpus, "--endpoint", server.url, "--model", "small", "--out", str(out), "--defence", "detections-tag")
    assert not any("Houston" in case.guesses for case in read_predictions(out).cases)
    assert not any("Houston" in text for text in server.calls)


def test_the_dry_run_counts_masked_questions(corpus, server, capsys):
    make_endpoint(server)
    infer(corpus, "--endpoint", "small", "--store")
    capsys.readouterr()
    infer(corpus, "--endpoint", "small", "--dry-run")
    assert "0 calls" in capsys.readouterr().out
    infer(corpus, "--endpoint", "small", "--dry-run", "--defence", "detections-tag")
    assert "3 calls" in capsys.readouterr().out


def rewriting_run(corpus, server) -> EvaluationRun:
    def script(text, times):
        if '"number"' not in text:
            return ok(reply(HOUSTON if "Houston" in text else UNKNOWN))
        ages = re.findall(r"a (\d+) year", text)
        rows = [{"number": 1, "text": f"I live in a big city. I am a {age} year old nurse."} for age in ages]
        return ok(reply(json.dumps({"comments": rows})))

    server.script = script
    return do_run(model_plan(corpus, corpus.runs.get(), make_endpoint(server), "rewrite-1"))


def test_another_model_is_asked_about_rewritten_texts(corpus, server):
    source = rewriting_run(corpus, server)
    make_endpoint(server, name="large", model="other")
    stored = ("--store", "--defence", "rewrite-1", "--defence-run", str(source.pk))
    infer(corpus, "--endpoint", "large", "--store")
    infer(corpus, "--endpoint", "large", *stored)
    plain, defended = EvaluationRun.objects.order_by("pk")[1:]
    assert (location(plain), location(defended)) == (1.0, 0.0)
    assert defended.report["defence"]["title"] == "Rewritten by tiny, 1 round"
    assert "|texts:" in defended.signature
    assert finish(repeat_run(defended, by=make_annotator("ada"))).signature == defended.signature
    source.delete()
    assert finish(repeat_run(defended, by=make_annotator("ben"))).problem == RUN_GONE


def test_profiles_that_were_not_rewritten_are_refused(corpus, server):
    source = rewriting_run(corpus, server)
    make_gold(Attribute.AGE, "40", profile=make_profile("I am 40", corpus=corpus))
    with pytest.raises(CommandError, match="1 profile"):
        infer(corpus, "--baseline", "rules", "--store", "--defence", "rewrite-1", "--defence-run", str(source.pk))


@pytest.mark.parametrize("key", ["rewrite-2", "detections-tag"])
def test_a_defence_that_the_run_does_not_have_is_refused(corpus, server, key):
    source = rewriting_run(corpus, server)
    with pytest.raises(CommandError, match="no complete defence"):
        infer(corpus, "--baseline", "rules", "--store", "--defence", key, "--defence-run", str(source.pk))


def test_evidence_that_nobody_marked_is_refused(corpus):
    GoldRecord.objects.update(evidence=[])
    with pytest.raises(CommandError, match="evidence"):
        infer(corpus, "--baseline", "rules", "--store", "--defence", "evidence-tag")
    assert not EvaluationRun.objects.exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--defence-run", "1"),
        ("--defence", "rewrite-1", "--defence-run", "1"),
        ("--defence", "rewrite-1", "--defence-run", "1", "--recipe", "small model"),
        ("--defence", "klingon"),
        ("--defence", "rewrite-1"),
        ("--recipe", "small model"),
        ("--detections-file", "/nowhere.jsonl"),
        ("--defence", "detections-tag", "--recipe", "nowhere"),
        ("--defence", "detections-tag", "--detections-file", "/nowhere.jsonl"),
    ],
)
def test_refuses_before_anything_is_done(corpus, options):
    with pytest.raises(CommandError):
        infer(corpus, "--baseline", "rules", "--store", *options)
    assert not EvaluationRun.objects.exists()


def test_a_mask_is_a_mask():
    with pytest.raises(PlanRefused):
        Mask(recipe_of("rewrite-1"))
