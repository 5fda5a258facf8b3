"""Uploaded dumps: private, ingested into a corpus, and removed."""

import os
import re
import stat
from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.core.uploads import PART_PREFIX
from annotator.corpora import ingest_worker
from profiles.ingest.lock import alone_with
from profiles.ingest.work_folder import WorkFolder
from profiles.models import Corpus, Ingest, Profile
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.corpora.dumps import (
    IMPORT_FORM,
    PATH,
    dump_lines,
    files_in,
    form_errors,
    make_imported_corpus,
    make_ingest,
    uploaded,
)

pytestmark = pytest.mark.django_db


def test_an_upload_is_kept_for_us_alone_under_a_name_nobody_can_guess(as_grace, dumps, settings):
    response = as_grace.post(
        PATH, IMPORT_FORM | {"uploads": [uploaded(name="../ä RC.ndjson"), uploaded(name="b.jsonl")]}
    )
    assert response.status_code == 302
    first, second = files_in(settings.UPLOADS)
    assert re.fullmatch(r"_RC-[0-9a-f]{12}\.ndjson", first.name)
    assert re.fullmatch(r"b-[0-9a-f]{12}\.jsonl", second.name)
    assert stat.S_IMODE(settings.UPLOADS.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (first, second)} == {0o600}
    assert sorted(Ingest.objects.get().paths) == [str(first), str(second)]


def test_an_upload_that_is_too_large_is_explained_and_not_kept(as_grace, picked, settings):
    settings.UPLOAD_BYTES = 1024 * 1024
    half = b"x" * 600_000
    response = as_grace.post(PATH, picked | {"uploads": [uploaded(half), uploaded(half, "b.jsonl")]})
    assert "larger than 1.0" in form_errors(response)["uploads"]
    assert "TELLTALE_UPLOAD_MB" in response.content.decode()
    assert files_in(settings.UPLOADS) == []


def test_an_upload_as_large_as_allowed_is_taken(as_grace, dumps, settings):
    settings.UPLOAD_BYTES = 600_000
    assert as_grace.post(PATH, IMPORT_FORM | {"uploads": uploaded(b"x" * 600_000)}).status_code == 302
    assert [file.stat().st_size for file in files_in(settings.UPLOADS)] == [600_000]


def test_a_full_disk_is_explained(as_grace, dumps, settings, monkeypatch):
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("annotator.core.uploads.DumpUpload.write", full, raising=False)
    assert "disk space" in form_errors(as_grace.post(PATH, IMPORT_FORM | {"uploads": uploaded()}))["uploads"]
    assert files_in(settings.UPLOADS) == []


def test_a_refused_import_leaves_no_upload(as_grace, dumps, settings):
    """The corpus is being made already, so the files of a second import must go at once."""
    corpus = make_imported_corpus("pilot", ready=False)
    make_ingest(corpus, stage=Ingest.Stage.WAITING)
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", {"uploads": uploaded()})
    assert response.status_code == 422
    assert response.context["form"].non_field_errors()
    assert files_in(settings.UPLOADS) == []
    assert Ingest.objects.count() == 1


def test_what_a_killed_server_left_half_done_goes_after_a_day(as_grace, picked, settings):
    settings.UPLOADS.mkdir()
    old, new, kept = (
        settings.UPLOADS / name for name in (f"{PART_PREFIX}old.zst", f"{PART_PREFIX}new.zst", "kept-1.zst")
    )
    for file in (old, new, kept):
        file.touch()
    long_ago = (timezone.now() - timedelta(days=2)).timestamp()
    for file in (old, kept):
        os.utime(file, (long_ago, long_ago))
    as_grace.post(PATH, picked | {"uploads": uploaded(), "seed": "wrong"})
    assert files_in(settings.UPLOADS) == [new, kept]


def test_an_upload_becomes_a_corpus_that_can_be_read(as_grace, dumps, settings, transactional_db):
    text = dump_lines("I moved to Houston last week", "so humid here, &gt; than at home")
    text += dump_lines("nothing but rain, again", author="rain_or_shine", subreddit="Seattle") + "this is no JSON\n"
    as_grace.post(PATH, IMPORT_FORM | {"uploads": uploaded(text)})
    ingest = Ingest.objects.get()
    assert "no profiles" not in as_grace.get(f"/corpora/{ingest.corpus_id}/").content.decode()
    ingest_worker.run(ingest.pk)
    ingest.refresh_from_db()
    assert (ingest.stage, ingest.problem) == ("done", "")
    assert files_in(settings.UPLOADS) == []
    assert ingest.corpus.runs.count() == 1  # detection begins by itself
    assert sorted(profile.comment_count for profile in Profile.objects.all()) == [1, 2]
    page = as_grace.get(f"/corpora/{ingest.corpus_id}/").content.decode()
    assert all(profile.pseudonym in page for profile in Profile.objects.all())
    provenance = as_grace.get(f"/corpora/{ingest.corpus_id}/provenance/").content.decode()
    assert "Loaded" in provenance
    assert f"/files/{ingest.corpus.files.get().pk}/" in provenance
    aside = as_grace.get(f"/corpora/{ingest.corpus_id}/files/{ingest.corpus.files.get().pk}/").content.decode()
    assert '<th scope="row" class="num">4</th>' in aside


PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20


@pytest.mark.parametrize("contents", [b"\x28\xb5\x2f\xfd broken", PNG])
def test_an_import_of_nothing_readable_leaves_no_corpus_and_says_why(
    as_grace, dumps, settings, transactional_db, contents
):
    as_grace.post(PATH, IMPORT_FORM | {"uploads": uploaded(contents, "RC.zst")})
    ingest = Ingest.objects.get()
    page, work = f"/corpora/{ingest.corpus_id}/provenance/", WorkFolder(ingest.corpus)
    assert as_grace.get(page).status_code == 200
    ingest_worker.run(ingest.pk)
    assert files_in(settings.UPLOADS) == []
    assert not Corpus.objects.exists()
    assert not work.folder.exists()
    assert as_grace.get(f"/corpora/{ingest.corpus_id}/progress/")["HX-Refresh"] == "true"
    listing = as_grace.get(page, follow=True)
    [reason] = [str(message) for message in listing.context["messages"]]
    assert reason.startswith("“pilot” was not created.")
    assert "RC" in reason


def test_an_import_into_a_corpus_that_is_there_leaves_it(as_grace, dumps, settings, transactional_db):
    as_grace.post(PATH, IMPORT_FORM | {"uploads": uploaded(dump_lines("I moved to Houston last week"))})
    ingest_worker.run(Ingest.objects.get().pk)
    corpus = Corpus.objects.get()
    as_grace.post(f"/corpora/{corpus.pk}/import/", {"uploads": uploaded(PNG, "RC.zst")})
    ingest_worker.run(Ingest.objects.latest("pk").pk)
    assert as_grace.get(f"/corpora/{corpus.pk}/provenance/").status_code == 200
    assert Profile.objects.count() == 1


def test_an_upload_stays_while_another_run_reads_it_after_all(as_grace, dumps, settings, transactional_db):
    """The first only seemed to be dead, so the second is refused; it must not take the file away from under it."""
    as_grace.post(PATH, IMPORT_FORM | {"uploads": uploaded(dump_lines("I moved to Houston last week"))})
    first = Ingest.objects.get()
    second = Ingest.objects.create(corpus=first.corpus, paths=first.paths)
    with alone_with(first):
        in_threads(lambda: ingest_worker.run(second.pk))
    second.refresh_from_db()
    assert (second.stage, "right now" in second.problem) == ("stopped", True)
    assert len(files_in(settings.UPLOADS)) == 1
    ingest_worker.run(first.pk)
    assert files_in(settings.UPLOADS) == []


def test_an_upload_stays_for_one_that_was_killed(as_grace, dumps, settings, monkeypatch):
    """Nothing is written when a process is killed: then the row has no end, and the files are needed to go on."""
    as_grace.post(PATH, IMPORT_FORM | {"uploads": uploaded()})
    monkeypatch.setattr(ingest_worker, "run_ingest", lambda ingest: None)
    ingest_worker.run(Ingest.objects.get().pk)
    assert len(files_in(settings.UPLOADS)) == 1


def test_a_dump_on_the_server_stays_where_it_is(as_grace, picked, dumps, transactional_db):
    as_grace.post(PATH, picked)
    ingest_worker.run(Ingest.objects.get().pk)
    assert Ingest.objects.get().stage == "done"
    assert (dumps / "RC_2012-11.ndjson").exists()


def test_one_that_was_begun_is_not_begun_again(picked, settings):
    """A message that comes twice, or late, finds the row taken."""
    settings.UPLOADS.mkdir()
    kept = settings.UPLOADS / "RC-1.ndjson"
    kept.touch()
    for ingest in (make_ingest(paths=[str(kept)]), make_ingest(stage="stopped", paths=[str(kept)])):
        before = Ingest.objects.values().get(pk=ingest.pk)
        ingest_worker.run(ingest.pk)
        assert Ingest.objects.values().get(pk=ingest.pk) == before
    assert kept.exists()
