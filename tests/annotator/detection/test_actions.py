"""The panel of a run that renews itself, and what admins may do with a run."""

import pytest
from django.utils import timezone

from profiles.models import DetectionRun
from tests.annotator.accounts.sign_in_forms import actions
from tests.annotator.corpora.hint_lists import messages_of
from tests.annotator.detection.runs import SMALL, at, detected_run, fail, listed, make_chunk, make_run, text
from tests.factories import make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _nobody_is_called(monkeypatch):
    """Whether workers hear of it is the services' promise."""
    monkeypatch.setattr("annotator.detection.tasks.plan_detection.delay", lambda *args: None)


# ── The panel ───────────────────────────────────────────────────────────────


def test_reads_out_each_state_and_tenth_once(as_grace):
    run = make_run()
    make_chunk(run, 1, 29)
    make_chunk(run, 30, 100, ago=None)
    news = '<div hx-swap-oob="innerHTML:#progress-told">Running, 20\u202f%</div>'
    assert 'role="status" aria-live="polite"' in text(as_grace, at(run))
    assert news in text(as_grace, at(run, "progress/"), query_params={"told": "Running, 10\u202f%"})
    assert news not in text(as_grace, at(run, "progress/"), query_params={"told": "Running, 20\u202f%"})


@pytest.mark.parametrize("field", ["finished_at", "cancelled_at", "paused_at"])
def test_the_panel_stops_asking_when_nothing_runs_and_loads_the_page_anew(as_grace, field):
    run = make_run(**{field: timezone.now()})
    make_chunk(run)
    assert as_grace.get(at(run, "progress/"), headers=HTMX)["HX-Refresh"] == "true"


# ── What admins do ──────────────────────────────────────────────────────────


def test_pausing_and_resuming_twice_is_pausing_and_resuming(as_grace):
    run = make_run()
    make_chunk(run, ago=None)
    for _ in range(2):
        assert "is paused" in messages_of(as_grace.post(at(run, "pause/"), follow=True))
    assert ">Resume</button>" in text(as_grace, at(run))
    for _ in range(2):
        assert "goes on" in messages_of(as_grace.post(at(run, "resume/"), follow=True))
    assert ">Pause</button>" in text(as_grace, at(run))
    assert actions() == ["detection_changed"] * 2


def test_a_cancelled_run_keeps_what_it_found_and_can_go_on(as_grace):
    run = detected_run(contents=SMALL)
    make_chunk(run, 10**9, 10**9, ago=None)
    for _ in range(2):
        assert "is cancelled" in messages_of(as_grace.post(at(run, "cancel/"), follow=True))
    page = text(as_grace, at(run))
    assert "houston" in page
    assert ">Go on</button>" in page
    response = as_grace.post(f"{listed(run)}start/", {"recipe": run.recipe_id}, follow=True)
    assert "Detection has begun" in messages_of(response)
    assert response.redirect_chain[-1][0] == at(run)
    assert DetectionRun.objects.get().cancelled_at is None


def test_what_failed_is_tried_again_once(as_grace):
    run = detected_run(finished_at=timezone.now())
    first, last = run.corpus.profiles.get().comments.order_by("pk")
    fail(run, first)
    fail(run, last, "language", "de")
    assert ">Try 1 again</button>" in text(as_grace, at(run))
    assert "1 comment is tried once more" in messages_of(as_grace.post(at(run, "retry/"), follow=True))
    assert "nothing left to try again" in messages_of(as_grace.post(at(run, "retry/"), follow=True))
    assert run.unanalysed.get().reason == "language"


def test_starting_begins_a_run_and_shows_it(as_grace):
    corpus = make_profile().corpus
    response = as_grace.post(f"/corpora/{corpus.pk}/detection/start/", follow=True)
    run = DetectionRun.objects.get()
    assert "Detection has begun" in messages_of(response)
    assert response.redirect_chain == [(at(run), 302)]
    as_grace.post(f"/corpora/{corpus.pk}/detection/start/")
    assert DetectionRun.objects.count() == 1


def test_starting_what_is_done_says_so(as_grace):
    corpus = make_profile().corpus
    as_grace.post(f"/corpora/{corpus.pk}/detection/start/")
    DetectionRun.objects.update(finished_at=timezone.now(), planned_to=10**12)
    assert "analysed by this recipe already" in messages_of(
        as_grace.post(f"/corpora/{corpus.pk}/detection/start/", follow=True)
    )


@pytest.mark.parametrize("recipe", ["0", "99999999", "9" * 40, "x", "²"])
def test_a_recipe_that_is_not_there_starts_nothing(as_grace, recipe):
    corpus = make_profile().corpus
    assert as_grace.post(f"/corpora/{corpus.pk}/detection/start/", {"recipe": recipe}).status_code == 404
    assert as_grace.get(f"/corpora/{corpus.pk}/detection/recipe/?from={recipe}").status_code == 404
    assert not DetectionRun.objects.exists()
