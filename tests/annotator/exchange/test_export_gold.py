"""`bin/manage export_gold`: the file, its manifest and the audit log."""

import hashlib
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.exchange.files import decide_age, lines_of, make_labelled

pytestmark = pytest.mark.django_db


def export(path, corpus: str = "Pilot corpus", **options) -> str:
    output = StringIO()
    call_command("export_gold", corpus=corpus, out=path, stdout=output, **options)
    return output.getvalue()


def test_writes_the_file_and_its_manifest(tmp_path):
    corpus = make_labelled()
    decide_age(corpus)
    output = export(tmp_path / "gold.jsonl")
    raw = (tmp_path / "gold.jsonl").read_bytes()
    manifest = json.loads((tmp_path / "gold.jsonl.manifest.json").read_text())
    assert "1 profiles, 8 gold, 5 negatives, 16 judgements, 2 comments" in output
    assert manifest["sha256"] == hashlib.sha256(raw).hexdigest()
    assert manifest["sha256"] in output
    assert (manifest["size"], manifest["file"], manifest["made_by"]) == (len(raw), "gold.jsonl", None)
    assert manifest["counts"]["judgements"] == 16
    assert manifest["versions"]["guidelines"] == [1]
    assert manifest["consensus"]["rule"].startswith("consensus/")
    assert manifest["filters"]["with_text"] is False
    assert entry("export_started").details == {"corpus": corpus.pk, "format": "native", "text": False}


def test_names_need_a_reason_and_leave_none_in_the_log(tmp_path):
    make_labelled()
    with pytest.raises(CommandError, match="--reason"):
        export(tmp_path / "gold.jsonl", names=True)
    assert actions() == []
    export(tmp_path / "gold.jsonl", names=True, reason="Tinroof_Rusty asked for a copy")
    assert entry("export_started").details["reason"] == "… asked for a copy"
    assert lines_of(tmp_path / "gold.jsonl")[0]["account"] == "tinroof_rusty"
    assert "tinroof" not in (tmp_path / "gold.jsonl.manifest.json").read_text()


def test_refuses_what_cannot_be(tmp_path):
    make_labelled()
    with pytest.raises(CommandError, match="no complete corpus called “other”"):
        export(tmp_path / "gold.jsonl", corpus="other")
    with pytest.raises(CommandError, match="Only the llmprivacy format"):
        export(tmp_path / "gold.jsonl", per_reviewer=True)
    with pytest.raises(CommandError, match="not gold"):
        export(tmp_path / "gold.jsonl", format="llmprivacy", per_reviewer=True, hardness=[3])
    with pytest.raises(CommandError, match="Nothing matches these filters"):
        export(tmp_path / "gold.jsonl", hardness=[5])
    with pytest.raises(CommandError, match="cannot be written"):
        export(tmp_path / "nowhere" / "gold.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_names_sealed_with_another_key_are_told(tmp_path, settings):
    make_labelled()
    settings.ACCOUNT_KEY = "another key " * 5
    with pytest.raises(CommandError, match="TELLTALE_ACCOUNT_KEY"):
        export(tmp_path / "gold.jsonl", names=True, reason="for the archive")
    assert list(tmp_path.iterdir()) == []
