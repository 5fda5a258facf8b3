"""What Postgres records of every change, and the page that shows it."""

import re
from datetime import UTC, datetime, timedelta
from time import sleep

import pghistory
import pgtrigger
import pytest
from celery.contrib.testing.worker import start_worker
from django.apps import apps
from django.db import ProgrammingError, connection, transaction

from annotator.config.celery import app as celery_app
from annotator.embedded.commands import history_context, run
from annotator.history.queries.change_text import DIRECT_ACCESS, NO_VALUE
from annotator.history.queries.changes import changes_page
from annotator.history.tables import TrackedTable
from annotator.models import Assignment, AuditEntry, GoldRecord, Judgement, SameMeaning, Target
from annotator.privacy.services import forget_account
from tests.annotator.gold.records import make_prompted
from tests.annotator.privacy.forgotten_account import NAME, make_account
from tests.factories import make_assignment, make_batch, make_judgement, make_profile

pytestmark = pytest.mark.django_db
PATH = "/audit/changes/"
RAW = "UPDATE annotator_judgement SET value = 'dallas', certainty = 5"


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def latest(table: TrackedTable = TrackedTable.JUDGEMENT):
    return changes_page(table).changes[0]


def differences(change) -> dict[str, tuple[str, str]]:
    return {d.label: (d.before, d.after) for d in change.differences}


@pytest.fixture
def judgement(ada):
    return make_judgement(make_assignment(annotator=ada))


@pytest.fixture
def one_of_each(judgement):
    """A row in each table whose changes are kept."""
    profile = judgement.assignment.profile
    GoldRecord.objects.create(profile=profile, attribute="age", reached="single", rule="consensus/1")
    make_prompted("age", "27", profile=profile)
    Target.objects.create(corpus=profile.corpus, attribute="age", hardness=3, wanted=5)
    SameMeaning.objects.create(attribute="occupation", one="cook", other="kitchen chef", is_same=True)


# ── What is kept ────────────────────────────────────────────────────────────


def test_every_table_with_a_history_can_be_looked_at():
    tracked = {
        model.pgh_tracked_model._meta.model_name
        for model in apps.get_models()
        if issubclass(model, pghistory.models.Event) and model._meta.managed
    }
    assert tracked == set(TrackedTable.values)


def test_a_change_by_raw_sql_leaves_a_trace(judgement):
    execute(RAW)
    change = latest()
    assert change.by == DIRECT_ACCESS
    assert change.did == "changed"
    assert differences(change) == {"value": ("houston", "dallas"), "certainty": ("4", "5")}


def test_compares_with_the_same_row_as_it_was_before(judgement):
    make_judgement(judgement.assignment, "occupation", "cook")
    Judgement.objects.filter(pk=judgement.pk).update(certainty=5)
    assert differences(latest()) == {"certainty": ("4", "5")}


def test_so_does_a_row_that_raw_sql_removes(judgement):
    execute("DELETE FROM annotator_judgement")
    assert latest().did == "removed"
    assert differences(latest())["value"] == ("houston", "")


def test_without_the_trigger_there_would_be_no_trace(judgement):
    """Else the two above would prove nothing."""
    with pgtrigger.ignore("annotator.Judgement:update_update"):
        execute(RAW)
    assert latest().did == "added"


def test_what_changes_nothing_leaves_none(judgement):
    execute("UPDATE annotator_judgement SET value = 'houston'")
    assert latest().did == "added"


@pytest.mark.parametrize("table", TrackedTable)
def test_what_is_kept_cannot_be_edited(one_of_each, table):
    events = table.events
    kept = list(events.objects.values())
    assert kept
    name = events._meta.db_table
    for write in (
        lambda: execute(f"UPDATE {name} SET pgh_label = 'insert', pgh_created_at = now()"),  # noqa: S608
        lambda: execute(f"DELETE FROM {name}"),  # noqa: S608
        lambda: events.objects.update(pgh_label="x"),
        events.objects.first().delete,
    ):
        with pytest.raises(ProgrammingError, match="Cannot update or delete"), transaction.atomic():
            write()
    assert list(events.objects.values()) == kept


def test_no_address_writes_to_it(as_grace):
    for write in (as_grace.post, as_grace.put, as_grace.patch, as_grace.delete):
        assert write(PATH).status_code == 405


def test_nothing_is_left_of_an_account_that_was_forgotten(as_grace):
    profile = make_account()
    forget_account(NAME)
    for table in (TrackedTable.JUDGEMENT, TrackedTable.ASSIGNMENT, TrackedTable.GOLD_RECORD):
        assert changes_page(table).changes == []
    assert profile.pseudonym not in as_grace.get(PATH).content.decode()


# ── Who changed it ──────────────────────────────────────────────────────────────


