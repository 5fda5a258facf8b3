"""Importing dumps by the page: which files may be named, what is asked, what is kept, and what comes of it."""

import os
import re
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from annotator.dump_folders import NotImportable, find_dumps, importable
from annotator.services import ingests
from annotator.tasks import run_ingest as task
from annotator.uploads import PART
from profiles.ingest.alone import alone_with
from profiles.ingest.options import Options
from profiles.models import Corpus, Ingest, Profile
from tests.annotator.entering import actions, entry
from tests.annotator.importing import ASKED, dump_lines, files_in, make_ingest, make_made_corpus, uploaded
from tests.annotator.test_claim_next import in_threads

pytestmark = pytest.mark.django_db
PATH = "/corpora/import/"
ELSEWHERE = "One of the files cannot be imported from here"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def dumps(settings, tmp_path) -> Path:
    """The one folder from which may be imported, with one dump in it."""
    settings.UPLOADS = tmp_path / "uploads"
    settings.IMPORT_FOLDERS = [tmp_path / "dumps"]
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / "RC_2012-11.ndjson").write_text(dump_lines("I moved to Houston last week", "so humid here"))
    return tmp_path / "dumps"


@pytest.fixture
def picked(dumps) -> dict[str, str]:
    return ASKED | {"picked": str(dumps / "RC_2012-11.ndjson")}


def refused(response) -> str:
    """Why the form was refused; nothing may have come of it."""
    assert response.status_code == 422
    assert not Corpus.objects.exists()
    assert not Ingest.objects.exists()
    assert actions() == []
    return str(response.context["form"].errors)


# ── Who may ─────────────────────────────────────────────────────────────────


def test_is_for_admins_only(picked, ada, rosalind):
    made = make_ingest(make_made_corpus(), stage="done").corpus
    client = Client()
    for path in (PATH, f"/corpora/{made.pk}/import/"):
        for ask in (client.get, client.post):
            client.logout()
            assert ask(path, picked)["Location"].startswith("/account/login/")
            for annotator in (ada, rosalind):
                client.force_login(annotator)
                assert ask(path, picked).status_code == 404
    assert Corpus.objects.count() == 1
    client.force_login(rosalind)
    assert PATH not in client.get("/corpora/").content.decode()
    assert "Add files" not in client.get(f"/corpora/{made.pk}/making/").content.decode()


def test_what_others_send_is_not_even_written_down(dumps, settings, ada):
    client = Client()
    client.force_login(ada)
    assert client.post(PATH, ASKED | {"uploads": uploaded()}).status_code == 404
    assert not settings.UPLOADS.exists()


def test_a_form_from_elsewhere_is_refused_and_leaves_nothing(picked, settings, grace):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    made = make_ingest(make_made_corpus(), stage="done").corpus
    for path in (PATH, f"/corpora/{made.pk}/import/"):
        assert client.post(path, picked | {"uploads": uploaded()}).status_code == 403
    assert files_in(settings.UPLOADS) == []
    assert Corpus.objects.count() == 1


def test_refuses_other_methods(as_grace, dumps):
    assert as_grace.delete(PATH).status_code == 405


# ── Files on the server ─────────────────────────────────────────────────────


def test_lists_dumps_in_the_folders_with_their_sizes(as_grace, dumps):
    (dumps / "2013").mkdir()
    (dumps / "2013" / "RC_2013-01.ZST").write_bytes(b"x" * 2048)
    (dumps / "notes.txt").write_text("no dump")
    page = as_grace.get(PATH).content.decode()
    assert f'value="{dumps}/2013/RC_2013-01.ZST"' in page
    assert "2.0\xa0KB" in page
    assert "notes.txt" not in page


def test_says_where_to_put_dumps_when_there_are_none(as_grace, dumps):
    (dumps / "RC_2012-11.ndjson").unlink()
    assert f"<code>{dumps}</code>" in as_grace.get(PATH).content.decode()
    dumps.rmdir()
    assert as_grace.get(PATH).status_code == 200


