"""Forgetting an account: all of its data and nobody else's, even while others write."""

import threading

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from annotator.labelling import services
from annotator.labelling.cards import Card
from annotator.labelling.services import AssignmentClosed, save_card
from annotator.models import AuditEntry, Draft
from annotator.privacy import services as takedown
from annotator.privacy.services import forget_account, removable_rows
from annotator.privacy.takedowns import Reason, RemovedRows
from profiles.accounts import NotAnAccount
from profiles.attributes import Attribute
from profiles.bulk_load import load_profiles
from profiles.encryption import account_digest
from profiles.ingest import corpus_writer
from profiles.models import Comment, Detection, DetectionRun, ForgottenAccount, Profile
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.privacy.forgotten_account import NAME, make_account
from tests.factories import make_corpus
from tests.profiles.test_forgotten_accounts import record as profile_record

ONE_ACCOUNT = RemovedRows(
    profiles=1, comments=2, detections=2, judgements=1, evidence=1, gold_records=1, known_answers=1
)  # fmt: skip


def models_leading_to_a_profile() -> list[type[models.Model]]:
    """Profile, and every model that leads to it, the hidden ones between two others included."""
    ours = [
        model for app in ("profiles", "annotator", "evaluation") for model in apps.get_app_config(app).get_models(True)
    ]
    models_reached = {Profile}
    for _ in ours:
        models_reached |= {
            model for model in ours if models_reached & {f.related_model for f in model._meta.concrete_fields}
        }
    return sorted(models_reached, key=lambda model: model.__name__)


def rows() -> dict[str, int]:
    return {model.__name__: model._base_manager.count() for model in models_leading_to_a_profile()}


@pytest.mark.django_db
def test_removes_everything_of_the_account_in_every_corpus():
    """Whoever adds a table that leads to a profile is told here: `make_account` and the takedown must know it."""
    make_account()
    make_account()
    assert len(rows()) >= 11
    assert [name for name, count in rows().items() if count < 2] == []
    assert forget_account(NAME) == ONE_ACCOUNT + ONE_ACCOUNT
    assert [name for name, count in rows().items() if count] == []


@pytest.mark.django_db
def test_leaves_other_accounts_alone():
    other = make_account("somebody_else")
    before = rows()
    make_account(corpus=other.corpus)
    forget_account(NAME)
    assert rows() == before
    assert removable_rows("somebody_else") == ONE_ACCOUNT


@pytest.mark.django_db
@pytest.mark.parametrize("spelling", ["tinroof_rusty", "TINROOF_RUSTY", " /u/TinRoof_Rusty\n", "u/tinRoof_rustY"])
def test_finds_the_account_in_any_spelling(spelling):
    make_account()
    assert forget_account(spelling) == ONE_ACCOUNT
    assert not Profile.objects.exists()


@pytest.mark.django_db
def test_says_beforehand_what_would_go_and_changes_nothing():
    make_account()
    before = rows()
    assert removable_rows("u/tinroof_rusty") == ONE_ACCOUNT
    assert rows() == before
    assert removable_rows("nobody") == RemovedRows()


@pytest.mark.django_db
def test_records_the_digest_and_the_counts_and_who_did_it(grace):
    profile = make_account()
    forget_account(NAME, reason=Reason.PERSON, by=grace, request=RequestFactory().post("/"))
    forgotten, written = ForgottenAccount.objects.get(), entry("account_forgotten")
    assert forgotten.removed == ONE_ACCOUNT.counts
    assert bytes(forgotten.account_digest) == account_digest(NAME)
    assert (written.actor, written.subject, written.address) == (grace, None, "127.0.0.1")
    ids = {"takedown": forgotten.pk, "profile_ids": [profile.pk], "corpus_ids": [profile.corpus_id]}
    assert written.details == ONE_ACCOUNT.counts | ids | {"reason": "person"}


@pytest.mark.django_db
def test_forgetting_twice_is_recorded_once_and_says_so():
    make_account()
    forget_account(NAME)
    assert forget_account(NAME) == RemovedRows(forgotten_before=True)
    assert removable_rows(NAME) == RemovedRows(forgotten_before=True)
    assert ForgottenAccount.objects.count() == 1
    assert actions() == ["account_forgotten"]


