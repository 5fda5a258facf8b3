"""The progress of a batch: by name for admins, by code for researchers."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from annotator.models import Assignment, Flag, Sitting
from annotator.study.queries.drift import batch_drifts
from annotator.study.queries.pace import Day, batch_finish_date, finish_date, recent_pace
from annotator.study.queries.progress import batch_figures, due_status
from annotator.study.queries.progress_charts import MAX_LINES
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.factories import make_annotator, make_assignment, make_batch, make_judgement, make_profile

HTMX = {"HX-Request": "true"}
TODAY = date(2026, 11, 17)


def page_of(client, batch, **more) -> str:
    response = client.get(f"/batches/{batch.pk}/progress/", **more)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def person_in(batch, person, *, by_name: bool = True):
    return next(row for row in batch_figures(batch, by_name=by_name).people if row.pk == person.pk)


def done(batch, person, *, ago: float = 0, seconds: int = 0, **ratings) -> Assignment:
    """Submitted so many days ago; with ratings, something was inferred."""
    at = timezone.now() - timedelta(days=ago)
    assignment = make_assignment(
        batch=batch, annotator=person, profile=make_profile(corpus=batch.corpus), claimed_at=at, submitted_at=at,
        active_seconds=seconds,
    )  # fmt: skip
    if ratings:
        make_judgement(assignment, **ratings)
    return assignment


def skipped(batch, person, reason: str) -> Assignment:
    at = timezone.now()
    return make_assignment(batch=batch, annotator=person, skipped_at=at, skip_reason=reason)


# ── Figures ─────────────────────────────────────────────────────────────────


def test_counts_what_each_person_did_and_has_before_them(as_grace, ada):
    batch = make_batch()
    assignments = [done(batch, ada, seconds=seconds) for seconds in (60, 130, 500, 90)]
    skipped(batch, ada, "too_little"), skipped(batch, ada, "bot"), skipped(batch, ada, "bot")
    make_assignment(batch=batch, annotator=ada)
    make_assignment(batch=batch, annotator=ada, claimed_at=None)
    make_assignment(batch=batch)
    Flag.objects.create(assignment=assignments[0], remark="two people")
    figures = batch_figures(batch, by_name=True)
    (person,) = figures.people
    assert (person.submitted, person.held, person.open, person.skipped, person.flags) == (4, 1, 1, 3, 1)
    assert [(reason.label, reason.count) for reason in person.reasons] == [
        ("Written by a bot", 2),
        ("Too little text", 1),
    ]
    assert (person.median_text, person.active_text) == ("1:50", "13 min")
    assert (figures.left, figures.pool, figures.meter.text) == (3, 1, "7 of 10")
    page = page_of(as_grace, batch)
    assert "written by a bot (2), too little text" in page
    assert ">Shared pool<" in page


@pytest.mark.parametrize(("seconds", "median"), [([30], "0:30"), ([10, 20], "0:15"), ([9, 9, 60], "0:09")])
def test_the_median_is_in_the_middle(ada, seconds, median):
    batch = make_batch()
    for active_seconds in seconds:
        done(batch, ada, seconds=active_seconds)
    assert person_in(batch, ada).median_text == median


def test_last_active_is_the_last_sign_of_life(ada):
    batch, now = make_batch(), timezone.now()
    done(batch, ada, ago=3)
    held = make_assignment(batch=batch, annotator=ada, claimed_at=now - timedelta(days=2))
    assert person_in(batch, ada).last_at == held.claimed_at
    Sitting.objects.create(assignment=held, key="0" * 32, last_at=now)
    assert person_in(batch, ada).last_at == now


def test_researchers_read_codes_and_no_names(client, rosalind, ada):
    batch = make_batch()
    submitted(ada, make_known(corpus=batch.corpus, sex="male"), batch, planted=True, sex="male")
    client.force_login(rosalind)
    page = page_of(client, batch)
    assert ada.code in page
    assert "Ada" not in page
    assert f"/people/{ada.pk}/" not in page
    assert f"/batches/{batch.pk}/quality/" not in page


def test_htmx_gets_the_figures_alone_while_the_batch_is_open(as_grace, ada):
    batch = make_batch()
    done(batch, ada)
    fragment = page_of(as_grace, batch, headers=HTMX)
    assert 'id="figures"' in fragment
    assert 'hx-trigger="every 30s"' in fragment
    assert "<main" not in fragment
    assert "Drift" not in fragment
    batch.closed_at = timezone.now()
    batch.save(update_fields=["closed_at"])
    assert "hx-trigger" not in page_of(as_grace, batch)


def test_says_when_nobody_has_begun(as_grace):
    assert "Nobody has started yet." in page_of(as_grace, make_batch())
    assert "when they start" in page_of(as_grace, make_practice_of(make_known()))


# ── Pace and finish ─────────────────────────────────────────────────────────


def days(*profiles: int, last: date = TODAY, apart: int = 1) -> list[Day]:
    """Work on so many days, the last of them given."""
    first = last - timedelta(days=apart * (len(profiles) - 1))
    return [Day(first + timedelta(days=apart * n), count, count, 600 * count) for n, count in enumerate(profiles)]


def test_pace_is_that_of_the_last_seven_days_with_work():
    pace = recent_pace(days(100, 4, 4, 4, 4, 4, 4, 4, apart=2), TODAY)
    assert (pace.per_day, pace.per_hour) == (4, 6)
    assert pace.per_calendar_day == 28 / 13  # days off count when one looks ahead


@pytest.mark.parametrize(
    "worked",
    [[], days(20), days(2, 2), days(9, 9, last=TODAY - timedelta(days=15))],
    ids=["nothing", "one day", "four profiles", "long ago"],
)
def test_too_little_work_gives_no_date(worked):
    pace = recent_pace(worked, TODAY)
    assert finish_date(10, pace.per_calendar_day, TODAY) is None


def test_who_has_nothing_left_is_through():
    assert finish_date(0, 0.0, TODAY) == TODAY
    assert finish_date(7, 2.0, TODAY) == TODAY + timedelta(days=4)
    assert finish_date(10**9, 0.5, TODAY) is None


def test_a_batch_is_done_when_the_slowest_is_and_the_pool_is_empty():
    quick, slow = recent_pace(days(10, 10), TODAY), recent_pace(days(3, 3), TODAY)
    assert batch_finish_date([(0, quick), (6, slow)], 6, TODAY) == TODAY + timedelta(days=2)
    assert batch_finish_date([(0, quick), (0, slow)], 26, TODAY) == TODAY + timedelta(days=2)
    assert batch_finish_date([(5, recent_pace([], TODAY)), (0, quick)], 5, TODAY) is None
    assert batch_finish_date([], 5, TODAY) is None


@pytest.mark.parametrize(
    ("due", "expected_finish", "left", "badge"),
    [
        (None, TODAY, 3, ""),
        (TODAY, None, 0, "good"),
        (date(2026, 11, 16), TODAY, 3, "bad"),
        (date(2026, 11, 20), None, 3, ""),
        (date(2026, 11, 20), date(2026, 11, 20), 3, "good"),
        (date(2026, 11, 20), date(2026, 11, 21), 3, "warn"),
    ],
)
def test_says_whether_the_due_date_will_be_met(due, expected_finish, left, badge):
    assert due_status(due, expected_finish, left, TODAY)[1] == badge


def test_what_an_admin_took_back_is_nothing_that_somebody_did(ada):
    batch = make_batch()
    done(batch, ada, ago=1)
    skipped(batch, ada, "withdrawn")
    person = person_in(batch, ada)
    assert (person.pace.profiles, person.skipped, person.taken_back, person.meter.text) == (1, 0, 1, "1 of 2")


def test_what_was_handed_over_counts_for_whoever_has_it_now(ada):
    batch = make_batch()
    done(batch, ada)
    handed_over = skipped(batch, ada, "withdrawn")
    Assignment.objects.filter(pk=handed_over.pk).update(handled_at=timezone.now())
    make_assignment(batch=batch, annotator=make_annotator("bob"), profile=handed_over.profile, slot=1, claimed_at=None)
    figures = batch_figures(batch, by_name=True)
    assert (person_in(batch, ada).meter.text, figures.meter.text, figures.taken_back) == ("1 of 1", "1 of 2", 0)


def test_the_page_states_finish_and_due_date(as_grace, ada):
    batch = make_batch(due_at=timezone.now() + timedelta(days=30))
    for ago in (2, 2, 2, 1, 1, 1):
        done(batch, ada, ago=ago)
    make_assignment(batch=batch, annotator=ada, claimed_at=None)
    page = page_of(as_grace, batch)
    assert batch_figures(batch, by_name=True).due[1] == "good"
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()
    assert f"{tomorrow.day} {tomorrow:%b %Y}" in page


# ── Over time ───────────────────────────────────────────────────────────────


def test_draws_what_was_submitted_by_day_and_long_batches_by_week(as_grace, ada):
    batch = make_batch()
    done(batch, ada, ago=3), done(batch, ada)
    assert "Submitted per day" in page_of(as_grace, batch)
    done(batch, ada, ago=90)
    page = page_of(as_grace, batch)
    assert "Submitted per week" in page
    assert "Submitted so far, by person" in page


def test_more_people_than_lines_can_be_told_apart_share_one(as_grace):
    batch = make_batch()
    for _ in range(MAX_LINES + 2):
        done(batch, make_annotator())
    assert "3 others" in page_of(as_grace, batch)


@pytest.mark.parametrize(("later", "is_shown"), [(4, True), (2, False)])
def test_shows_ratings_that_drift(as_grace, ada, later, is_shown):
    batch = make_batch()
    for turn in range(30):
        rated = {"hardness": 2 if turn < 15 else later, "certainty": 3}
        assignment = done(batch, ada, ago=30 - turn, value="houston", **rated)
        make_judgement(assignment, "occupation", "nurse", **rated)
    page = page_of(as_grace, batch)
    sentences = batch_drifts(batch, batch_figures(batch, by_name=True)).sentences
    assert len(sentences) == is_shown
    assert all(re.search("Ada.*hardness.*2.00.*2.00.*4.00", sentence) and sentence in page for sentence in sentences)


def test_says_when_there_is_too_little_for_drift(as_grace, ada):
    batch = make_batch()
    done(batch, ada, value="houston", hardness=2, certainty=3)
    assert not batch_drifts(batch, batch_figures(batch, by_name=True)).is_known
    page_of(as_grace, batch)


# ── Known profiles ──────────────────────────────────────────────────────────


def test_counts_known_profiles_as_the_quality_page_does(as_grace, ada):
    batch = make_batch()
    known = make_known(corpus=batch.corpus, location="houston / texas / united states", age="27", sex="male")
    submitted(ada, known, batch, planted=True, location="houston / texas / united states", sex="female")
    submitted(ada, make_profile(corpus=batch.corpus), batch, location="oslo")
    page = page_of(as_grace, batch)
    assert "<strong>Ada</strong>: 6 of 8 answers correct, 1 differing, 1 missed" in page
    assert f'href="/batches/{batch.pk}/quality/"' in page


# ── Who may ─────────────────────────────────────────────────────────────────


def test_exists_for_those_who_run_the_study(client, as_ada, rosalind):
    batch = make_batch()
    assert as_ada.get(f"/batches/{batch.pk}/progress/").status_code == 404
    client.force_login(rosalind)
    assert client.get(f"/batches/{batch.pk}/progress/").status_code == 200
    assert client.get("/batches/999999/progress/").status_code == 404
    assert client.post(f"/batches/{batch.pk}/progress/").status_code == 405


@pytest.mark.parametrize("people", [1, 6])
def test_query_count_does_not_grow_with_people_and_rows(as_grace, django_assert_num_queries, people):
    batch = make_batch()
    for _ in range(people):
        person = make_annotator()
        for _ in range(2):
            assignment = done(batch, person, value="houston", hardness=2, certainty=3)
        Flag.objects.create(assignment=assignment, remark="look")
        submitted(person, make_known(corpus=batch.corpus), batch, planted=True, location="houston")
        skipped(batch, person, "bot")
    as_grace.get("/account/")
    with django_assert_num_queries(8):  # person, batch, 4 of figures, known profiles, drift
        page_of(as_grace, batch)
    with django_assert_num_queries(6):
        page_of(as_grace, batch, headers=HTMX)
