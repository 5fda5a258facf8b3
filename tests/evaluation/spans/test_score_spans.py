"""The command score_spans: the whole way from files to a table, JSON, the study's file and an exit status."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotator.embedded.commands import needs_servers
from evaluation.spans.systems.predictions import manifest_path

GOLD = {
    "id": "a",
    "text": "Ada Lovelace lived in London. She wrote to Charles.",
    "spans": [
        {"start": 0, "end": 12, "label": "PERSON"},
        {"start": 22, "end": 28, "label": "LOC"},
        {"start": 43, "end": 50, "label": "PERSON"},
    ],
}
PREDICTED = {
    "id": "a",
    "spans": [
        {"start": 0, "end": 12, "label": "PERSON", "score": 0.9},
        {"start": 22, "end": 28, "label": "LOCATION", "score": 0.8},
    ],
}


@pytest.fixture
def files(tmp_path):
    def write(name: str, *documents: object) -> str:
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, documents)))
        return str(path)

    return ["--gold", write("gold.jsonl", GOLD), "--pred", write("pred.jsonl", PREDICTED), "--bootstrap", "20"]


def score(*args: object) -> None:
    call_command("score_spans", *map(str, args))


def refusal(*args: object) -> CommandError:
    with pytest.raises(CommandError) as caught:
        score(*args)
    return caught.value


def report_of(files, tmp_path, *args: object) -> dict:
    score(*files, "--json", tmp_path / "report.json", *args)
    return json.loads((tmp_path / "report.json").read_text())


def test_needs_no_servers():
    assert not needs_servers(["manage.py", "score_spans"])


def test_prints_the_scores(files, capsys):
    score(*files)
    text = capsys.readouterr().out
    assert "signature metric:spans" in text
    assert "macro" in text


def test_writes_the_whole_report(files, tmp_path):
    report = report_of(files, tmp_path, "--threshold", "0.5", "--ignore", "none", "--seed", "7", "--missing", "skip")
    assert report["format"] == "telltale.spans/1"
    assert report["results"][0]["micro"]["recall"]["value"] == pytest.approx(2 / 3)
    assert (
        report["settings"] | {"threshold": 0.5, "ignore": "none", "seed": 7, "missing": "skip", "bootstrap": 20}
        == (report["settings"])
    )


def test_the_scheme_maps_labels(files, tmp_path):
    recalls = [
        report_of(files, tmp_path, "--preset", preset)["results"][0]["micro"]["recall"]["value"]
        for preset in ("echr-study", "identity")
    ]
    assert recalls == [pytest.approx(2 / 3), pytest.approx(1 / 3)]


def test_the_studys_counts_of_the_first_system_are_at_the_top_of_the_report(files, tmp_path):
    report = report_of(files, tmp_path, "--pred", files[1])
    assert len(report["results"]) == 2
    assert report["compat"] == report["results"][0]["compat"]
    keys = {"tp", "fp", "fn", "precision", "recall", "f1", "relaxed_matches"}
    assert all(keys <= set(report["compat"][mode]) for mode in ("strict", "relaxed"))


@pytest.mark.parametrize("arguments", [["--json", "-"], ["--json"]])
def test_json_on_standard_output_is_nothing_but_json(files, capsys, arguments):
    score(*files, *arguments)
    output = capsys.readouterr()
    assert json.loads(output.out)["format"] == "telltale.spans/1"
    assert "macro" in output.err


def test_compares_systems(files, tmp_path):
    report = report_of(files, tmp_path, "--pred", files[1])
    assert [result["system"] for result in report["results"]] == ["pred.jsonl", "gold.jsonl"]
    assert report["comparisons"]


def test_knows_how_predictions_were_made(files, tmp_path):
    manifest_path(tmp_path / "pred.jsonl").write_text(json.dumps({"details": {"recipe": "abc"}}))
    assert report_of(files, tmp_path)["systems"][0]["details"] == {"recipe": "abc"}


@pytest.mark.parametrize("manifest", ["", "[]", '{"details": 5}', '{"details": null}'])
def test_a_strange_manifest_does_no_harm(files, tmp_path, manifest):
    manifest_path(tmp_path / "pred.jsonl").write_text(manifest)
    assert report_of(files, tmp_path)["systems"][0]["details"] == {}


def test_writes_the_file_of_the_study(files, tmp_path):
    score(*files, "--out-detailed", tmp_path / "detailed.json")
    ((document,),) = [json.loads((tmp_path / "detailed.json").read_text())]
    assert [match["ground_truth_text"] for match in document["evaluation"]["true_positives"]] == [
        "Ada Lovelace",
        "London",
    ]
    assert [miss["ground_truth_text"] for miss in document["evaluation"]["false_negatives"]] == ["Charles"]


def test_writes_every_error(files, tmp_path):
    score(*files, "--errors", tmp_path / "errors.jsonl")
    items = [json.loads(line) for line in (tmp_path / "errors.jsonl").read_text().splitlines()]
    assert [(item["kind"], item["text"]) for item in items] == [("missed", "Charles")]


def test_writes_a_page_that_quotes_errors_only_if_they_are_wanted(files, tmp_path):
    page = tmp_path / "report.html"
    score(*files, "--html", page)
    assert "<html" in page.read_text()
    assert "She wrote to" not in page.read_text()
    score(*files, "--html", page, "--errors", tmp_path / "errors.jsonl")
    assert "She wrote to" in page.read_text()


def test_writes_texts_that_no_encoding_can_hold(files, tmp_path):
    gold = GOLD | {"text": GOLD["text"].replace("Charles", "Charle\ud800")}
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold))
    score(*files, "--errors", tmp_path / "errors.jsonl", "--out-detailed", tmp_path / "detailed.json", "--json", "-")
    assert json.loads((tmp_path / "errors.jsonl").read_text())["text"] == "Charle\ufffd"


def test_only_files_that_say_so_contain_texts(files, tmp_path, capsys):
    report_of(files, tmp_path)
    text = (tmp_path / "report.json").read_text() + capsys.readouterr().out
    assert "lived in" not in text


def test_ends_with_1_below_a_requirement_but_writes_the_report(files, tmp_path):
    path = tmp_path / "report.json"
    error = refusal(*files, "--json", path, "--fail-under", "f1=0.9", "precision=1")
    assert error.returncode == 1
    assert "f1 is 0.8000" in str(error)
    assert "precision" not in str(error)
    assert path.exists()


def test_ends_well_at_a_requirement_that_is_met(files):
    score(*files, "--fail-under", "f1=0.8", "LOC-recall=1")


REFUSED = {
    "no gold": (["--gold", "none.json"], "none.json"),
    "no predictions": (["--pred", "none.json"], "none.json"),
    "no scheme": (["--scheme", "none.toml"], "none.toml"),
    "no folder": (["--json", "/no/such/folder/report.json"], "no folder"),
    "no number": (["--fail-under", "f1"], "f1=0.8"),
    "no metric": (["--fail-under", "f3=0.5"], "macro-f1"),
    "a threshold of zero": (["--threshold", "0"], "above 0"),
    "a threshold above one": (["--threshold", "30"], "above 0"),
    "a negative bootstrap": (["--bootstrap", "-1"], "whole number of at least 0"),
    "no policy": (["--ignore", "all"], "symmetric"),
    "no format": (["--gold-format", "xml"], "tab"),
    "two schemes": (["--preset", "identity", "--scheme", "x"], "not allowed"),
}


@pytest.mark.parametrize(("args", "reason"), REFUSED.values(), ids=REFUSED)
def test_says_what_is_wrong(files, args, reason, capsys):
    error = refusal(*files, *args)
    assert reason in str(error)
    assert capsys.readouterr().out == ""


def test_unusable_input_ends_with_2(files, tmp_path):
    assert refusal(*files, "--gold", "none.json").returncode == 2
    assert refusal(*files, "--fail-under", "f3=0.5").returncode == 2
    (tmp_path / "other.jsonl").write_text(json.dumps(PREDICTED | {"id": "b"}))
    error = refusal(*files, "--pred", tmp_path / "other.jsonl")
    assert error.returncode == 2
    assert "in common" in str(error)
