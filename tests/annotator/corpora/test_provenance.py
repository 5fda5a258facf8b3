"""Provenance of a corpus: progress, resuming, funnel, rules, files, and lines set aside."""

import threading
from contextlib import closing, suppress
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client

from annotator.core.formatting import format_duration
from annotator.corpora.services import imports as services
from annotator.corpora.views.provenance import RESUMED
from profiles.ingest.plan import IngestRefused
from profiles.models import Ingest, SetAside
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.corpora.dumps import dump_lines, make_dump_file, make_imported_corpus, make_ingest
from tests.annotator.corpora.hint_lists import messages_of
from tests.factories import make_corpus, make_profile
from tests.profiles.ingest.dumps import line, lines_of, pack, write_dump
from tests.profiles.ingest.runs import ingest as ingest_files

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
HOSTILE = "<script>alert(1)</script>"


def text(client, path: str, **kwargs) -> str:
    response = client.get(path, **kwargs)
    assert response.status_code == 200
    return response.content.decode()


# ── Who may see it ──────────────────────────────────────────────────────────


@pytest.mark.parametrize("ready", [True, False])
def test_researchers_see_all_of_it_evaluators_nothing(ready, ada, rosalind):
    corpus = make_imported_corpus(ready=ready)
    make_ingest(corpus)
    file = make_dump_file(corpus, reasons={"not JSON": 1})
    at = f"/corpora/{corpus.pk}/"
    client = Client()
    for path in (at, f"{at}provenance/", f"{at}progress/", f"{at}files/{file.pk}/"):
        assert client.get(path)["Location"].startswith("/account/login/")
        client.force_login(rosalind)
        assert client.get(path).status_code == 200
        client.force_login(ada)
        assert client.get(path).status_code == 404
        client.logout()


def test_only_admins_may_let_it_resume_import(ada, rosalind):
    ingest = make_ingest(stage="stopped")
    path, client = f"/corpora/{ingest.corpus_id}/resume/", Client()
    assert client.post(path)["Location"].startswith("/account/login/")
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        assert client.post(path).status_code == 404
    page = provenance_page(client, rosalind, ingest)
    assert "<button id=" not in page
    assert Ingest.objects.count() == 1


def provenance_page(client, annotator, ingest) -> str:
    client.force_login(annotator)
    return text(client, f"/corpora/{ingest.corpus_id}/provenance/")


def test_refuses_wrong_methods(as_grace):
    corpus = make_ingest().corpus
    assert as_grace.post(f"/corpora/{corpus.pk}/provenance/").status_code == 405
    assert as_grace.post(f"/corpora/{corpus.pk}/progress/").status_code == 405
    assert as_grace.get(f"/corpora/{corpus.pk}/resume/").status_code == 405


def test_a_corpus_without_an_ingest_that_is_not_ready_does_not_exist(as_grace):
    corpus = make_corpus(ready=False)
    for rest in ("", "provenance/", "progress/", "import/"):
        assert as_grace.get(f"/corpora/{corpus.pk}/{rest}").status_code == 404


# ── Progress ────────────────────────────────────────────────────────────────


def test_a_half_made_corpus_shows_progress_and_no_profiles(as_grace):
    ingest = make_ingest(done=500, total=1000, lines=80_000, kept=900, file="RC_2012-11.zst")
    profile = make_profile(corpus=ingest.corpus)
    page = text(as_grace, f"/corpora/{ingest.corpus_id}/")
    assert profile.pseudonym not in page
    assert as_grace.get(f"/profiles/{profile.pk}/").status_code == 404
    for shown in ("Reading and filtering: RC_2012-11.zst", "8\u202f000 lines a second · 10 s left", "80\u202f000"):
        assert shown in page
    assert 'max="1000" value="500"' in page


def test_counts_comments_while_they_are_loaded(as_grace):
    ingest = make_ingest(stage="loading", done=2500, total=10_000)
    page = text(as_grace, f"/corpora/{ingest.corpus_id}/")
    assert "2\u202f500 of 10\u202f000 comments" in page
    assert "250 comments a second · 30 s left" in page


def test_more_than_everything_is_everything(as_grace):
    ingest = make_ingest(done=1001, total=1000)
    assert 'max="1000" value="1000"' in text(as_grace, f"/corpora/{ingest.corpus_id}/")


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (59.4, "59 s"), (60, "1 min"), (3599, "1 h 0 min"), (7300, "2 h 2 min")]
)
def test_time_left_in_words(seconds, words):
    assert format_duration(timedelta(seconds=seconds)) == words


