"""An export reads one snapshot and writes its file atomically."""

import os
import resource
import threading
import time

import pytest
from django.db import InternalError, connection
from django.utils import timezone

from annotator.exchange.export import job
from annotator.exchange.export.files import FileNotWritten
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.snapshot import snapshot
from annotator.exchange.export.storage import path_of
from annotator.exchange.export.writer import write_export
from annotator.exchange.services.exports import request_export
from annotator.gold.build import build_gold
from annotator.models import Batch, Export, Format, GoldBuild, GoldRecord, Judgement, Role
from profiles.jobs.heartbeat import Heartbeat
from tests.annotator.exchange.files import lines_of, make_labelled
from tests.annotator.gold.builds import say
from tests.factories import make_annotator, make_assignment, make_batch


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


@pytest.mark.django_db
def test_gold_that_is_older_than_its_judgements_is_left_out(tmp_path):
    corpus = make_labelled(accounts=("one", "two"))
    build_gold(corpus)
    judged_again, other = corpus.profiles.order_by("pseudonym")
    pending = make_batch(corpus=corpus)
    make_assignment(profile=judged_again, batch=pending)  # somebody is still to judge it, so it cannot be built
    say(judged_again, make_batch(corpus=corpus), age="60")
    build_gold(corpus)
    for kind in (Format.NATIVE, Format.LLMPRIVACY, Format.SYNTHPAI, Format.CSV):
        summary = write_export(corpus, ExportOptions(format=kind), tmp_path / kind)
        assert summary.counts["outdated"] == 1
        assert summary.counts["gold"] == GoldRecord.objects.filter(profile=other).count() > 0
    Batch.objects.filter(pk=pending.pk).update(closed_at=timezone.now())
    build_gold(corpus)
    assert write_export(corpus, ExportOptions(), tmp_path / "all").counts["outdated"] == 0


@pytest.mark.django_db
def test_waits_for_a_build_that_is_running(monkeypatch):
    corpus, now = make_labelled(accounts=("one",)), timezone.now()
    GoldRecord.objects.all().delete()
    GoldBuild.objects.update_or_create(corpus=corpus, defaults={"began_at": now, "beat_at": now, "finished_at": None})
    naps = []

    def nap(seconds: int) -> None:
        naps.append(seconds)
        GoldBuild.objects.update(finished_at=timezone.now())

    monkeypatch.setattr(job.time, "sleep", nap)
    job.build_gold_first(corpus)
    assert naps == [1]
    assert GoldBuild.objects.get().built_at


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
        with pytest.raises(FileNotWritten, match="disk space"):
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
