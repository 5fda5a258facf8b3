"""The life of a batch: start, pause, extend, close, and move assignments. Nothing that anybody wrote is lost."""

import threading

import pytest
from django.db import transaction
from django.db.utils import DatabaseError
from django.http import QueryDict
from django.utils import timezone

from annotator.batches import lifecycle
from annotator.batches.claims import claim_next, prepare_next
from annotator.batches.drawing.draw import TooFewProfiles
from annotator.batches.drawing.plan import Criteria
from annotator.batches.lifecycle import (
    HasOpenWork,
    OpenWork,
    close,
    extend,
    pause,
    rename,
    reopen,
    resume,
    start,
)
from annotator.batches.moves import hand_out_again, reassign, release_prepared
from annotator.batches.queries.progress import batches_of, open_batches
from annotator.batches.queries.setup import BATCH_COLUMNS, batches_page, setup_of
from annotator.batches.refusals import (
    AlreadyAssigned,
    AlreadyStarted,
    BatchClosed,
    BatchNameTaken,
    ImportedBatch,
    NobodyLeft,
    NotAPool,
    NotClosed,
    NotDrawn,
    NotEvaluators,
    NothingToPlant,
    NotStarted,
    OutdatedVersion,
    SelfTakeover,
    SkipHandled,
)
from annotator.core.sort_order import Sorting
from annotator.labelling.cards import Card
from annotator.labelling.queries import work_state
from annotator.labelling.services import AssignmentClosed, save_card, skip_assignment
from annotator.labelling.submission import reopen_assignment, submit_assignment
from annotator.models import Assignment, Batch, Draft, SkipReason
from profiles.attributes import Attribute
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.batches.drafts import draft, layout, make_corpus_of, running
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.quality.practice_batches import make_known, make_practice_of
from tests.factories import make_annotator, make_batch

pytestmark = pytest.mark.django_db
BY_STATE = Sorting.read(QueryDict(), BATCH_COLUMNS, default="state")


@pytest.fixture
def bob(db):
    return make_annotator("bob")


@pytest.fixture
def cy(db):
    return make_annotator("cy")


def answered(batch, person) -> Assignment:
    """What somebody holds and has written on."""
    held = claim_next(batch=batch, annotator=person)
    save_card(held, Attribute.AGE, Card("27", 1, 5), based_on=0)
    return held


# ── Start ───────────────────────────────────────────────────────────────────


def test_starts_once_plants_what_was_asked_for_and_freezes(ada):
    corpus = make_corpus_of(4)
    batch = draft(corpus, ada, size=4, planted=1)
    make_known(corpus=corpus)
    started = start(batch, by=ada)
    assert started.assignments.filter(is_planted=True).count() == 1
    assert claim_next(batch=started, annotator=ada) is not None
    with pytest.raises(AlreadyStarted):
        start(batch)
    with pytest.raises(DatabaseError, match="batch_frozen_once_started"), transaction.atomic():
        Batch.objects.filter(pk=batch.pk).update(overlap=2)


def test_is_not_started_when_nothing_can_be_planted(ada):
    batch = draft(make_corpus_of(4), ada, planted=1)
    with pytest.raises(NothingToPlant):
        start(batch)
    batch.refresh_from_db()
    assert batch.started_at is None


# ── Pause and close ─────────────────────────────────────────────────────────


def test_paused_nobody_gets_another_and_may_finish_what_they_hold(ada):
    batch = running(make_corpus_of(2), ada)
    held = claim_next(batch=batch, annotator=ada)
    paused = pause(batch)
    submit_assignment(held, nothing=True)
    assert claim_next(batch=paused, annotator=ada) is None
    assert claim_next(batch=batch, annotator=ada) is None  # outdated before the pause
    assert claim_next(batch=resume(batch), annotator=ada) is not None


def test_asks_before_it_closes_over_open_profiles(ada, bob):
    batch = running(make_corpus_of(4), ada, bob, size=4)
    answered(batch, ada)
    claim_next(batch=batch, annotator=bob)
    with pytest.raises(HasOpenWork) as refusal:
        close(batch)
    assert refusal.value.open_work == OpenWork(people=2, profiles=2, with_answers=1)
    batch.refresh_from_db()
    assert batch.closed_at is None