def test_shows_some_of_very_many_and_says_so(as_grace, dumps, monkeypatch):
    monkeypatch.setattr("annotator.dump_folders.MOST_FILES", 2)
    for number in range(2):
        (dumps / f"{number}.zst").touch()
    page = as_grace.get(PATH).content.decode()
    assert page.count('name="picked"') == 2
    assert "Only the first 2 are shown" in page


def test_does_not_look_at_a_whole_disk(dumps, monkeypatch):
    monkeypatch.setattr("annotator.dump_folders.MOST_LOOKED_AT", 3)
    for number in range(9):
        (dumps / f"{number}.zst").touch()
    assert len(find_dumps().files) == 3


def test_a_hostile_name_stays_text_and_one_that_is_no_text_is_passed_over(as_grace, dumps):
    (dumps / '"><img src=x>.zst').touch()
    os.close(os.open(os.fsencode(dumps) + b"/\xff.zst", os.O_CREAT))
    page = as_grace.get(PATH).content.decode()
    assert "&lt;img src=x&gt;.zst" in page
    assert "<img src=x>" not in page
    assert page.count('name="picked"') == 2


def outside(dumps: Path) -> Path:
    secret = dumps.parent / "secret.zst"
    secret.write_bytes(b"x")
    return secret


@pytest.mark.parametrize(
    "written",
    [
        "{dumps}/../secret.zst", "{dumps}/./../dumps/../secret.zst", "{root}/secret.zst", "{root}/missing.zst",
        "{dumps}/missing.zst", "{dumps}/out.zst", "{dumps}/away/secret.zst", "{dumps}/circle.zst", "{dumps}",
        "{dumps}/notes.txt", "../secret.zst", "RC_2012-11.ndjson", "{dumps}2/a.zst", "/etc/passwd", "/dev/zero", "",
        "{dumps}/a\x00.zst", "{dumps}/" + "x" * 5000 + ".zst", "{dumps}/pipe.zst",
    ],
)  # fmt: skip
def test_nothing_outside_the_folders_can_be_named(as_grace, dumps, written):
    secret = outside(dumps)
    (dumps / "out.zst").symlink_to(secret)
    (dumps / "away").symlink_to(dumps.parent)
    (dumps / "circle.zst").symlink_to(dumps / "circle.zst")
    (dumps / "notes.txt").touch()
    os.mkfifo(dumps / "pipe.zst")
    (dumps.parent / "dumps2").mkdir()
    (dumps.parent / "dumps2" / "a.zst").touch()
    response = as_grace.post(PATH, ASKED | {"picked": written.format(dumps=dumps, root=dumps.parent)})
    assert ELSEWHERE in refused(response)
    assert [dump.name for dump in find_dumps().files] == ["RC_2012-11.ndjson"]


def test_a_link_that_stays_inside_may_be_named_and_gives_its_real_place(dumps):
    (dumps / "again.zst").symlink_to(dumps / "RC_2012-11.ndjson")
    with pytest.raises(NotImportable):  # it is what it is, not what the link calls it
        importable(str(dumps / "gone.zst"))
    assert importable(str(dumps / "again.zst")) == (dumps / "RC_2012-11.ndjson").resolve()


# ── What is asked ───────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"picked": []}, "Choose at least one file"),
        ({"name": " "}, "required"),
        ({"name": "x" * 101}, "at most 100"),
        ({"name": "a\x00"}, "Null characters"),
        ({"since": "yesterday"}, "valid date"),
        ({"since": "2016-01-01"}, "The years are empty"),
        ({"since": "2017-01-01"}, "The years are empty"),
        ({"min_chars": "0"}, "greater than or equal to 1"),
        ({"min_comments": "9", "max_comments": "3"}, "No profile can have at least 9 and at most 3"),
        ({"sample": "-1"}, "greater than or equal to 1"),
        ({"seed": "one"}, "whole number"),
        ({"which": "mine"}, "not one of the available choices"),
        ({"which": "file"}, "Choose the file with the subreddits"),
        ({"which": "file", "names": uploaded("houston\ntwo words\n", "n.txt")}, "Line 2 is no name"),
        ({"which": "file", "names": uploaded(b"\xff\xfe", "n.txt")}, "not UTF-8"),
        ({"which": "file", "names": uploaded(b"x\n" * 500_001, "n.txt")}, "larger than 1 MB"),
        ({"uploads": uploaded(name="dump.exe")}, "whose names end in .zst"),
        ({"uploads": uploaded(b"")}, "empty"),
    ],
    ids=str,
)
def test_refuses_what_makes_no_sense_and_keeps_the_input(as_grace, picked, settings, changed, why):
    response = as_grace.post(PATH, picked | {"name": "my pilot", "min_comments": "4"} | changed)
    assert why in refused(response)
    page = response.content.decode()
    assert ("my pilot" in page) or "name" in changed
    assert ('value="4"' in page) or "min_comments" in changed
    assert (" checked" in page.split('name="picked"')[1][:200]) or "picked" in changed
    assert files_in(settings.UPLOADS) == []