def test_asks_again_every_two_seconds_while_it_runs(as_grace):
    ingest = make_ingest(done=1, total=10)
    path = f"/corpora/{ingest.corpus_id}/progress/"
    assert f'hx-get="{path}?told=' in text(as_grace, f"/corpora/{ingest.corpus_id}/")
    fragment = text(as_grace, path, headers=HTMX)
    assert 'hx-trigger="every 2s"' in fragment
    assert "<html" not in fragment


def test_reads_out_each_stage_and_tenth_once(as_grace):
    ingest = make_ingest(done=29, total=100)
    path = f"/corpora/{ingest.corpus_id}/progress/"
    assert 'role="status" aria-live="polite"' in text(as_grace, f"/corpora/{ingest.corpus_id}/")
    news = '<div hx-swap-oob="innerHTML:#progress-told">Reading and filtering, 20\u202f%</div>'
    assert news in text(as_grace, path, query_params={"told": "Reading and filtering, 10\u202f%"})
    assert news not in text(as_grace, path, query_params={"told": "Reading and filtering, 20\u202f%"})


@pytest.mark.parametrize("ended", [{"stage": "done"}, {"stage": "stopped"}, {"stage": "reading", "quiet": 31}], ids=str)
def test_stops_asking_when_nothing_runs_and_loads_the_page_anew(as_grace, ended):
    ingest = make_ingest(**ended)
    response = as_grace.get(f"/corpora/{ingest.corpus_id}/progress/", headers=HTMX)
    assert response["HX-Refresh"] == "true"
    assert "hx-trigger" not in text(as_grace, f"/corpora/{ingest.corpus_id}/provenance/")


def test_one_that_fell_silent_says_so_and_offers_to_resume_import(as_grace):
    page = text(as_grace, f"/corpora/{make_ingest(quiet=31).corpus_id}/")
    assert "hasn’t responded since" in page
    assert ">Resume</button>" in page


def test_one_that_gives_signs_of_life_does_not_offer_it(as_grace):
    assert "Resume" not in text(as_grace, f"/corpora/{make_ingest(quiet=20).corpus_id}/")


def test_one_that_stopped_says_why(as_grace):
    ingest = make_ingest(stage="stopped", problem=f"The disk is full. {HOSTILE}")
    page = text(as_grace, f"/corpora/{ingest.corpus_id}/")
    assert "The disk is full. &lt;script&gt;" in page
    assert HOSTILE not in page
    assert ">Resume</button>" in page


def test_one_that_no_worker_takes_says_so_and_keeps_looking(as_grace):
    page = text(as_grace, f"/corpora/{make_ingest(stage='waiting', quiet=40).corpus_id}/")
    assert "Waiting for a worker" in page
    assert 'hx-trigger="every 2s"' in page
    assert ">Resume</button>" in page


def test_a_ready_corpus_that_grows_shows_progress_beside_its_profiles(as_grace):
    corpus = make_imported_corpus()
    profile = make_profile(corpus=corpus)
    make_ingest(corpus, stage="loading", done=1, total=2)
    page = text(as_grace, f"/corpora/{corpus.pk}/")
    assert profile.pseudonym in page
    assert 'hx-trigger="every 2s"' in page


def test_one_that_ended_well_leaves_the_page_alone(as_grace):
    corpus = make_imported_corpus()
    make_ingest(corpus, stage="done")
    assert 'id="progress"' not in text(as_grace, f"/corpora/{corpus.pk}/")


def test_what_is_worth_knowing_of_one_that_ended_stands_where_it_was_made(as_grace):
    corpus = make_imported_corpus()
    make_ingest(corpus, stage="done", problem=f"1 of 2 files could not be read: {HOSTILE}.")
    page = text(as_grace, f"/corpora/{corpus.pk}/provenance/")
    assert "1 of 2 files could not be read: &lt;script&gt;" in page
    assert "Resume" not in page


# ── Resuming ────────────────────────────────────────────────────────────────


@pytest.fixture
def stopped(tmp_path) -> Ingest:
    dump = tmp_path / "RC_2012-11.ndjson"
    dump.write_text(dump_lines("I moved to Houston last week"))
    return make_ingest(quiet=60, paths=[str(dump)])


def test_resuming_asks_for_the_same_files_again(as_grace, grace, stopped):
    response = as_grace.post(f"/corpora/{stopped.corpus_id}/resume/", follow=True)
    assert RESUMED in messages_of(response)
    again = Ingest.objects.latest("pk")
    assert (again.corpus_id, again.paths) == (stopped.corpus_id, stopped.paths)
    assert again.pk != stopped.pk
    assert entry("import_started").actor == grace
    assert entry("import_started").details == {"corpus": stopped.corpus_id, "ingest": again.pk, "files": 1}


