"""The list of detection runs: access, states and numbers."""

import sys
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotator.core.heartbeat import beat
from annotator.detection.queries.models import available_models
from annotator.detection.queries.runs import progress_of
from profiles.models import DetectionRun
from tests.annotator.accounts.sign_in_forms import actions
from tests.annotator.detection.runs import detected_run, fail, lease, make_chunk, make_run, page_text, run_url, runs_url
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def _no_workers_called(monkeypatch):
    """Calling workers is tested with the services."""
    monkeypatch.setattr("annotator.detection.tasks.plan_detection.delay", lambda *args: None)


# ── Who may see and do what ─────────────────────────────────────────────────


def test_researchers_see_all_of_it_evaluators_nothing(ada, rosalind):
    run, other = detected_run(), make_run()
    DetectionRun.objects.filter(pk=other.pk).update(corpus=run.corpus_id)
    client = Client()
    for path in (
        runs_url(run),
        run_url(run),
        run_url(run, "progress/"),
        f"{runs_url(run)}compare/?a={run.pk}&b={other.pk}",
    ):
        assert client.get(path)["Location"].startswith("/account/login/")
        client.force_login(rosalind)
        assert client.get(path).status_code == 200
        client.force_login(ada)
        assert client.get(path).status_code == 404
        client.logout()


@pytest.mark.parametrize("rest", ["start/", "{run}/pause/", "{run}/resume/", "{run}/cancel/", "{run}/retry/"])
def test_only_admins_may_change_anything(rest, ada, rosalind, grace):
    run = detected_run()
    path, client = runs_url(run) + rest.format(run=run.pk), Client()
    assert client.post(path)["Location"].startswith("/account/login/")
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        assert client.post(path).status_code == 404
    client.force_login(grace)
    assert client.get(path).status_code == 405
    assert actions() == []


def test_researchers_are_shown_no_buttons(client, rosalind):
    run = detected_run(paused_at=timezone.now())
    fail(run, run.corpus.profiles.get().comments.first())
    client.force_login(rosalind)
    for path in (runs_url(run), run_url(run)):
        page = page_text(client, path)
        assert '<form method="post" action="/corpora/' not in page
        assert "/recipe/" not in page


def test_a_run_is_found_in_its_own_corpus_only(as_grace):
    run, other = detected_run(), make_corpus()
    for rest in ("", "progress/"):
        assert as_grace.get(f"/corpora/{other.pk}/detection/{run.pk}/{rest}").status_code == 404
    assert as_grace.post(f"/corpora/{other.pk}/detection/{run.pk}/cancel/").status_code == 404


def test_a_corpus_that_is_not_ready_has_no_detection(as_grace):
    run = make_run(make_corpus(ready=False))
    for path in (runs_url(run), run_url(run), run_url(run, "progress/"), f"{runs_url(run)}recipe/"):
        assert as_grace.get(path).status_code == 404


# ── States ──────────────────────────────────────────────────────────────────

NOW = timezone.now()


@pytest.mark.parametrize(
    ("fields", "chunks", "state"),
    [
        ({"planned_at": None, "planned_to": 0}, [], "waiting"),
        ({"planned_at": None, "planned_to": 9}, [None], "planning"),
        ({"planned_at": None, "planned_to": 9}, [0, None], "running"),
        ({}, [None], "waiting"),
        ({}, [0, None], "running"),
        ({"paused_at": NOW}, [0, None], "paused"),
        ({"problem": "No model. Install it."}, [0, None], "needs attention"),
        ({"problem": "No model. Install it.", "paused_at": NOW}, [0, None], "paused"),
        ({"cancelled_at": NOW}, [0, None], "cancelled"),
        ({"finished_at": NOW}, [0], "done"),
        ({"finished_at": NOW, "problem": "old"}, [0], "done"),
    ],
)
def test_says_how_a_run_stands(as_grace, fields, chunks, state):
    run = make_run(**fields)
    for ago in chunks:
        make_chunk(run, ago=ago)
    for path in (runs_url(run), run_url(run)):
        page = page_text(as_grace, path)
        assert f">{state}</span>" in page
        assert ("No model. Install it." in page) is (state == "needs attention")
        is_live = state in ("waiting", "planning", "running", "needs attention")
        assert ('hx-trigger="every 2s"' in page) is is_live