def test_rules_that_are_wrong_are_not_out_of_sight(as_grace, picked):
    assert '<details class="more">' in as_grace.get(PATH).content.decode()
    assert '<details class="more" open>' in as_grace.post(PATH, picked | {"seed": "one"}).content.decode()


def test_a_name_that_is_taken_leads_to_the_corpus(as_grace, picked):
    make_made_corpus("pilot")
    response = as_grace.post(PATH, picked)
    assert response.status_code == 422
    assert "There is a corpus of this name" in response.content.decode()
    assert Corpus.objects.count() == 1


def test_hostile_input_stays_text(as_grace, picked):
    response = as_grace.post(PATH, picked | {"name": HOSTILE, "seed": HOSTILE, "since": HOSTILE})
    assert response.status_code == 422
    assert HOSTILE not in response.content.decode()


def options_of(response) -> Options:
    assert response.status_code == 302, response.context["form"].errors
    corpus = Corpus.objects.get()
    assert response["Location"] == f"/corpora/{corpus.pk}/making/"
    return Options.from_json(corpus.options)


def test_what_was_asked_becomes_the_rules_of_the_corpus(as_grace, picked):
    asked = {"since": "2013-01-01", "min_chars": "25", "max_comments": "900", "sample": "40", "seed": "7"}
    made = options_of(as_grace.post(PATH, picked | asked | {"keep_bots": "on", "keep_entities": "on"}))
    assert (str(made.since), made.min_chars, made.max_comments, made.sample, made.seed) == (
        "2013-01-01",
        25,
        900,
        40,
        7,
    )
    assert (made.keep_bots, made.keep_entities) == (True, True)
    assert (made.keep_duplicates, made.keep_quotes, made.exact_spelling) == (False, False, False)
    assert made.subreddits == "all"


def test_as_in_the_study_counts_more_than_the_rest(as_grace, picked):
    asked = {"since": "2014-06-01", "min_chars": "99", "sample": "3", "as_study": "on"}
    made = options_of(as_grace.post(PATH, picked | asked))
    assert made.to_json() == made.as_study().to_json()
    assert (made.min_chars, made.sample, made.exact_spelling, made.subreddits) == (10, None, True, "all")


@pytest.mark.parametrize(("file", "kept_as"), [("places.txt", "places.txt"), ("all", "all.txt"), ("ours", "ours.txt")])
def test_takes_the_subreddits_of_a_file(as_grace, picked, file, kept_as):
    names = uploaded("\ufeffHouston\r\n\n /r/seattle \nr/AskReddit", file)
    made = options_of(as_grace.post(PATH, picked | {"which": "file", "names": names}))
    assert (made.subreddits, made.names) == (kept_as, ("askreddit", "houston", "seattle"))


def test_starting_is_written_to_the_audit_log_without_names(as_grace, grace, picked):
    as_grace.post(PATH, picked)
    ingest = Ingest.objects.get()
    assert entry("import_started").actor == grace
    assert entry("import_started").details == {"corpus": ingest.corpus_id, "ingest": ingest.pk, "files": 1}
    assert "started an import" in as_grace.get("/audit/").content.decode()