@pytest.mark.django_db
def test_an_account_in_no_corpus_is_recorded_too():
    assert forget_account(NAME) == RemovedRows()
    assert load_profiles(make_corpus(), [profile_record(NAME)]).left_out == 1
    assert entry("account_forgotten").details == {"takedown": ForgottenAccount.objects.get().pk, "reason": "other"}


@pytest.mark.django_db
def test_what_came_back_all_the_same_is_removed_and_written_down_again():
    forget_account(NAME)
    make_account()
    assert forget_account(NAME).profiles == 1
    assert actions() == ["account_forgotten"] * 2


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", "[deleted]", "a b", "a\x00", "x" * 41])
def test_refuses_what_is_no_account(name):
    with pytest.raises(NotAnAccount):
        forget_account(name)
    assert not ForgottenAccount.objects.exists()


@pytest.mark.django_db
def test_keeps_the_name_nowhere(grace, caplog):
    make_account()
    with caplog.at_level("DEBUG"):
        forget_account(NAME, by=grace, request=RequestFactory().post("/"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(string_agg(entry::text, ' '), '') FROM annotator_auditentry entry")
        written = cursor.fetchone()[0]
        cursor.execute("SELECT string_agg(forgotten::text, ' ') FROM profiles_forgottenaccount forgotten")
        written += cursor.fetchone()[0]
    assert "account_forgotten" in written
    assert "tinroof" not in (written + caplog.text).lower()


@pytest.mark.django_db
@pytest.mark.parametrize(("profiles", "comments"), [(1, 1), (3, 60), (1, 5000)])
def test_query_count_does_not_grow(django_assert_num_queries, profiles, comments):
    for _ in range(profiles):
        make_account(comments=comments)
    # begin, hold loads, profiles, assignments, comments; twenty deletes; look, begin, add, end, audit, end
    with django_assert_num_queries(47):
        assert forget_account(NAME).comments == profiles * comments


@pytest.mark.django_db
def test_no_deletion_joins_a_table_with_itself():
    """After autovacuum has seen an empty table, such a join took minutes for 5,000 comments."""
    make_account()
    with CaptureQueriesContext(connection) as queries:
        forget_account(NAME)
    deletions = [query["sql"] for query in queries if query["sql"].startswith("DELETE")]
    assert len(deletions) > 20
    assert [sql for sql in deletions if f"FROM {sql.split()[2]} U" in sql] == []


# ── At the same moment ──────────────────────────────────────────────────────


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_is_being_saved_goes_with_the_rest(ada, monkeypatch):
    """The answer is written and not yet committed when the takedown begins: the takedown waits for it."""
    profile = make_account(annotator=ada)
    assignment = profile.assignments.get()
    saving, begun = threading.Event(), threading.Event()
    write_card, lock = services._write_card, takedown._lock_profiles

    def save_while_the_other_waits(*args):
        draft = write_card(*args)
        saving.set()
        begun.wait(timeout=10)
        begun.clear()
        begun.wait(timeout=1)  # the other side is at the lock now, and may go past it only when this is committed
        return draft

    def save():
        with transaction.atomic():
            return save_card(assignment, Attribute.AGE, Card("27", 1, 5), based_on=0)

    def lock_once_it_is_being_saved(digest):
        saving.wait(timeout=10)
        begun.set()
        return lock(digest)

    monkeypatch.setattr(services, "_write_card", save_while_the_other_waits)
    monkeypatch.setattr(takedown, "_lock_profiles", lock_once_it_is_being_saved)
    saved, removed = in_threads(save, lambda: forget_account(NAME))
    assert isinstance(saved, Draft), saved
    assert isinstance(removed, RemovedRows), removed
    assert not Draft.objects.exists()
    assert not Profile.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_comes_during_the_takedown_is_refused(ada, monkeypatch):
    """The takedown holds the assignment: the answer waits, and then finds it gone, in words and not as a fault."""
    assignment = make_account(annotator=ada).assignments.get()
    together = threading.Barrier(2, timeout=10)
    delete_all, write_card = takedown._delete_all, services._write_card

    def delete_once_the_other_is_there(profiles):
        together.wait()
        threading.Event().wait(0.5)  # time for the answer to be written, were nothing in its way
        return delete_all(profiles)

    def write_once_the_other_is_there(*args):
        together.wait()
        return write_card(*args)

    monkeypatch.setattr(takedown, "_delete_all", delete_once_the_other_is_there)
    monkeypatch.setattr(services, "_write_card", write_once_the_other_is_there)
    saved, removed = in_threads(
        lambda: save_card(assignment, Attribute.AGE, Card("27", 1, 5), based_on=0), lambda: forget_account(NAME)
    )
    assert isinstance(saved, AssignmentClosed), saved
    assert isinstance(removed, RemovedRows), removed
    assert not Draft.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_detection_that_comes_during_the_takedown_does_not_stop_it(monkeypatch):
    """It comes when the detections are gone and the comments are not: whoever adds it is refused, not the takedown."""
    comment = make_account().comments.order_by("pk")[0]
    late = Detection(run=DetectionRun.objects.get(), comment=comment, entity_type="NRP", start=0, end=1, score=1)
    together, delete = threading.Barrier(2, timeout=10), takedown._delete

    def delete_once_the_other_is_there(rows):
        if rows.model is Comment:
            together.wait()
            threading.Event().wait(0.5)  # time for the detection to be committed, were nothing in its way
        return delete(rows)

    def add_once_the_other_is_there():
        together.wait()
        late.save()

    monkeypatch.setattr(takedown, "_delete", delete_once_the_other_is_there)
    removed, refused = in_threads(lambda: forget_account(NAME), add_once_the_other_is_there)
    assert removed == ONE_ACCOUNT
    assert isinstance(refused, IntegrityError), refused
    assert not Detection.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_admins_at_once_record_it_once(monkeypatch):
    make_account()
    together, wait_for_loads = threading.Barrier(2, timeout=10), takedown._wait_for_loads

    def begin_together():
        together.wait()
        wait_for_loads()

    monkeypatch.setattr(takedown, "_wait_for_loads", begin_together)
    done = in_threads(*[lambda: forget_account(NAME)] * 2)
    assert sorted(done, key=lambda removed: removed.profiles) == [RemovedRows(forgotten_before=True), ONE_ACCOUNT], done
    assert AuditEntry.objects.count() == ForgottenAccount.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_load_that_is_running_does_not_bring_the_account_in(monkeypatch):
    """The load has looked before the takedown begins; the takedown waits and removes what was loaded."""
    looked, begun, lock = threading.Event(), threading.Event(), takedown._wait_for_loads
    really_ensure, corpus = corpus_writer.ensure_subreddits, make_corpus()

    def ensure_while_the_other_waits(names):
        looked.set()
        begun.wait(timeout=10)
        threading.Event().wait(0.5)
        return really_ensure(names)

    def wait_once_the_load_has_looked():
        looked.wait(timeout=10)
        begun.set()
        lock()

    monkeypatch.setattr(corpus_writer, "ensure_subreddits", ensure_while_the_other_waits)
    monkeypatch.setattr(takedown, "_wait_for_loads", wait_once_the_load_has_looked)
    loaded, removed = in_threads(lambda: load_profiles(corpus, [profile_record(NAME)]), lambda: forget_account(NAME))
    assert loaded.left_out == 0
    assert removed.profiles == 1, removed
    assert not Profile.objects.exists()


@pytest.mark.django_db
def test_whoever_is_reading_it_finds_it_gone(as_ada, ada):
    profile = make_account(annotator=ada)
    assert as_ada.get(f"/profiles/{profile.pk}/").status_code == 200
    forget_account(NAME)
    gone = as_ada.get(f"/profiles/{profile.pk}/")
    assert gone.status_code == 404
    assert "tinroof" not in gone.content.decode().lower()
