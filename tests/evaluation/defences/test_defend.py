"""The command that measures defences."""

import json

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import EvaluationRun
from tests.evaluation.defences.studies import make_study
from tests.evaluation.inference.studies import make_endpoint
from tests.evaluation.llm.server import serving
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db(transaction=True)
RULES = ("--baseline", "rules", "--bootstrap", "20")


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def corpus():
    return make_study(3)[0]


def defend(corpus, *options):
    call_command("defend", "--corpus", corpus.name, *options)


def test_prints_the_table_and_keeps_the_run(corpus, capsys):
    defend(corpus, *RULES)
    printed = capsys.readouterr().out
    run = EvaluationRun.objects.get()
    assert f"/evaluations/{run.pk}/" in printed
    assert "Presidio" in printed
    assert [defence["key"] for defence in run.report["defences"]] == [
        "none", "detections-tag", "evidence-tag", "both-tag", "random-tag",
    ]  # fmt: skip


def test_writes_json_alone_to_standard_output(corpus, capsys):
    defend(corpus, *RULES, "--defence", "both-surrogate", "--json")
    assert json.loads(capsys.readouterr().out)["defences"][1]["key"] == "both-surrogate"


def test_takes_a_table_of_counts(corpus, tmp_path):
    table = tmp_path / "counts.csv"
    table.write_text("age,count\n18-30,50\n31-60,7\n", encoding="utf-8")
    defend(corpus, *RULES, "--population", str(table))
    assert EvaluationRun.objects.get().report["defences"][0]["groups"]["median"] == 7


@pytest.mark.parametrize(
    "options",
    [
        ("--defence", "klingon"),
        ("--defence", "rewrite-1"),
        ("--defence", "detections-tag", "--defence", "detections-tag"),
        ("--recipe", "nowhere"),
        ("--population", "/nowhere/at/all.csv"),
        ("--limit", "0"),
    ],
)
def test_refuses_before_anything_is_done(corpus, options):
    with pytest.raises(CommandError):
        defend(corpus, *RULES, *options)
    assert not EvaluationRun.objects.exists()


def test_refuses_a_corpus_without_detections(tmp_path):
    corpus = make_corpus("Empty")
    make_profile(corpus=corpus)
    with pytest.raises(CommandError, match="detection"):
        defend(corpus, *RULES)
    with pytest.raises(CommandError, match="gold"):
        defend(corpus, *RULES, "--defence", "evidence-tag")


def test_a_dry_run_asks_nothing(corpus, capsys):
    with serving() as server:
        make_endpoint(server)
        defend(corpus, "--endpoint", "small", "--dry-run", "--defence", "detections-tag", "--defence", "rewrite-2")
        assert not server.calls
    assert "Together: " in capsys.readouterr().out
    assert not EvaluationRun.objects.exists()


def test_masks_what_another_detector_found(corpus, tmp_path, capsys):
    lines = [
        json.dumps({"id": f"{profile.pseudonym}/1", "spans": [{"start": 10, "end": 17, "label": "CITY"}]})
        for profile in corpus.profiles.all()
    ]
    (tmp_path / "other.jsonl").write_text("\n".join([*lines, '{"id": "x/1", "spans": []}']), encoding="utf-8")
    defend(corpus, *RULES, "--defence", "detections-tag", "--detections-file", str(tmp_path / "other.jsonl"))
    printed = capsys.readouterr()
    assert "Detector’s file" in printed.out
    assert "3 spans in 3 comments" in printed.err
    assert "“x/1”" in printed.err


def test_a_detection_run_or_a_file_but_not_both(corpus, tmp_path):
    with pytest.raises(CommandError, match="--detections-file"):
        defend(corpus, *RULES, "--recipe", "small model", "--detections-file", str(tmp_path / "any.jsonl"))
    with pytest.raises(CommandError, match=r"any\.jsonl"):
        defend(corpus, *RULES, "--detections-file", str(tmp_path / "any.jsonl"))
    assert not EvaluationRun.objects.exists()
