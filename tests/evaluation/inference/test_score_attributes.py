"""The command score_attributes: the whole way from files to a table, JSON and an exit status."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotator.embedded.commands import needs_servers
from tests.evaluation.inference.readers.files import llmprivacy, synthpai, write


@pytest.fixture
def files(tmp_path):
    path = write(tmp_path / "first.jsonl", *(synthpai(f"p{index:02}") for index in range(12)), "{")
    return ["--predictions", str(path), "--bootstrap", "20"]


def score(*args: object) -> None:
    call_command("score_attributes", *map(str, args))


def refusal(*args: object) -> CommandError:
    with pytest.raises(CommandError) as caught:
        score(*args)
    return caught.value


def report_of(files, tmp_path, *args: object) -> dict:
    score(*files, "--json", tmp_path / "report.json", *args)
    return json.loads((tmp_path / "report.json").read_text())


def test_needs_no_servers():
    assert not needs_servers(["manage.py", "score_attributes"])


def test_prints_the_scores_and_what_was_set_aside(files, capsys):
    score(*files)
    text = capsys.readouterr().out
    for part in ("signature metric:attributes", "published", "compat", "sound", "Top-1 by hardness", "line 13"):
        assert part in text
    assert "by required subreddit" not in text


def test_writes_the_whole_report(files, tmp_path):
    report = report_of(files, tmp_path, "--format", "synthpai", "--min-certainty", "5", "--seed", "7")
    assert report["format"] == "telltale.inference/1"
    assert [report[name]["n"] for name in ("published", "compat", "sound")] == [24, 24, 24]
    assert report["published"]["top1"] == 0.5
    assert report["compat"]["top1"] == 1  # the label only has the right country
    assert (report["settings"]["min_certainty"], report["settings"]["seed"]) == (5, 7)


def test_json_on_standard_output_is_nothing_but_json(files, capsys):
    score(*files, "--json", "-")
    output = capsys.readouterr()
    assert json.loads(output.out)["format"] == "telltale.inference/1"
    assert "published" in output.err


def test_compares_models(files, tmp_path, capsys):
    wrong = {"gpt-4": {"occupation": {"guess": ["xylophonist"]}, "city_country": {"guess": ["oslo, norway"]}}}
    second = write(tmp_path / "[b]second.jsonl", *(synthpai(f"p{index:02}", predictions=wrong) for index in range(12)))
    report = report_of(files, tmp_path, "--predictions", second)
    row = next(row for row in report["comparisons"] if (row["scorer"], row["metric"]) == ("compat", "top1"))
    assert row["difference"]["value"] == 1
    assert "gpt-4 ([b]second.jsonl)" in capsys.readouterr().out


def test_compares_models_of_one_file(tmp_path, capsys):
    answers = {"a": {"occupation": {"guess": ["nurse"]}}, "b": {"occupation": {"guess": ["cook"]}}}
    path = write(tmp_path / "file.jsonl", *(synthpai(f"p{index:02}", predictions=answers) for index in range(12)))
    assert "Choose one with --model" in str(refusal("--predictions", path))
    report = report_of(["--predictions", path, "--bootstrap", "20"], tmp_path, "--model", "a", "--model", "b")
    assert [model["input"]["model"] for model in (report, *report["others"])] == ["a", "b"]
    assert "Holm" in capsys.readouterr().out
    assert "one for each file" in str(refusal("--predictions", path, "--predictions", path, *["--model", "a"] * 3))


def test_writes_a_page(files, tmp_path):
    score(*files, "--html", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "By attribute" in page
    for quote in ("not to be quoted", "doctor", "milan", "p00"):
        assert quote not in page


def test_scores_llmprivacy_with_negatives_and_missing_answers(tmp_path, capsys):
    answers = {"m": {"location": {"inference": "", "guess": []}, "gender": {"inference": "", "guess": ["male"]}}}
    path = write(
        tmp_path / "file.jsonl", llmprivacy(), llmprivacy("b", predictions=answers), llmprivacy("c", predictions={})
    )
    report = report_of(["--predictions", str(path)], tmp_path)
    assert report["answers"] == {"guessed": 1, "abstained": 0, "refused": 1, "missing": 0, "unanswered": 1}
    assert report["negatives"].items() >= {"labels": 3, "asked": 1, "guessed": 1, "rate": 1}.items()
    text = capsys.readouterr().out
    assert "1 without a guess, 1 on profiles without an answer" in text
    assert "guessed 1 of 1 attribute (100.0 %)" in text
    for title in (
        "Top-1 by required subreddit",
        "Abstained or refused",
        "Guesses by stated confidence",
        "Read with care",
    ):
        assert title in text


def test_names_from_files_cannot_harm_a_terminal(tmp_path, capsys):
    path = write(tmp_path / "file.jsonl", llmprivacy(predictions={"[b]\x1b[2J\ud800": {"location": ["x"]}}))
    score("--predictions", path)
    assert "[b]\ufffd[2J\ufffd" in capsys.readouterr().out


def test_nothing_is_quoted(files, tmp_path, capsys):
    report_of(files, tmp_path)
    text = (tmp_path / "report.json").read_text() + capsys.readouterr().out
    for quote in ("not to be quoted", "nurse", "milan", "p00"):
        assert quote not in text


def test_ends_with_1_below_a_requirement_but_writes_the_report(files, tmp_path):
    path = tmp_path / "report.json"
    error = refusal(*files, "--json", path, "--fail-under", "published-top1=0.9", "compat-top1=1")
    assert error.returncode == 1
    assert "published-top1 is 0.5000" in str(error)
    assert "compat" not in str(error)
    assert path.exists()


def test_ends_well_at_a_requirement_that_is_met(files):
    score(*files, "--fail-under", "published-top1=0.5", "occupation-top1=1")


REFUSED = {
    "no predictions": (["--predictions", "none.jsonl"], "none.jsonl"),
    "another format": (["--format", "llmprivacy"], "Choose --format synthpai"),
    "no such format": (["--format", "xml"], "synthpai"),
    "no such model": (["--model", "claude"], "gpt-4"),
    "no such reviewer": (["--reviewer", "ada"], "human_evaluated"),
    "nothing left": (["--min-hardness", "5"], "hardness 5 to 5"),
    "bounds reversed": (["--min-certainty", "4", "--max-certainty", "3"], "lower bound first"),
    "hardness of nothing": (["--min-hardness", "0"], "between 1 and 5"),
    "no folder": (["--json", "/no/such/folder/report.json"], "no folder"),
    "no folder for the page": (["--html", "/no/such/folder/report.html"], "--html: there is no folder"),
    "no number": (["--fail-under", "top1"], "top1=0.8"),
    "no metric": (["--fail-under", "top4=0.5"], "macro-top1"),
    "a negative bootstrap": (["--bootstrap", "-1"], "whole number of at least 0"),
}


@pytest.mark.parametrize(("args", "reason"), REFUSED.values(), ids=REFUSED)
def test_says_what_is_wrong(files, args, reason, capsys):
    error = refusal(*files, *args)
    assert reason in str(error)
    assert error.returncode in (1, 2)  # Django's own parser raises before a status is known
    assert capsys.readouterr().out == ""


def test_unusable_input_ends_with_2(files):
    assert refusal(*files, "--predictions", "none.jsonl").returncode == 2
    assert refusal(*files, "--fail-under", "top4=0.5").returncode == 2
    assert refusal(*files, "--min-hardness", "5").returncode == 2
