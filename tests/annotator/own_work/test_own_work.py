"""An evaluator's own pages: statistics, flags, skips and notes."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError
from django.http import QueryDict
from django.utils import timezone

from annotator.batches.moves import hand_out_again
from annotator.core.sort_order import Sorting
from annotator.models import Batch, Flag, Role, Sitting
from annotator.own_work.queries.reports import REPORT_COLUMNS, Report, own_reports
from annotator.own_work.queries.statistics import own_statistics
from annotator.quality.queries.known_profiles import own_known_tallies
from tests.annotator.accounts.sign_in_forms import entry
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.factories import make_annotator, make_assignment, make_batch, make_judgement

pytestmark = pytest.mark.django_db
WEDNESDAY = datetime(2024, 5, 15, 12, tzinfo=UTC)
PAGES = ["/my-work/", *(f"/my-work/{report}/" for report in Report.values)]


def reports_of(annotator, report):
    newest_first = Sorting.read(QueryDict(), REPORT_COLUMNS[report], default="when")
    return own_reports(annotator, report, newest_first, "1")


def worked(person, at, seconds, **fields):
    """A profile submitted at that time, after one sitting."""
    done = make_assignment(annotator=person, submitted_at=at, active_seconds=seconds, **fields)
    Sitting.objects.create(assignment=done, key=uuid4(), active_seconds=seconds, last_at=at)
    return done


def skipped(person, **fields):
    return make_assignment(annotator=person, skipped_at=timezone.now(), **({"skip_reason": "bot"} | fields))


# ── Statistics ──────────────────────────────────────────────────────────────


def test_counts_today_and_this_week(ada):
    for days, seconds in ((0, 60), (1, 120), (2, 180), (3, 600)):  # Wednesday, Tuesday, Monday, Sunday
        worked(ada, WEDNESDAY - timedelta(days=days), seconds)
    worked(make_annotator(), WEDNESDAY, 1000)
    statistics = own_statistics(ada, now=WEDNESDAY)
    assert (statistics.today.profiles, statistics.today.seconds) == (1, 60)
    assert (statistics.week.profiles, statistics.week.seconds) == (3, 360)
    assert [day.day.day for day in statistics.days] == [15, 14, 13]
    assert (statistics.pace_seconds, statistics.pace_profiles) == (150, 4)


def test_the_pace_leaves_practice_out(ada):
    worked(ada, WEDNESDAY, 60, batch=make_batch(is_practice=True))
    assert own_statistics(ada, now=WEDNESDAY).pace_seconds is None
    assert own_statistics(ada, now=WEDNESDAY).today.profiles == 1


# ── Agreement on planted profiles ───────────────────────────────────────────


@pytest.fixture
def planted(ada):
    batch = make_batch()
    known = make_known(corpus=batch.corpus, sex="male")
    return submitted(ada, known, batch, planted=True, sex="male")


def test_own_agreement_is_shown_only_if_the_batch_allows(as_ada, ada, planted):
    tomorrow = timezone.now() + timedelta(days=1)
    assert own_known_tallies(ada, now=tomorrow) == []
    Batch.objects.filter(pk=planted.batch_id).update(agreement_shown=True)
    ((name, tally),) = own_known_tallies(ada, now=tomorrow)
    assert (name, tally.agreeing, tally.total) == (planted.batch.name, 8, 8)
    assert own_known_tallies(make_annotator(), now=tomorrow) == []


def test_what_was_submitted_today_does_not_give_a_planted_profile_away(ada, planted):
    Batch.objects.filter(pk=planted.batch_id).update(agreement_shown=True)
    assert own_known_tallies(ada, now=timezone.now()) == []


def test_an_admin_allows_it_and_takes_it_back(client, ada, grace, planted):
    url = f"/batches/{planted.batch_id}/agreement-shown/"
    client.force_login(ada)
    assert client.post(url, {"shown": "on"}).status_code == 404
    client.force_login(grace)
    assert client.get(url).status_code == 405
    for shown in (True, False):
        assert client.post(url, {"shown": "on"} if shown else {}).status_code == 302
        planted.batch.refresh_from_db()
        assert planted.batch.agreement_shown is shown
    assert entry("batch_changed").details["agreement_shown"] is False


# ── Flags, skips and notes ──────────────────────────────────────────────────


def test_a_flag_is_open_until_an_admin_resolves_it_with_a_reply(client, ada, grace):
    flag = Flag.objects.create(assignment=make_assignment(annotator=ada), remark="Names a neighbour")
    client.force_login(ada)
    assert ">Open</span>" in client.get("/my-work/flags/").content.decode()
    client.force_login(grace)
    at = f"/batches/{flag.assignment.batch_id}/flags/{flag.pk}/handled/"
    assert client.post(at, {"reply": "x" * 1001}).status_code == 302
    flag.refresh_from_db()
    assert flag.handled_at is None
    client.post(at, {"reply": "Thanks, <b>removed</b>"})
    client.post(at, {"reply": "too late"})
    client.force_login(ada)
    page = client.get("/my-work/flags/").content.decode()
    assert ">Resolved</span>" in page
    assert "Thanks, &lt;b&gt;removed&lt;/b&gt;" in page


def test_no_reply_before_a_flag_is_handled(ada):
    with pytest.raises(IntegrityError, match="flag_answered_when_handled"):
        Flag.objects.create(assignment=make_assignment(annotator=ada), remark="?", reply="!")


def test_a_skip_says_whether_somebody_else_has_the_profile(as_ada, ada, grace):
    open_skip, resolved, handed_on = (skipped(ada) for _ in range(3))
    as_admin = {"by": grace}
    hand_out_again(handed_on, make_annotator(), **as_admin)
    type(resolved).objects.filter(pk=resolved.pk).update(handled_at=timezone.now())
    skipped(ada, skip_reason="withdrawn")  # an admin took it back: not a skip of hers
    rows = {row.pk: (row.handled_at is not None, row.is_handed_on) for row in reports_of(ada, Report.SKIPS)}
    assert rows == {open_skip.pk: (False, False), resolved.pk: (True, False), handed_on.pk: (True, True)}


def test_lists_notes_of_submitted_profiles(as_ada, ada):
    done = make_assignment(annotator=ada, submitted_at=timezone.now())
    make_judgement(done, note="A guess from the weather")
    make_judgement(done, attribute="age", value="27")
    make_judgement(make_assignment(annotator=ada), note="Not submitted yet")
    assert [row.note for row in reports_of(ada, Report.NOTES)] == ["A guess from the weather"]


def test_shows_only_ones_own_rows(as_ada):
    other = make_annotator()
    done = make_assignment(annotator=other, submitted_at=timezone.now())
    make_judgement(done, note="theirs")
    Flag.objects.create(assignment=done, remark="theirs")
    skipped(other, skip_remark="theirs")
    for url in PAGES:
        response = as_ada.get(url)
        assert response.status_code == 200
        assert "theirs" not in response.content.decode()


def test_is_for_evaluators(client, rosalind):
    assert client.get("/my-work/").status_code == 302
    client.force_login(rosalind)
    assert rosalind.roles == [Role.RESEARCHER.value]
    for url in PAGES:
        assert client.get(url).status_code == 404


def test_other_addresses_do_not_exist(as_ada):
    assert as_ada.get("/my-work/secrets/").status_code == 404
    assert as_ada.post("/my-work/").status_code == 405


@pytest.mark.parametrize("rows", [1, 8])
def test_query_count_does_not_grow_with_rows(as_ada, ada, django_assert_num_queries, rows):
    profile = make_known()
    make_practice_of(profile)
    for _ in range(rows):
        done = worked(ada, timezone.now(), 60)
        make_judgement(done, note="a note")
        Flag.objects.create(assignment=done, comment=done.profile.comments.get(), remark="?")
        skipped(ada)
    as_ada.get("/account/")
    with django_assert_num_queries(6):  # person, days, pace, batches, progress, known
        as_ada.get("/my-work/")
    for report in Report.values:
        with django_assert_num_queries(3):  # person, number of rows, rows
            as_ada.get(f"/my-work/{report}/")