def test_a_second_press_starts_no_second_one(as_grace, stopped):
    for _ in range(2):
        response = as_grace.post(f"/corpora/{stopped.corpus_id}/resume/", follow=True)
    assert services.RUNNING in messages_of(response)
    assert Ingest.objects.count() == 2
    assert actions() == ["import_started"]


def test_one_that_still_waits_is_called_out_again_and_not_doubled(as_grace, django_capture_on_commit_callbacks):
    ingest = make_ingest(stage="waiting", quiet=60)
    with django_capture_on_commit_callbacks() as calls:
        as_grace.post(f"/corpora/{ingest.corpus_id}/resume/")
    assert Ingest.objects.count() == 1
    assert [call.args for call in calls] == [(ingest.pk,)]


@pytest.mark.parametrize(
    ("stage", "refusal"), [("reading", services.RUNNING), ("done", services.NOTHING_STOPPED)], ids=["reading", "done"]
)
def test_resumes_only_what_has_stopped(as_grace, stage, refusal):
    ingest = make_ingest(stage=stage)
    response = as_grace.post(f"/corpora/{ingest.corpus_id}/resume/", follow=True)
    assert refusal in messages_of(response)
    assert (Ingest.objects.count(), actions()) == (1, [])


def test_does_not_resume_when_an_upload_is_gone(as_grace, settings):
    ingest = make_ingest(stage="stopped", paths=[str(settings.UPLOADS / "RC-1a2b.zst")])
    response = as_grace.post(f"/corpora/{ingest.corpus_id}/resume/", follow=True)
    assert services.UPLOADS_GONE in messages_of(response)
    assert Ingest.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_press_at_once_start_one(grace, stopped, monkeypatch, rf):
    """Both have looked before either writes: only the lock on the corpus keeps the second out."""
    together, begun = threading.Barrier(2), []
    really_look = services._stopped

    def look_together(corpus):
        looked = really_look(corpus)
        with suppress(threading.BrokenBarrierError):
            together.wait(timeout=0.5)
        return looked

    def press() -> None:
        with suppress(IngestRefused), closing(connection):
            begun.append(services.resume_import(stopped.corpus, by=grace, request=rf.post("/")))

    monkeypatch.setattr(services, "_stopped", look_together)
    monkeypatch.setattr(services.tasks.run_ingest, "delay", lambda pk: None)
    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert len(begun) == 1
    assert Ingest.objects.count() == 2


# ── Funnel, rules, files ────────────────────────────────────────────────────


def test_shows_the_funnel_as_a_chart_and_as_numbers(as_grace):
    corpus = make_imported_corpus(min_chars=25)
    page = text(as_grace, f"/corpora/{corpus.pk}/provenance/")
    assert "Comments left after each rule" in page
    assert "At least 25 characters" in page
    row = page.split(">At least 25 characters</th>")[-1].split("</tr>")[0]
    assert row.count('<td class="num">300</td>') == 1
    left = [step["left"] for step in corpus.funnel if step["rule"] == "too_short"]
    assert f'<td class="num">{left[0]}</td>' in row


def test_says_the_rules_in_words(as_grace):
    corpus = make_imported_corpus(
        subreddits="places.txt", names=("houston", "seattle"), max_comments=500, sample=40, seed=7, keep_bots=True
    )
    page = text(as_grace, f"/corpora/{corpus.pk}/provenance/")
    for rule in (
        "from 2012-01-01 to before 2016-01-01", "2 from the file places.txt", "at least 1, at most 500",
        "a sample of 40, seed 7", "<dd>kept</dd>",
    ):  # fmt: skip
        assert rule in page


def test_a_corpus_that_was_not_made_from_dumps_says_so(as_grace):
    corpus = make_corpus()
    page = text(as_grace, f"/corpora/{corpus.pk}/provenance/")
    assert "was not imported from dumps" in page
    assert "Add files" not in page


def test_lists_files_with_their_problems(as_grace):
    corpus = make_imported_corpus()
    make_dump_file(corpus, "RC_2012-12.zst", state="loaded", lines=123_456, kept=4321, reasons={"not JSON": 3, "x": 4})
    make_dump_file(corpus, HOSTILE, state="failed", problem=f"It ends in the middle. Download it again. {HOSTILE}")
    page = text(as_grace, f"/corpora/{corpus.pk}/provenance/")
    for shown in ("RC_2012-12.zst", "123\u202f456", "4\u202f321", ">7</a>", "Could not be read", "Download it again."):
        assert shown in page
    assert HOSTILE not in page