def test_a_worker_is_asked_once_all_is_written(as_grace, picked, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as calls:
        as_grace.post(PATH, picked)
    assert [(call.func, call.args) for call in calls] == [(task.delay, (Ingest.objects.get().pk,))]
    assert task.acks_late is False


# ── Uploads ─────────────────────────────────────────────────────────────────


def test_an_upload_is_kept_for_us_alone_under_a_name_nobody_can_guess(as_grace, dumps, settings):
    response = as_grace.post(PATH, ASKED | {"uploads": [uploaded(name="../ä RC.ndjson"), uploaded(name="b.jsonl")]})
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
    assert "larger than 1.0" in refused(response)
    assert "TELLTALE_UPLOAD_MB" in response.content.decode()
    assert files_in(settings.UPLOADS) == []


def test_an_upload_as_large_as_allowed_is_taken(as_grace, dumps, settings):
    settings.UPLOAD_BYTES = 600_000
    assert as_grace.post(PATH, ASKED | {"uploads": uploaded(b"x" * 600_000)}).status_code == 302
    assert [file.stat().st_size for file in files_in(settings.UPLOADS)] == [600_000]


def test_a_full_disk_is_explained(as_grace, dumps, settings, monkeypatch):
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("annotator.uploads.DumpUpload.write", full, raising=False)
    assert "not enough room" in refused(as_grace.post(PATH, ASKED | {"uploads": uploaded()}))
    assert files_in(settings.UPLOADS) == []


def test_a_refused_import_leaves_no_upload(as_grace, dumps, settings):
    """The corpus is being made already, so the files of a second import must go at once."""
    corpus = make_made_corpus("pilot", ready=False)
    make_ingest(corpus, stage=Ingest.Stage.WAITING)
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", {"uploads": uploaded()})
    assert response.status_code == 422
    assert response.context["form"].non_field_errors()
    assert files_in(settings.UPLOADS) == []
    assert Ingest.objects.count() == 1


def test_what_a_killed_server_left_half_done_goes_after_a_day(as_grace, picked, settings):
    settings.UPLOADS.mkdir()
    old, new, kept = (settings.UPLOADS / name for name in (f"{PART}old.zst", f"{PART}new.zst", "kept-1.zst"))
    for file in (old, new, kept):
        file.touch()
    long_ago = (timezone.now() - timedelta(days=2)).timestamp()
    for file in (old, kept):
        os.utime(file, (long_ago, long_ago))
    as_grace.post(PATH, picked | {"uploads": uploaded(), "seed": "wrong"})
    assert files_in(settings.UPLOADS) == [new, kept]


# ── Into a corpus that is there ─────────────────────────────────────────────


def test_adding_files_shows_the_rules_and_does_not_ask_for_them(as_grace, dumps):
    corpus = make_ingest(make_made_corpus(min_chars=33), stage="done").corpus
    page = as_grace.get(f"/corpora/{corpus.pk}/import/").content.decode()
    assert "at least 33 characters" in page
    for asked in ("name", "since", "which", "min_chars", "as_study"):
        assert f'name="{asked}"' not in page


def test_added_files_keep_the_rules_of_the_corpus(as_grace, picked):
    corpus = make_ingest(make_made_corpus(min_chars=33), stage="done").corpus
    before = corpus.options
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", picked | {"min_chars": "1"})
    assert response["Location"] == f"/corpora/{corpus.pk}/making/"
    corpus.refresh_from_db()
    assert corpus.options == before
    assert corpus.ingests.count() == 2


def test_says_when_the_earlier_files_are_needed_again(as_grace, dumps):
    """At least two comments per profile: one of a file and one of the next make a profile."""
    for rules, needed in (({"min_comments": 2}, True), ({}, False)):
        corpus = make_ingest(make_made_corpus(**rules), stage="done").corpus
        page = as_grace.get(f"/corpora/{corpus.pk}/import/").content.decode()
        assert ("Give the earlier files too" in page) is needed


def test_a_sample_cannot_grow(as_grace, picked):
    corpus = make_ingest(make_made_corpus(sample=10), stage="done").corpus
    assert "Add files" not in as_grace.get(f"/corpora/{corpus.pk}/making/").content.decode()
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", picked, follow=True)
    assert "No files can be added" in response.content.decode()
    assert corpus.ingests.count() == 1


# ── All the way ─────────────────────────────────────────────────────────────


def test_an_upload_becomes_a_corpus_that_can_be_read(as_grace, dumps, settings, transactional_db):
    text = dump_lines("I moved to Houston last week", "so humid here, &gt; than at home")
    text += dump_lines("nothing but rain, again", author="rain_or_shine", subreddit="Seattle") + "this is no JSON\n"
    as_grace.post(PATH, ASKED | {"uploads": uploaded(text)})
    ingest = Ingest.objects.get()
    assert "no profiles" not in as_grace.get(f"/corpora/{ingest.corpus_id}/").content.decode()
    ingests.run(ingest.pk)
    ingest.refresh_from_db()
    assert (ingest.stage, ingest.problem) == ("done", "")
    assert files_in(settings.UPLOADS) == []
    assert sorted(profile.comment_count for profile in Profile.objects.all()) == [1, 2]
    page = as_grace.get(f"/corpora/{ingest.corpus_id}/").content.decode()
    assert all(profile.pseudonym in page for profile in Profile.objects.all())
    made = as_grace.get(f"/corpora/{ingest.corpus_id}/making/").content.decode()
    assert "Loaded" in made
    assert f"/files/{ingest.corpus.files.get().pk}/" in made
    aside = as_grace.get(f"/corpora/{ingest.corpus_id}/files/{ingest.corpus.files.get().pk}/").content.decode()
    assert '<th scope="row" class="num">4</th>' in aside


def test_an_import_that_fails_says_why_and_keeps_no_upload(as_grace, dumps, settings, transactional_db):
    as_grace.post(PATH, ASKED | {"uploads": uploaded(b"\x28\xb5\x2f\xfd broken", "RC.zst")})
    ingest = Ingest.objects.get()
    ingests.run(ingest.pk)
    ingest.refresh_from_db()
    assert ingest.finished_at
    assert files_in(settings.UPLOADS) == []


def test_an_upload_stays_while_another_run_reads_it_after_all(as_grace, dumps, settings, transactional_db):
    """The first only seemed to be dead, so the second is refused; it must not take the file away from under it."""
    as_grace.post(PATH, ASKED | {"uploads": uploaded(dump_lines("I moved to Houston last week"))})
    first = Ingest.objects.get()
    second = Ingest.objects.create(corpus=first.corpus, paths=first.paths)
    with alone_with(first):
        in_threads(lambda: ingests.run(second.pk))
    second.refresh_from_db()
    assert (second.stage, "right now" in second.problem) == ("stopped", True)
    assert len(files_in(settings.UPLOADS)) == 1
    ingests.run(first.pk)
    assert files_in(settings.UPLOADS) == []


def test_an_upload_stays_for_one_that_was_killed(as_grace, dumps, settings, monkeypatch):
    """Nothing is written when a process is killed: then the row has no end, and the files are needed to go on."""
    as_grace.post(PATH, ASKED | {"uploads": uploaded()})
    monkeypatch.setattr(ingests, "run_ingest", lambda ingest: None)
    ingests.run(Ingest.objects.get().pk)
    assert len(files_in(settings.UPLOADS)) == 1


def test_a_dump_on_the_server_stays_where_it_is(as_grace, picked, dumps, transactional_db):
    as_grace.post(PATH, picked)
    ingests.run(Ingest.objects.get().pk)
    assert Ingest.objects.get().stage == "done"
    assert (dumps / "RC_2012-11.ndjson").exists()


def test_one_that_was_begun_is_not_begun_again(picked, settings):
    """A message that comes twice, or late, finds the row taken."""
    settings.UPLOADS.mkdir()
    kept = settings.UPLOADS / "RC-1.ndjson"
    kept.touch()
    for ingest in (make_ingest(paths=[str(kept)]), make_ingest(stage="stopped", paths=[str(kept)])):
        before = Ingest.objects.values().get(pk=ingest.pk)
        ingests.run(ingest.pk)
        assert Ingest.objects.values().get(pk=ingest.pk) == before
    assert kept.exists()