def test_closing_takes_back_what_is_open_and_keeps_every_word(ada):
    batch = running(make_corpus_of(3), ada, size=3)
    done = answered(batch, ada)
    submit_assignment(done)
    reopen_assignment(done)
    held = answered(batch, ada)
    close(batch, withdraw=True)
    held.refresh_from_db()
    done.refresh_from_db()
    assert held.skip_reason == SkipReason.WITHDRAWN
    assert not batch.assignments.unhandled().exists()  # nothing for an admin to deal with
    assert Draft.objects.get(assignment=held).value == "27"
    assert (done.reopened_at, done.judgements.get(attribute="age").value) == (None, "27")
    with pytest.raises(AssignmentClosed):
        submit_assignment(held)
    with pytest.raises(BatchClosed):
        resume(batch)


def test_nobody_gets_a_profile_of_a_batch_that_was_just_closed(ada):
    batch = running(make_corpus_of(2), ada)
    close(Batch.objects.get(pk=batch.pk))
    assert claim_next(batch=batch, annotator=ada) is None  # looked up before
    assert prepare_next(batch=batch, annotator=ada) is None


@pytest.mark.django_db(transaction=True)
def test_whoever_claims_while_it_is_closed_holds_nothing_in_a_closed_batch(ada, monkeypatch):
    """The claim waits for the closing and finds nothing, or the closing finds what was claimed and asks."""
    batch = running(make_corpus_of(2), ada)
    counted = threading.Event()
    open_work = lifecycle.open_work

    def slowly(locked):
        work = open_work(locked)
        counted.set()
        threading.Event().wait(0.3)
        return work

    monkeypatch.setattr(lifecycle, "open_work", slowly)

    def claim():
        counted.wait(10)
        return claim_next(batch=batch, annotator=ada)

    in_threads(lambda: close(batch), claim)
    batch.refresh_from_db()
    assert batch.closed_at is not None
    assert not batch.assignments.filter(claimed_at__isnull=False).exists()  # neither held nor taken back unasked


# ── Reopen ──────────────────────────────────────────────────────────────────


def test_a_reopened_batch_goes_on_where_it_stopped(ada, grace):
    batch = running(make_corpus_of(3), ada, size=3)
    submit_assignment(answered(batch, ada))
    held = answered(batch, ada)
    close(batch, withdraw=True)
    reopened = reopen(batch, by=grace)
    assert (reopened.closed_at, claim_next(batch=reopened, annotator=ada)) == (None, held)
    assert Draft.objects.get(assignment=held).value == "27"
    submit_assignment(held)
    assert claim_next(batch=reopened, annotator=ada) is not None
    assert entry("batch_changed").actor == grace
    assert entry("batch_changed").details == {"batch": batch.pk, "reopened": True, "given_back": 1}


def test_reopening_gives_nobody_back_what_was_handed_over_or_skipped(ada, bob):
    batch = running(make_corpus_of(3), ada, size=3)
    skipped = claim_next(batch=batch, annotator=ada)
    skip_assignment(skipped, "bot")
    moved = answered(batch, ada)
    reassign(batch, ada, [bob])
    close(batch)
    reopen(batch)
    for assignment in (skipped, moved):
        assignment.refresh_from_db()
    assert (skipped.skip_reason, moved.skip_reason) == (SkipReason.BOT, SkipReason.WITHDRAWN)
    assert claim_next(batch=Batch.objects.get(pk=batch.pk), annotator=ada) is None


def test_a_batch_that_was_paused_is_paused_when_it_is_reopened(ada):
    batch = running(make_corpus_of(2), ada)
    pause(batch)
    close(batch)
    assert claim_next(batch=reopen(batch), annotator=ada) is None
    assert claim_next(batch=resume(batch), annotator=ada) is not None


def test_only_a_closed_batch_of_our_own_is_reopened(ada):
    with pytest.raises(NotClosed):
        reopen(running(make_corpus_of(2), ada))
    with pytest.raises(ImportedBatch):
        reopen(make_batch(draw={"import": 1}, closed_at=timezone.now()))


@pytest.mark.django_db(transaction=True)
def test_of_two_admins_at_the_same_moment_one_is_told(ada):
    batch = running(make_corpus_of(2), ada)
    outdated = batch.version
    together = threading.Barrier(2, timeout=10)

    def act(change):
        together.wait()
        return change(batch, based_on=outdated)

    results = in_threads(
        lambda: act(pause), lambda: act(lambda b, based_on: rename(b, name="New", due_at=None, based_on=based_on))
    )
    assert {type(result) for result in results} == {Batch, OutdatedVersion}