def test_a_hostile_name_of_a_corpus_stays_text(as_grace):
    corpus = make_imported_corpus(HOSTILE)
    make_ingest(corpus, file=HOSTILE, done=1, total=2)
    for path in (
        "/corpora/",
        f"/corpora/{corpus.pk}/",
        f"/corpora/{corpus.pk}/provenance/",
        f"/corpora/{corpus.pk}/import/",
    ):
        page = text(as_grace, path)
        assert HOSTILE not in page
        assert "&lt;script&gt;" in page


def test_shows_what_was_set_aside_page_by_page(as_grace):
    file = make_dump_file(make_imported_corpus(), reasons={"no author": 1, HOSTILE: 1200})
    SetAside.objects.bulk_create(SetAside(file=file, line=n, reason=HOSTILE) for n in range(1, 1202))
    path = f"/corpora/{file.corpus_id}/files/{file.pk}/"
    page = text(as_grace, path)
    assert page.index("1\u202f200") < page.index("no author")
    assert "1 to 100 of 1000" in page
    assert HOSTILE not in page
    assert "901 to 1000 of 1000" in text(as_grace, f"{path}?page=99")


def test_a_file_without_trouble_says_so(as_grace):
    file = make_dump_file(make_imported_corpus())
    assert "Nothing was set aside" in text(as_grace, f"/corpora/{file.corpus_id}/files/{file.pk}/")


def test_a_file_is_found_in_its_own_corpus_only(as_grace):
    file, other = make_dump_file(make_imported_corpus()), make_imported_corpus()
    assert as_grace.get(f"/corpora/{other.pk}/files/{file.pk}/").status_code == 404


@pytest.mark.parametrize("rows", [1, 30])
def test_query_count_does_not_grow_with_files_and_lines(as_grace, django_assert_num_queries, rows):
    corpus = make_imported_corpus()
    files = [make_dump_file(corpus, f"RC_{n}.zst", reasons={"x": rows}) for n in range(rows)]
    SetAside.objects.bulk_create(SetAside(file=files[0], line=n, reason="x") for n in range(rows))
    for _ in range(rows):
        make_ingest(corpus)
    as_grace.get("/corpora/")
    at = f"/corpora/{corpus.pk}"
    with django_assert_num_queries(5):  # person, corpus, latest ingest, count of files, files
        as_grace.get(f"{at}/provenance/")
    with django_assert_num_queries(4):  # person, file and corpus, count of lines, lines
        as_grace.get(f"{at}/files/{files[0].pk}/")
    with django_assert_num_queries(3):  # person, corpus, latest ingest
        as_grace.get(f"{at}/progress/", headers=HTMX)


# ── Files that are not whole ────────────────────────────────────────────────

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


def broken_dump(kind: str, path):
    whole = pack(b"".join(lines_of(3000)), "zst")
    contents = {"cut": whole[: len(whole) // 2], "png": PNG, "empty": b"", "html": b"<html>\n<p>Not found</p>\n"}
    path.write_bytes(contents[kind])
    return path


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["cut", "png", "empty", "html"])
def test_a_file_that_is_not_a_whole_dump_needs_attention_until_it_is_replaced(kind, tmp_path, as_grace):
    whole = write_dump(tmp_path / "RC_2013-04.zst", [line(), line(author="other")])
    corpus = ingest_files(whole, broken_dump(kind, tmp_path / "RC_2013-05.zst"), name="autumn")
    page = as_grace.get(f"/corpora/{corpus.pk}/provenance/")
    rows = {row.name: row for row in page.context["files"]}
    assert rows["RC_2013-04.zst"].badge == "good"
    assert rows["RC_2013-05.zst"].badge in ("warn", "bad")
    assert rows["RC_2013-05.zst"].problem
    assert rows["RC_2013-05.zst"].state != "Loaded"
    assert "RC_2013-05.zst" in page.context["progress"].remark
    assert as_grace.get(f"/corpora/{corpus.pk}/files/{rows['RC_2013-05.zst'].pk}/").context["state"] != "Loaded"
    assert f"/corpora/{corpus.pk}/provenance/" in [todo.url for todo in as_grace.get("/").context["study"].todos]
    better = write_dump(tmp_path / "RC_2013-05.zst", lines_of(10))
    ingest_files(better, name="autumn", options=None)
    assert as_grace.get("/").context["study"].todos == []