def test_the_list_asks_again_only_while_a_run_is_live(as_grace):
    run = make_run()
    make_chunk(run, 1, 30)
    make_chunk(run, 31, 100, ago=None)
    fragment = page_text(as_grace, runs_url(run), headers=HTMX)
    assert f'hx-get="{runs_url(run)}" hx-trigger="every 2s"' in fragment
    assert 'max="100" value="30"' in fragment
    assert " left</span>" in fragment
    assert "<html" not in fragment
    DetectionRun.objects.update(finished_at=timezone.now())
    assert "hx-trigger" not in page_text(as_grace, runs_url(run), headers=HTMX)


def test_a_chunk_under_way_makes_a_run_running_a_lost_one_does_not():
    run = make_run()
    chunk = make_chunk(run, ago=None)
    lease(chunk)
    assert progress_of(run).state == "running"
    assert progress_of(run).tally.under_way == 1
    lease(chunk, seconds=-1)
    assert progress_of(run).state == "waiting"
    assert progress_of(run).tally.under_way == 0


def test_while_it_is_planned_the_corpus_says_how_much_there_will_be():
    profile = make_profile("one", "two", "three")
    run = make_run(profile.corpus, planned_at=None, planned_to=1)
    make_chunk(run)
    assert progress_of(run).amount == "1 of 3 comments"
    run.planned_at = timezone.now()
    assert progress_of(run).amount == "1 of 1 comments"


# ── Numbers ─────────────────────────────────────────────────────────────────


def test_counts_the_last_minute_only(as_grace):
    run = make_run()
    make_chunk(run, 1, 90_000, ago=61, seconds=10)
    make_chunk(run, 90_001, 96_000, ago=1, seconds=59)
    make_chunk(run, 96_001, 108_000, ago=None)
    assert progress_of(run).rate == pytest.approx(100, rel=0.05)
    page = page_text(as_grace, run_url(run))
    assert "96\u202f000 of 108\u202f000 comments" in page
    assert "2 min left" in page
    assert 'max="108000" value="96000"' in page


def test_work_that_began_ten_seconds_ago_is_not_spread_over_a_minute():
    run = make_run()
    make_chunk(run, 1, 1000, ago=0, seconds=10)
    assert progress_of(run).rate == pytest.approx(100, rel=0.2)


def test_a_chunk_of_five_minutes_counts_for_the_last_one_only():
    run = make_run()
    make_chunk(run, 1, 6000, ago=0, seconds=300)
    assert progress_of(run).rate == pytest.approx(100, rel=0.05)


def test_a_rate_is_never_rounded_to_nothing():
    run = make_run(finished_at=timezone.now())
    make_chunk(run, 1, 10)
    DetectionRun.objects.filter(pk=run.pk).update(requested_at=timezone.now() - timedelta(hours=1))
    run.refresh_from_db()
    assert progress_of(run).rate_shown == "<0.1"


def test_comments_tried_once_more_count_as_none():
    run = make_run()
    make_chunk(run, 1, 10)
    make_chunk(run, 3, 3, comment_count=0, seconds=4)
    assert progress_of(run).amount == "10 of 10 comments"


def test_says_what_a_million_comments_cost(as_grace):
    run = make_run(finished_at=timezone.now())
    make_chunk(run, 1, 500_000, seconds=3600)
    DetectionRun.objects.filter(pk=run.pk).update(requested_at=timezone.now() - timedelta(seconds=1000))
    page = page_text(as_grace, run_url(run))
    assert "<dd>2 h</dd>" in page
    assert "1 h 0 min in total" in page
    assert "<dd>500</dd>" in page  # comments a second, from start to end


def test_nothing_done_costs_nothing_and_takes_no_time(as_grace):
    run = make_run(finished_at=timezone.now(), planned_to=0)
    assert "0 of 0 comments" in page_text(as_grace, run_url(run))


# ── Workers ─────────────────────────────────────────────────────────────────


def test_says_when_no_worker_is_alive_and_stops_when_one_is(as_grace):
    run = make_run()
    make_chunk(run, ago=None)
    for path in (runs_url(run), run_url(run), run_url(run, "progress/")):
        assert "No workers are running" in page_text(as_grace, path)
    beat("w1")
    for path in (runs_url(run), run_url(run), run_url(run, "progress/")):
        assert "No workers are running" not in page_text(as_grace, path)


def test_says_when_the_broker_is_away_and_does_not_fail(as_grace, settings):
    run = make_run()
    make_chunk(run, ago=None)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    for path in (runs_url(run), run_url(run), run_url(run, "progress/")):
        assert "The broker can’t be reached" in page_text(as_grace, path)