def test_refuses_what_is_based_on_an_older_version(ada, bob):
    batch = running(make_corpus_of(4), ada)
    outdated = batch.version
    pause(batch, based_on=outdated)
    changes = (
        lambda: resume(batch, based_on=outdated), lambda: close(batch, based_on=outdated),
        lambda: extend(batch, 1, based_on=outdated), lambda: reassign(batch, ada, [bob], based_on=outdated),
        lambda: rename(batch, name="New", due_at=None, based_on=outdated),
    )  # fmt: skip
    for change in changes:
        with pytest.raises(OutdatedVersion):
            change()


def test_a_name_is_taken_once(ada):
    batch = running(make_corpus_of(2), ada)
    draft(batch.corpus, ada, name="Taken")
    with pytest.raises(BatchNameTaken, match="“Taken”"):
        rename(batch, name="Taken", due_at=None)
    with pytest.raises(BatchNameTaken, match="“Taken”"):
        draft(batch.corpus, ada, name="Taken")
    assert rename(batch, name="Free", due_at=timezone.now()).due_at is not None


# ── Extend ──────────────────────────────────────────────────────────────────


def test_extends_by_the_same_criteria_with_the_next_seed(ada, bob):
    corpus = make_corpus_of(6)
    batch = running(corpus, ada, bob, size=2, criteria=Criteria(at_least=1))
    before = layout(batch)
    extended = extend(extend(batch, 2), 1)
    assert [(more["seed"], more["size"], more["eligible"]) for more in extended.extensions] == [(2, 2, 4), (3, 1, 2)]
    assert layout(extended)[:2] == before
    assert [assignment.position for assignment in extended.assignments.in_order()] == [0, 1, 2, 3, 4]
    with pytest.raises(TooFewProfiles):
        extend(extended, 2)


def test_what_was_not_drawn_at_random_cannot_be_extended():
    with pytest.raises(NotDrawn):
        extend(make_practice_of(make_known()), 1)


def test_a_batch_that_nobody_can_label_any_more_is_not_extended(ada):
    batch = running(make_corpus_of(4), ada)
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    with pytest.raises(NobodyLeft):
        extend(batch, 1)
    assert batch.assignments.count() == 2


@pytest.mark.parametrize("change", [pause, resume, close, lambda batch: extend(batch, 1), release_prepared])
def test_a_draft_and_a_closed_batch_are_left_alone(ada, change):
    batch = draft(make_corpus_of(4), ada)
    with pytest.raises(NotStarted):
        change(batch)
    close(start(batch))
    with pytest.raises(BatchClosed):
        change(batch)


# ── Reassign ───────────────────────────────────────────────────────────────


def test_hands_over_in_turn_what_somebody_has_not_begun(ada, bob, cy):
    batch = running(make_corpus_of(6), ada, size=6)
    done = answered(batch, ada)
    submit_assignment(done)
    moved = reassign(batch, ada, [bob, cy], by=ada)
    assert (moved.moved, moved.stayed) == (5, 0)
    counts = [batch.assignments.filter(annotator=person).count() for person in (ada, bob, cy)]
    assert counts in ([1, 3, 2], [1, 2, 3])
    batch.refresh_from_db()
    assert [person["annotator"] for person in batch.people] == [bob.pk, cy.pk]
    assert entry("slots_moved").details == {"batch": batch.pk, "slots": 5, "to": [bob.pk, cy.pk]}


def test_what_somebody_who_left_holds_is_read_afresh_by_another(ada, bob):
    batch = running(make_corpus_of(2), ada)
    held = answered(batch, ada)
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    assert reassign(batch, ada, [bob]).moved == 2
    held.refresh_from_db()
    assert held.skip_reason == "withdrawn"
    assert Draft.objects.get().assignment == held
    fresh = claim_next(batch=batch, annotator=bob)
    assert (fresh.profile_id, fresh.drafts.count()) == (held.profile_id, 0)


