"""An export reads one snapshot and writes its file atomically."""

import os
import resource
import threading
import time

import pytest
from django.db import InternalError, connection

from annotator.exchange.export import job
from annotator.exchange.export.files import FileNotWritten
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.snapshot import snapshot
from annotator.exchange.export.storage import path_of
from annotator.exchange.export.writer import write_export
from annotator.exchange.services.exports import request_export
from annotator.models import Export, Judgement, Role
from profiles.jobs.heartbeat import Heartbeat
from tests.annotator.exchange.files import lines_of, make_labelled
from tests.factories import make_annotator


def elsewhere(work) -> None:
    """Run on a separate connection, as another process would."""
    from django.db import connections

    def and_close() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=and_close)
    thread.start()
    thread.join()


@pytest.mark.django_db(transaction=True)
def test_what_is_judged_meanwhile_is_not_in_it(tmp_path, monkeypatch):
    monkeypatch.setattr("annotator.exchange.export.reader.MAX_CHUNK_PROFILES", 1)
    monkeypatch.setattr("annotator.exchange.export.writer.REPORT_EVERY", 1)
    corpus = make_labelled(accounts=("one", "two", "three"))
    judged = Judgement.objects.filter(attribute="occupation")

    def change(done: int, total: int) -> None:
        if done == 1:
            elsewhere(lambda: judged.update(value="changed meanwhile"))

    write_export(corpus, ExportOptions(), tmp_path / "gold.jsonl", change)
    values = {
        r["answers"]["occupation"]["value"] for line in lines_of(tmp_path / "gold.jsonl") for r in line["judgements"]
    }
    assert values == {"nurse"}
    assert set(judged.values_list("value", flat=True)) == {"changed meanwhile"}
    with pytest.raises(InternalError, match="read-only"), snapshot():
        judged.update(value="by mistake")


@pytest.mark.django_db(transaction=True)
def test_progress_is_seen_by_others_while_it_is_made(settings, tmp_path, monkeypatch):
    settings.EXPORTS = tmp_path / "exports"
    monkeypatch.setattr("annotator.exchange.export.writer.REPORT_EVERY", 1)
    monkeypatch.setattr("profiles.jobs.heartbeat.EVERY", 0.02)
    corpus, seen = make_labelled(accounts=("one", "two")), []
    export = request_export(corpus, ExportOptions(), by=make_annotator(roles=[Role.RESEARCHER]))
    monkeypatch.setattr(Heartbeat, "tell", _looking(Heartbeat.tell, export, seen))
    job.run(export.pk)
    assert (1, 2) in seen
    export.refresh_from_db()
    assert export.sha256
    assert oct(os.stat(path_of(export)).st_mode & 0o777) == "0o600"


def _looking(tell, export, seen):
    def told(heartbeat, done, total):
        tell(heartbeat, done, total)
        time.sleep(0.3)  # some beats
        elsewhere(lambda: seen.append(Export.objects.values_list("done", "total").get(pk=export.pk)))

    return told


@pytest.mark.django_db
def test_a_full_disk_leaves_the_old_file(tmp_path):
    corpus, path = make_labelled(), tmp_path / "gold.jsonl"
    path.write_text("the old one\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, before[1]))
    try:
        with pytest.raises(FileNotWritten, match="not enough room"):
            write_export(corpus, ExportOptions(with_text=True), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "the old one\n"
    assert [file.name for file in tmp_path.iterdir()] == ["gold.jsonl"]


@pytest.mark.django_db
def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FileNotWritten, match="cannot be written"):
        write_export(make_labelled(), ExportOptions(), tmp_path / "nowhere" / "gold.jsonl")


@pytest.mark.django_db
def test_within_a_transaction_that_one_decides():
    assert connection.in_atomic_block
    with snapshot():
        make_annotator()
