"""The live panel of a run, and the actions of admins."""

import pytest
from django.utils import timezone

from annotator.detection.views.run import CANCELLED, NOTHING_TO_RETRY, PAUSED, RESUMED
from annotator.detection.views.runs import ALL_DONE, STARTED
from profiles.models import DetectionRun
from tests.annotator.accounts.sign_in_forms import actions
from tests.annotator.corpora.hint_lists import messages_of
from tests.annotator.detection.runs import SMALL, detected_run, fail, make_chunk, make_run, page_text, run_url, runs_url
from tests.factories import make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _no_workers_called(monkeypatch):
    """Calling workers is tested with the services."""
    monkeypatch.setattr("annotator.detection.tasks.plan_detection.delay", lambda *args: None)


# ── The panel ───────────────────────────────────────────────────────────────


def test_reads_out_each_state_and_tenth_once(as_grace):
    run = make_run()
    make_chunk(run, 1, 29)
    make_chunk(run, 30, 100, ago=None)
    news = '<div hx-swap-oob="innerHTML:#progress-told">Running, 20\u202f%</div>'
    assert 'role="status" aria-live="polite"' in page_text(as_grace, run_url(run))
    assert news in page_text(as_grace, run_url(run, "progress/"), query_params={"told": "Running, 10\u202f%"})
    assert news not in page_text(as_grace, run_url(run, "progress/"), query_params={"told": "Running, 20\u202f%"})


@pytest.mark.parametrize("field", ["finished_at", "cancelled_at", "paused_at"])
def test_the_panel_stops_asking_when_nothing_runs_and_loads_the_page_anew(as_grace, field):
    run = make_run(**{field: timezone.now()})
    make_chunk(run)
    assert as_grace.get(run_url(run, "progress/"), headers=HTMX)["HX-Refresh"] == "true"


# ── Actions ─────────────────────────────────────────────────────────────────


def test_pausing_and_resuming_twice_is_pausing_and_resuming(as_grace):
    run = make_run()
    make_chunk(run, ago=None)
    for _ in range(2):
        assert PAUSED in messages_of(as_grace.post(run_url(run, "pause/"), follow=True))
    assert ">Resume</button>" in page_text(as_grace, run_url(run))
    for _ in range(2):
        assert RESUMED in messages_of(as_grace.post(run_url(run, "resume/"), follow=True))
    assert ">Pause</button>" in page_text(as_grace, run_url(run))
    assert actions() == ["detection_changed"] * 2


def test_a_cancelled_run_keeps_what_it_found_and_can_go_on(as_grace):
    run = detected_run(contents=SMALL)
    make_chunk(run, 10**9, 10**9, ago=None)
    for _ in range(2):
        assert CANCELLED in messages_of(as_grace.post(run_url(run, "cancel/"), follow=True))
    page = page_text(as_grace, run_url(run))
    assert "houston" in page
    assert ">Continue</button>" in page
    response = as_grace.post(f"{runs_url(run)}start/", {"recipe": run.recipe_id}, follow=True)
    assert STARTED in messages_of(response)
    assert response.redirect_chain[-1][0] == run_url(run)
    assert DetectionRun.objects.get().cancelled_at is None


def test_what_failed_is_tried_again_once(as_grace):
    run = detected_run(finished_at=timezone.now())
    first, last = run.corpus.profiles.get().comments.order_by("pk")
    fail(run, first)
    fail(run, last, "language", "de")
    assert ">Try 1 again</button>" in page_text(as_grace, run_url(run))
    as_grace.post(run_url(run, "retry/"))
    assert run.chunks.open().count() == 1
    assert NOTHING_TO_RETRY in messages_of(as_grace.post(run_url(run, "retry/"), follow=True))
    assert run.unanalysed.get().reason == "language"


def test_starting_begins_a_run_and_shows_it(as_grace):
    corpus = make_profile().corpus
    response = as_grace.post(f"/corpora/{corpus.pk}/detection/start/", follow=True)
    run = DetectionRun.objects.get()
    assert STARTED in messages_of(response)
    assert response.redirect_chain == [(run_url(run), 302)]
    as_grace.post(f"/corpora/{corpus.pk}/detection/start/")
    assert DetectionRun.objects.count() == 1


def test_starting_what_is_done_says_so(as_grace):
    corpus = make_profile().corpus
    as_grace.post(f"/corpora/{corpus.pk}/detection/start/")
    DetectionRun.objects.update(finished_at=timezone.now(), planned_to=10**12)
    assert ALL_DONE in messages_of(as_grace.post(f"/corpora/{corpus.pk}/detection/start/", follow=True))


@pytest.mark.parametrize("recipe", ["0", "99999999", "9" * 40, "x", "²"])
def test_a_recipe_that_is_not_there_starts_nothing(as_grace, recipe):
    corpus = make_profile().corpus
    assert as_grace.post(f"/corpora/{corpus.pk}/detection/start/", {"recipe": recipe}).status_code == 404
    assert as_grace.get(f"/corpora/{corpus.pk}/detection/recipe/?from={recipe}").status_code == 404
    assert not DetectionRun.objects.exists()
