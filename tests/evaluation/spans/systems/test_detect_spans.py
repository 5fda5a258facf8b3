"""The command detect_spans: predictions in a file, refusals before any work, and an honest exit status."""

import json
import shlex
import sys

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotator.embedded.commands import needs_servers
from evaluation.spans.readers import read_spans
from evaluation.spans.systems.predictions import read_details
from evaluation.spans.systems.presidio import build_recipe

TEXTS = {"a": "Barack Obama met Angela Merkel on 3 May 2015.", "b": "Nothing."}
DETECTOR = """
import json, sys
for line in sys.stdin:
    document = json.loads(line)
    if document["id"] != "{silent}":
        print(json.dumps({{"id": document["id"], "spans": [{{"start": 0, "end": 3, "label": "X"}}]}}))
"""


@pytest.fixture
def documents(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text("\n".join(json.dumps({"id": key, "text": text}) for key, text in TEXTS.items()))
    return path


@pytest.fixture
def out(tmp_path):
    return tmp_path / "predictions.jsonl"


def detector(tmp_path, silent=""):
    script = tmp_path / "detector.py"
    script.write_text(DETECTOR.format(silent=silent))
    return shlex.join([sys.executable, str(script)])


def labels(path) -> dict[str, list[str]]:
    return {
        document.id: [span.label for span in document.all_spans] for document in read_spans(path).documents.values()
    }


def refusal(*args) -> CommandError:
    with pytest.raises(CommandError) as caught:
        call_command("detect_spans", *map(str, args))
    return caught.value


def test_needs_no_servers():
    assert not needs_servers(["manage.py", "detect_spans", "docs", "--out", "x"])


def test_writes_what_presidio_detects(documents, out, tmp_path, capsys):
    call_command("detect_spans", documents, out=out, cache=tmp_path / "cache", workers=1)
    assert labels(out) == {"a": ["PERSON", "PERSON", "DATE_TIME"], "b": []}
    assert read_details(out)["recipe"] == build_recipe().digest
    assert list((tmp_path / "cache").iterdir()) == [tmp_path / "cache" / f"{build_recipe().digest}.jsonl"]
    assert "3 spans" in capsys.readouterr().out


def test_detects_only_what_the_scheme_knows(documents, out):
    call_command("detect_spans", documents, out=out, entities="mapped", preset="echr-study", no_cache=True)
    assert read_details(out)["entities"] == "DATE_TIME, LOCATION, NRP, PERSON"


def test_writes_what_another_detector_answers(documents, out, tmp_path):
    call_command("detect_spans", documents, out=out, command=detector(tmp_path))
    assert labels(out) == {"a": ["X"], "b": ["X"]}


def test_also_in_the_format_of_the_study(documents, out, tmp_path):
    study = tmp_path / "study.json"
    call_command("detect_spans", documents, out=out, command=detector(tmp_path), study_format=study)
    assert json.loads(study.read_text())[0]["presidio_detected_pii"][0]["text"] == "Bar"


def test_a_document_without_an_answer_is_an_error_but_the_others_are_written(documents, out, tmp_path, capsys):
    error = refusal(documents, "--out", out, "--command", detector(tmp_path, silent="a"))
    assert error.returncode == 1
    assert labels(out) == {"b": ["X"]}
    assert "a: " in capsys.readouterr().err


def test_never_writes_texts(documents, out, tmp_path):
    call_command("detect_spans", documents, out=out, command=detector(tmp_path))
    written = b"".join(path.read_bytes() for path in tmp_path.glob("predictions*"))
    assert b"Barack" not in written


REFUSED = {
    "no documents": (["nowhere.jsonl"], "no file or folder"),
    "no folder for the output": (["DOCS", "--out", "/no/such/folder/x"], "no folder"),
    "a folder as the output": (["DOCS", "--out", "."], "is a folder"),
    "no such program": (["DOCS", "--command", "no-such-program"], "can't be started"),
    "both detectors": (["DOCS", "--command", "x", "--model", "y"], "--model"),
    "both detectors, zero": (["DOCS", "--command", "x", "--threshold", "0"], "--threshold"),
    "a limit for Presidio": (["DOCS", "--idle-limit", "5"], "--idle-limit"),
    "no such model": (["DOCS", "--model", "en_core_web_none"], "not installed"),
    "no such entity": (["DOCS", "--entities", "PERSONS"], "It has: "),
    "no such scheme": (["DOCS", "--entities", "mapped", "--scheme", "none.toml"], "none.toml"),
    "a threshold above 1": (["DOCS", "--threshold", "50"], "from 0 to 1"),
    "a threshold that is no number": (["DOCS", "--threshold", "nan"], "from 0 to 1"),
    "no workers": (["DOCS", "--workers", "0"], "whole number of at least 1"),
    "half a worker": (["DOCS", "--workers", "0.5"], "whole number of at least 1"),
    "a preset that is not there": (["DOCS", "--preset", "none"], "echr-study"),
}


@pytest.mark.parametrize(("args", "reason"), REFUSED.values(), ids=REFUSED)
def test_says_what_is_wrong_and_writes_nothing(documents, out, args, reason):
    named = [str(documents) if arg == "DOCS" else arg for arg in args]
    error = refusal("--out", out, *named)
    assert reason in str(error)
    assert not out.exists()


def test_unusable_input_ends_with_2(documents, out):
    assert refusal("nowhere.jsonl", "--out", out).returncode == 2