# ── The list ────────────────────────────────────────────────────────────────


def test_an_empty_list_says_what_to_do(as_grace, client, rosalind):
    corpus = make_corpus()
    page = page_text(as_grace, f"/corpora/{corpus.pk}/detection/")
    assert f'action="/corpora/{corpus.pk}/detection/start/"' in page
    client.force_login(rosalind)
    assert "detection/start/" not in page_text(client, f"/corpora/{corpus.pk}/detection/")


def test_says_which_model_would_be_used_and_which_are_installed(as_grace):
    page = page_text(as_grace, f"/corpora/{make_corpus().pk}/detection/")
    models = available_models()
    assert models.title in page
    assert all(name in page for name in models.names)


def test_the_web_process_never_loads_a_model(as_grace):
    """Seconds, and hundreds of megabytes in each process."""
    before = {name for name in ("spacy", "presidio_analyzer") if name in sys.modules}
    run = detected_run()
    for path in (runs_url(run), run_url(run), f"{runs_url(run)}recipe/"):
        page_text(as_grace, path)
    assert {name for name in ("spacy", "presidio_analyzer") if name in sys.modules} == before


def test_the_tab_leads_there(as_grace):
    corpus = make_profile().corpus
    for rest in ("", "provenance/", "detection/"):
        assert f'href="/corpora/{corpus.pk}/detection/"' in page_text(as_grace, f"/corpora/{corpus.pk}/{rest}")


def test_htmx_gets_the_rows_alone(as_grace):
    run = make_run(name="small")
    make_chunk(run, ago=None)
    page = page_text(as_grace, runs_url(run), headers=HTMX)
    assert "small" in page
    assert "<html" not in page


def test_hostile_names_and_problems_stay_text(as_grace):
    run = detected_run(name=HOSTILE, problem=HOSTILE)
    make_chunk(run, ago=None)
    for path in (runs_url(run), run_url(run), run_url(run, "progress/")):
        page = page_text(as_grace, path)
        assert HOSTILE not in page
        assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (None, "none yet"),
        ({}, "40\u202f% of 10 comments"),
        ({"paused_at": NOW}, "paused at 40\u202f% of 10 comments"),
        ({"cancelled_at": NOW}, "cancelled"),
        ({"finished_at": NOW}, "done"),
    ],
)
def test_the_corpora_say_how_far_their_newest_run_is(as_grace, fields, words):
    corpus = make_profile().corpus
    if fields is not None:
        make_run(corpus, cancelled_at=NOW)
        run = make_run(corpus, **fields)
        make_chunk(run, 1, 4)
        make_chunk(run, 5, 10, ago=None)
    assert f">{words}</" in page_text(as_grace, "/corpora/")
    assert f">{words}</a>" in page_text(as_grace, f"/corpora/{corpus.pk}/")


def test_a_run_that_goes_on_counts_more_than_a_newer_one_that_was_cancelled(as_grace):
    corpus = make_profile().corpus
    make_run(corpus, finished_at=NOW)
    make_run(corpus, cancelled_at=NOW)
    assert ">done</a>" in page_text(as_grace, "/corpora/")


def test_only_runs_that_have_done_something_are_offered_to_be_compared(as_grace):
    run = detected_run(name="one")
    make_run(run.corpus, name="idle")
    assert "Compare two runs" not in page_text(as_grace, runs_url(run))
    make_chunk(make_run(run.corpus, name="two"))
    page = page_text(as_grace, runs_url(run))
    assert "Compare two runs" in page
    assert ">idle</option>" not in page


# ── Query counts ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rows", [1, 30])
def test_query_count_does_not_grow_with_runs_and_chunks(as_grace, django_assert_num_queries, rows):
    corpus = make_corpus()
    runs = [make_run(corpus) for _ in range(rows)]
    for run in runs:
        make_chunk(run, ago=None)
    for number in range(rows):
        make_chunk(runs[0], number + 2, number + 2)
    as_grace.get("/corpora/")
    with django_assert_num_queries(4):  # person, corpus, runs and recipes, sums over chunks
        as_grace.get(runs_url(runs[0]))
    with django_assert_num_queries(3):  # person, run with corpus and recipe, sums over chunks
        as_grace.get(run_url(runs[0], "progress/"), headers=HTMX)