def test_names_the_person_who_asked(as_grace, grace):
    batch = make_batch()
    assert as_grace.post(f"/batches/{batch.pk}/require-practice/", {"practice": make_practice().pk}).status_code == 302
    change = latest(TrackedTable.BATCH)
    assert (change.who, change.person, change.by) == ("Grace", grace.pk, "")


def make_practice():
    return make_batch(is_practice=True)


@pytest.mark.django_db(transaction=True)  # a command closes its connections when it ends
def test_names_the_command(judgement):
    script = f"from tests.annotator.history.test_history import execute; execute({RAW!r})"
    run(["manage.py", "shell", "--verbosity", "0", "-c", script])
    assert (latest().who, latest().by) == ("", "the command shell")


@pytest.mark.parametrize("command", ["migrate", "up"])
def test_names_no_command_under_which_others_work(judgement, command):
    with history_context(["manage.py", command]):
        execute(RAW)
    assert latest().by == DIRECT_ACCESS


def test_names_the_background_task(judgement):
    assert change_all.apply().state == "SUCCESS"
    assert (latest().who, latest().by) == ("", "the background task change_all")


def test_names_the_person_for_whom_the_task_works(judgement, grace):
    change_all.push_request(asked_by=str(grace.pk))
    try:
        change_all()
    finally:
        change_all.pop_request()
    assert (latest().who, latest().by) == ("Grace", "the background task change_all")


def test_a_worker_learns_who_asked(grace, monkeypatch):
    monkeypatch.setattr("annotator.config.celery.give_way", lambda: None)  # this process goes on with other tests
    contexts.clear()
    with start_worker(celery_app, perform_ping_check=False, shutdown_timeout=30):
        with pghistory.context(person=str(grace.pk)):
            note_context.delay()
        note_context.delay()
        for _ in range(200):
            if len(contexts) == 2:
                break
            sleep(0.05)
    by = {"task": "tests.history.note_context"}
    assert contexts == [by | {"person": str(grace.pk)}, by]


contexts: list[dict[str, object]] = []


@celery_app.task(name="tests.history.note_context")
def note_context() -> None:
    with pghistory.context() as history:
        contexts.append(dict(history.metadata))


@celery_app.task(name="tests.history.change_all")
def change_all() -> None:
    execute(RAW)


# ── The page ────────────────────────────────────────────────────────────────


def rows(client, **filters) -> list[str]:
    return [change.what for change in client.get(PATH, filters).context["page"].changes]


def test_is_for_admins(client, ada, rosalind, judgement):
    assert client.get(PATH)["Location"] == f"/account/login/?next={PATH}"
    for person in (ada, rosalind):
        client.force_login(person)
        assert client.get(PATH).status_code == 404


def test_says_who_changed_what_from_what_to_what(as_grace, judgement):
    assignment = judgement.assignment
    execute(RAW)
    page = as_grace.get(PATH).content.decode()
    what = f"judgement {judgement.pk}, location, {assignment.profile.pseudonym}, Ada, “{assignment.batch.name}”"
    assert page.count(f"<td>{what}</td>") == 2
    assert '<span class="faint">value:</span> <del>houston</del> → dallas' in page
    assert page.index("changed</td>") < page.index("added</td>")


@pytest.mark.parametrize("table", TrackedTable)
def test_shows_every_table(as_grace, one_of_each, table):
    page = as_grace.get(PATH, {"table": table.value}).content.decode()
    assert page.count("added</td>") == 1
    assert f'value="{table.value}" selected' in page


def test_says_names_instead_of_numbers(grace, judgement):
    assignment = judgement.assignment
    assignment.annotator = grace
    assignment.save(update_fields=["annotator"])
    change = latest(TrackedTable.ASSIGNMENT)
    assert differences(change) == {"annotator": ("Ada", "Grace")}
    assert (
        change.what == f"assignment {assignment.pk}, {assignment.profile.pseudonym}, Grace, “{assignment.batch.name}”"
    )


def test_says_that_somebody_could_not_tell(ada):
    make_judgement(make_assignment(annotator=ada), value="")
    assert differences(latest())["value"] == ("", NO_VALUE)


def test_says_a_number_where_the_row_is_gone(judgement):
    number, assignment = judgement.pk, judgement.assignment
    judgement.delete()
    assignment.delete()
    assert latest().what == f"judgement {number}, location"


def test_quotes_no_comment(as_grace, judgement):
    GoldRecord.objects.create(
        profile=judgement.assignment.profile, attribute="age", value="27", hardness=1, certainty=5, reached="single",
        rule="consensus/1", evidence=[{"comment": 1, "start": 0, "end": 9, "text": "I am <27>"}],
    )  # fmt: skip
    page = as_grace.get(PATH, {"table": "goldrecord"}).content.decode()
    assert "1 stretches" not in page
    assert "1 stretch" in page
    assert "I am" not in page


