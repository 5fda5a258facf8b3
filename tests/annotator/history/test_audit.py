"""The audit log and its page."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone

from annotator.core.audit import record, record_view
from annotator.models import AuditEntry
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.factories import make_annotator, make_assignment, make_profile

pytestmark = pytest.mark.django_db
PATH = "/audit/"
Action = AuditEntry.Action


def test_shows_the_newest_first(as_grace, grace, ada):
    record(Action.SIGNED_IN, actor=ada, methods=["password", "totp"])
    record(Action.ROLES_CHANGED, actor=grace, subject=ada, before=[], after=["admin"])
    page = as_grace.get(PATH).content.decode()
    assert "methods: password + totp" in page
    assert page.index("changed roles</td>") < page.index("signed in</td>")


def test_shows_details_in_words(as_grace, grace, ada):
    record(Action.PROFILE_SKIPPED, actor=ada, assignment=8, reason="too_little")
    record(Action.BATCH_CHANGED, actor=grace, batch=2, started=True, slots=3)
    page = as_grace.get(PATH).content.decode()
    assert "reason: too little text" in page
    assert "started: yes" in page
    assert "assignments: 3" in page


def test_filters_by_what_was_done(as_grace, ada):
    record(Action.SIGNED_IN, actor=ada)
    record(Action.SIGNED_OUT, actor=ada)
    page = as_grace.get(PATH, {"action": "signed_out"}).content.decode()
    assert "<td>signed out</td>" in page
    assert "<td>signed in</td>" not in page


def test_filters_by_who_did_it_or_whom_it_was_about(as_grace, grace, ada):
    dorothy = make_annotator("dorothy")
    record(Action.SIGNED_IN, actor=ada)
    record(Action.DEACTIVATED, actor=grace, subject=ada)
    record(Action.SIGNED_OUT, actor=dorothy)
    page = as_grace.get(PATH, {"person": ada.pk}).content.decode()
    assert "<td>signed in</td>" in page
    assert "<td>deactivated someone</td>" in page
    assert "<td>signed out</td>" not in page


def entries(client, **filters) -> list[str]:
    return [row.action for row in client.get(PATH, filters).context["page"]]


def test_filters_by_batch(as_grace, grace, ada):
    assignment, other = make_assignment(annotator=ada), make_assignment(annotator=ada)
    record(Action.BATCH_CHANGED, actor=grace, batch=assignment.batch_id)
    record(Action.SLOTS_MOVED, actor=grace, batch=other.batch_id)
    assert entries(as_grace, batch=assignment.batch_id) == [Action.BATCH_CHANGED.label]


def test_filters_by_profile_with_entries_about_its_assignments(as_grace, grace, ada):
    assignment, other = make_assignment(annotator=ada), make_assignment(annotator=ada)
    record(Action.PROFILE_SUBMITTED, actor=ada, assignment=assignment.pk)
    record(Action.ACCOUNT_NAME_SEEN, actor=grace, profile_id=assignment.profile_id)
    record(Action.PROFILE_SEEN, actor=grace, profile=assignment.profile_id)
    record(Action.PROFILE_SKIPPED, actor=ada, assignment=other.pk)
    record(Action.PROFILE_SEEN, actor=grace, profile=other.profile_id)
    actions = [Action.PROFILE_SEEN, Action.ACCOUNT_NAME_SEEN, Action.PROFILE_SUBMITTED]
    assert entries(as_grace, profile=assignment.profile.pseudonym) == [action.label for action in actions]


def test_filters_by_days_both_included(as_grace, ada):
    for day in (1, 2, 3):
        AuditEntry.objects.create(action=Action.SIGNED_IN, actor=ada, at=datetime(2026, 1, day, 23, 59, tzinfo=UTC))
    assert len(entries(as_grace, since="2026-01-02", until="2026-01-02")) == 1
    assert len(entries(as_grace, since="2026-01-02")) == 2
    assert len(entries(as_grace, until="2026-01-02")) == 2


@pytest.mark.parametrize(
    "odd",
    [
        {"action": "nonsense"},
        {"person": "x"},
        {"person": "9" * 30},
        {"person": "\x00"},
        {"page": "\x00"},
        {"page": "-7"},
        {"batch": "x"},
        {"profile": "nobody-at-all"},
        {"profile": "\x00"},
        {"since": "yesterday"},
        {"since": "2026-02-01", "until": "2026-01-01"},
    ],
)
def test_a_filter_that_makes_no_sense_is_reported_and_ignored(as_grace, ada, odd):
    record(Action.SIGNED_IN, actor=ada)
    response = as_grace.get(PATH, odd)
    assert response.status_code == 200
    assert "<td>signed in</td>" in response.content.decode()


def test_pages_keep_the_filter(as_grace, ada):
    for _ in range(51):
        record(Action.SIGNED_IN, actor=ada)
    page = as_grace.get(PATH, {"person": ada.pk, "action": ""}).content.decode()
    assert "1 to 50 of 51" in page
    assert f'href="?person={ada.pk}&amp;action=&amp;page=2"' in page
    second = as_grace.get(PATH, {"person": ada.pk, "page": 2}).content.decode()
    assert "51 to 51 of 51" in second


def test_says_so_when_there_is_nothing(as_grace):
    assert "No entries" in as_grace.get(PATH).content.decode()


@pytest.mark.parametrize("n_entries", [1, 49])
def test_the_number_of_queries_does_not_grow(as_grace, n_entries, django_assert_num_queries):
    for _ in range(n_entries):
        record(Action.DEACTIVATED, actor=make_annotator(), subject=make_annotator())
    as_grace.get(PATH)
    with django_assert_num_queries(5):  # the admin, the count, the page, people and batches to choose from
        as_grace.get(PATH)


def test_is_for_admins(client, as_ada, rosalind):
    assert as_ada.get(PATH).status_code == 404
    as_ada.force_login(rosalind)
    assert as_ada.get(PATH).status_code == 404
    as_ada.logout()
    assert as_ada.get(PATH)["Location"] == "/account/login/?next=/audit/"


def test_can_only_be_read(as_grace):
    assert as_grace.post(PATH).status_code == 405
    assert as_grace.delete(PATH).status_code == 405


@pytest.mark.parametrize("write", ["UPDATE annotator_auditentry SET action = 'x'", "DELETE FROM annotator_auditentry"])
def test_postgres_refuses_to_change_what_was_written(ada, write):
    record(Action.SIGNED_IN, actor=ada)
    with (
        pytest.raises(ProgrammingError, match="Cannot update or delete"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(write)
    assert AuditEntry.objects.get().action == "signed_in"


def test_through_the_models_neither(ada):
    record(Action.SIGNED_IN, actor=ada)
    with pytest.raises(ProgrammingError), transaction.atomic():
        AuditEntry.objects.get().delete()
    with pytest.raises(ProgrammingError), transaction.atomic():
        AuditEntry.objects.update(address="10.0.0.1")


# ── Who saw a profile ───────────────────────────────────────────────────────


def views() -> list[tuple[str, dict[str, object]]]:
    entries = AuditEntry.objects.filter(action=Action.PROFILE_SEEN).order_by("pk")
    return [(entry.actor.username, entry.details) for entry in entries]


@pytest.mark.parametrize("person", ["grace", "rosalind"])
def test_an_admin_or_a_researcher_who_opens_a_profile_is_recorded(client, request, person):
    client.force_login(request.getfixturevalue(person))
    profile = make_profile()
    client.get(f"/profiles/{profile.pk}/")
    assert views() == [(person, {"profile": profile.pk, "page": "profile"})]


def test_turning_pages_is_not(as_grace):
    profile = make_profile()
    for _ in range(3):
        as_grace.get(f"/profiles/{profile.pk}/")
    assert len(views()) == 1


def test_another_profile_another_person_and_another_hour_are(grace, rosalind):
    profile, other_profile = make_profile(), make_profile()
    an_hour_ago = timezone.now() - timedelta(minutes=61)
    AuditEntry.objects.create(action=Action.PROFILE_SEEN, actor=grace, at=an_hour_ago, details={"profile": profile.pk})
    for read, person in ((profile, grace), (other_profile, grace), (profile, rosalind), (profile, grace)):
        record_view(read.pk, by=person, page="profile")
    assert len(views()) == 4


def test_an_evaluator_reading_their_own_is_known_from_the_assignment(as_ada, ada):
    assignment = make_assignment(annotator=ada)
    as_ada.get(f"/profiles/{assignment.profile_id}/")
    as_ada.get(f"/assignments/{assignment.pk}/")
    assert views() == []
    assert assignment.claimed_at


def test_what_somebody_made_of_a_known_profile_is_recorded(as_grace, ada):
    profile = make_known(sex="male")
    batch = make_practice_of(profile)
    done = submitted(ada, profile, batch, sex="male")
    as_grace.get(f"/batches/{batch.pk}/quality/{done.pk}/")
    assert views() == [("grace", {"profile": profile.pk, "page": "known answers"})]


def test_what_one_may_not_see_is_not_recorded_as_seen(as_ada):
    assert as_ada.get(f"/profiles/{make_profile().pk}/").status_code == 404
    assert views() == []