def test_what_was_taken_back_counts_once_for_whoever_has_it_now(ada, bob):
    batch = running(make_corpus_of(3), ada, size=3)
    submit_assignment(answered(batch, ada))
    answered(batch, ada)
    reassign(batch, ada, [bob])
    setup = setup_of(Batch.objects.get(pk=batch.pk))
    rows = {row.annotator: (row.assigned, row.done, row.waiting) for row in setup.annotators}
    assert rows == {ada: (1, 1, 0), bob: (2, 0, 2)}
    assert setup.assignments == 3
    assert progress_in(open_batches()) == progress_in(batches_page(BY_STATE, "1")) == (1, 3)
    assert [(row.progress.submitted, row.progress.total) for row in (*batches_of(ada), *batches_of(bob))] == [
        (1, 1),
        (0, 2),
    ]
    assert work_state(claim_next(batch=batch, annotator=bob)).progress.total == 2


def test_what_closing_took_back_is_not_done(ada):
    batch = running(make_corpus_of(3), ada, size=3)
    submit_assignment(answered(batch, ada))
    answered(batch, ada)
    close(batch, withdraw=True)
    assert progress_in(batches_page(BY_STATE, "1")) == (1, 3)


def progress_in(rows) -> tuple[int, int]:
    (row,) = rows
    return row.done, row.total


def test_whoever_had_it_is_told_that_it_was_taken_back(as_ada, ada, bob):
    batch = running(make_corpus_of(2), ada)
    held = answered(batch, ada)
    reassign(batch, ada, [bob])
    page = as_ada.get(f"/assignments/{held.pk}/", follow=True).content.decode()
    assert "An admin took this profile back. What you wrote is kept." in page
    assert ">Withdrawn</span>" in page


def test_nobody_skips_as_an_admin_would(as_ada, ada):
    """The reason is an admin's alone: it is neither offered nor taken."""
    held = claim_next(batch=running(make_corpus_of(2), ada), annotator=ada)
    assert 'value="withdrawn"' not in as_ada.get(f"/assignments/{held.pk}/").content.decode()
    assert as_ada.post(f"/assignments/{held.pk}/skip/", {"reason": "withdrawn"}).status_code == 422
    held.refresh_from_db()
    assert held.skipped_at is None


def test_nobody_gets_a_profile_twice(ada, bob):
    batch = running(make_corpus_of(3), ada, bob, size=3, overlap=2)
    moved = reassign(batch, ada, [bob])
    assert (moved.moved, moved.stayed) == (0, 3)


def test_to_nobody_means_to_the_pool(ada, bob):
    batch = running(make_corpus_of(2), ada)
    reassign(batch, ada)
    assert claim_next(batch=batch, annotator=bob) is not None


def test_nobody_takes_over_from_themselves_and_only_evaluators_take(ada, grace):
    batch = running(make_corpus_of(2), ada)
    for taker, refusal in ((ada, SelfTakeover), (grace, NotEvaluators)):
        with pytest.raises(refusal):
            reassign(batch, ada, [taker])


def test_gives_back_to_the_pool_what_was_only_got_ready(ada, bob):
    batch = running(make_corpus_of(3), size=3)
    held = claim_next(batch=batch, annotator=ada)
    ready = prepare_next(batch=batch, annotator=ada)
    assert release_prepared(batch) == 1
    ready.refresh_from_db()
    held.refresh_from_db()
    assert (ready.annotator, held.annotator) == (None, ada)
    with pytest.raises(NotAPool):
        release_prepared(running(batch.corpus, ada, name="Named"))


# ── Skipped ─────────────────────────────────────────────────────────────────


def test_a_skipped_profile_is_handed_out_again_once(ada, bob):
    batch = running(make_corpus_of(2), ada)
    skipped = claim_next(batch=batch, annotator=ada)
    skip_assignment(skipped, "technical")
    with pytest.raises(AlreadyAssigned):
        hand_out_again(skipped, ada)
    copy = hand_out_again(skipped, bob)
    skipped.refresh_from_db()
    assert skipped.handled_at is not None
    assert (copy.profile_id, copy.position, copy.annotator) == (skipped.profile_id, skipped.position, bob)
    with pytest.raises(SkipHandled):
        hand_out_again(skipped)
    assert actions().count("slots_moved") == 1


def test_a_planted_profile_stays_planted_when_it_moves(ada, bob):
    corpus = make_corpus_of(2)
    batch = draft(corpus, ada, planted=1)
    make_known(corpus=corpus)
    start(batch)
    while not (held := claim_next(batch=Batch.objects.get(pk=batch.pk), annotator=ada)).is_planted:
        submit_assignment(held, nothing=True)
    skip_assignment(held, "technical")
    assert hand_out_again(held, bob).is_planted