def test_shows_what_was_typed_as_it_was_typed(as_grace, judgement):
    judgement.note = "<b>see</b>" + "x" * 500
    judgement.save(update_fields=["note"])
    page = as_grace.get(PATH).content.decode()
    assert "&lt;b&gt;see&lt;/b&gt;" in page
    assert "x" * 201 not in page


def test_filters_by_person(as_grace, ada, grace, judgement):
    with pghistory.context(person=str(ada.pk)):
        execute(RAW)
    assert len(rows(as_grace, person=ada.pk)) == 1
    assert rows(as_grace, person=grace.pk) == []
    assert len(rows(as_grace, alone="on")) == 1


@pytest.mark.parametrize("table", ["judgement", "assignment", "goldrecord", "batch"])
def test_filters_by_batch(as_grace, ada, table):
    assignments = [make_assignment(annotator=ada) for _ in range(2)]
    for assignment in assignments:
        make_judgement(assignment)
        GoldRecord.objects.create(
            profile=assignment.profile, attribute="age", reached="single", rule="x", batch_ids=[assignment.batch_id]
        )
    assert len(rows(as_grace, table=table)) == 2
    assert len(rows(as_grace, table=table, batch=assignments[0].batch_id)) == 1


@pytest.mark.parametrize("table", ["judgement", "assignment", "goldrecord"])
def test_filters_by_profile_which_counts_as_reading_it(as_grace, grace, ada, table):
    assignments = [make_assignment(annotator=ada) for _ in range(2)]
    for assignment in assignments:
        make_judgement(assignment)
        GoldRecord.objects.create(profile=assignment.profile, attribute="age", reached="single", rule="x")
    changes = rows(as_grace, table=table, profile=assignments[0].profile.pseudonym)
    assert len(changes) == 1
    assert assignments[0].profile.pseudonym in changes[0]
    entry = AuditEntry.objects.get(action="profile_seen")
    assert (entry.actor, entry.details) == (grace, {"profile": assignments[0].profile_id, "page": "history"})


def test_opening_the_page_is_not_recorded(as_grace, judgement):
    as_grace.get(PATH)
    assert not AuditEntry.objects.filter(action="profile_seen").exists()


def test_filters_by_days(as_grace, judgement):
    today = datetime.now(UTC).date()
    assert len(rows(as_grace, since=today, until=today)) == 1
    assert rows(as_grace, since=today + timedelta(days=1)) == []
    assert rows(as_grace, until=today - timedelta(days=1)) == []


def test_what_belongs_to_no_profile_has_no_changes_of_one(as_grace, one_of_each):
    for table in ("target", "samemeaning", "batch"):
        assert rows(as_grace, table=table, profile=make_profile().pseudonym) == []


@pytest.mark.parametrize(
    "odd",
    [
        {"table": "annotator"},
        {"person": "x"},
        {"batch": "9" * 30},
        {"profile": "nobody-at-all"},
        {"since": "2026-13-40"},
        {"since": "9999-12-31", "until": "2026-01-01"},
        {"before": "x"},
        {"before": "99999999999999999-1"},
        {"until": "9999-12-31"},
    ],
)
def test_a_filter_that_makes_no_sense_is_reported_and_ignored(as_grace, judgement, odd):
    response = as_grace.get(PATH, odd)
    assert response.status_code == 200
    assert len(response.context["page"].changes) <= 1


def test_pages_hold_fifty_and_miss_none(as_grace, ada):
    assignments = [make_assignment(annotator=ada) for _ in range(2)]
    for number in range(60):
        Assignment.objects.filter(pk=assignments[0].pk).update(active_seconds=number + 1)
    first = as_grace.get(PATH, {"table": "assignment", "person": ""})
    page = first.content.decode()
    assert len(first.context["page"].changes) == 50
    following = re.search(r'href="(\?[^"]*before=[^"]*)"', page)[1].replace("&amp;", "&")
    assert "table=assignment" in following
    second = as_grace.get(PATH + following).context["page"]
    assert len(second.changes) == 12
    assert second.next_cursor is None
    numbers = [differences(c).get("active seconds") for c in (*first.context["page"].changes, *second.changes)]
    assert numbers[:60] == [(str(n), str(n + 1)) for n in range(59, -1, -1)]


@pytest.mark.parametrize("n_rows", [1, 40])
def test_the_number_of_queries_does_not_grow(as_grace, ada, n_rows, django_assert_num_queries):
    for _ in range(n_rows):
        make_judgement(make_assignment(annotator=ada))
    execute(RAW)
    # the admin; people and batches to choose from; changes, those before, assignments, people, batches, profiles
    with django_assert_num_queries(9):
        as_grace.get(PATH)
