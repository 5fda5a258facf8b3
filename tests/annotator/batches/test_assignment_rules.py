"""The rules about assignments: each checked against a naive version, and against its other forms in SQL and Python."""

import random
from datetime import timedelta
from itertools import product

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import Http404
from django.utils import timezone

from annotator.batches.claims import FREE, MEANT
from annotator.batches.claims import HELD as HELD_SQL
from annotator.batches.queries.progress import batches_of
from annotator.core.sql import named_sql, related
from annotator.exchange.export.writer import _reviewers
from annotator.gold.fingerprints import profiles_to_build
from annotator.gold.judgements import counted_judgements as judgements_for_gold
from annotator.gold.stamps import current_stamp, stale_corpora
from annotator.labelling.queries import own_assignment, own_assignments, work_state
from annotator.labelling.services import AssignmentClosed, lock_writable
from annotator.models import Assignment, Batch, GoldBuild, Judgement
from annotator.models.batches import FINISHED, HELD, UNFINISHED, State
from evaluation.agreement.judgements import counted_judgements
from evaluation.agreement.scopes import Scope, scope_state
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_judgement, make_profile

pytestmark = pytest.mark.django_db
TIMES = ("claimed_at", "submitted_at", "reopened_at", "skipped_at")


@pytest.fixture(params=range(2))
def study(request):
    """Two corpora with batches, practice, planted profiles, and people who judge a profile again and again."""
    chance, now = random.Random(request.param), timezone.now()  # noqa: S311 repeatable on purpose
    corpora, people = [make_corpus(), make_corpus()], [make_annotator() for _ in range(3)]
    profiles = {corpus: [make_profile(corpus=corpus) for _ in range(5)] for corpus in corpora}
    for corpus in corpora:
        batches = [make_batch(corpus=corpus, is_practice=is_practice) for is_practice in (False, False, False, True)]
        for batch, profile, (slot, person) in product(batches, profiles[corpus], enumerate(people)):
            if chance.random() < 0.1:
                continue
            at = now - timedelta(days=chance.randrange(3)) if chance.random() < 0.7 else None
            assignment = make_assignment(
                batch=batch, profile=profile, annotator=person, slot=slot, claimed_at=at, submitted_at=at,
                is_planted=chance.random() < 0.2,
            )  # fmt: skip
            if at:
                make_judgement(assignment)
    return corpora


def scopes(corpora):
    return [(corpus, batch) for corpus in corpora for batch in (None, *corpus.batches.all())]


def counts(assignment):
    return bool(assignment.submitted_at and not assignment.is_planted and not assignment.batch.is_practice)


def counted_in(corpus, batch=None):
    """The rule in plain Python: of the batch all that count, of the corpus each person's latest about a profile."""
    every = [
        assignment
        for assignment in Assignment.objects.select_related("batch")
        if counts(assignment) and assignment.batch.corpus == corpus
    ]
    if batch:
        return {assignment for assignment in every if assignment.batch == batch}
    latest = {}
    for assignment in sorted(every, key=lambda assignment: (assignment.submitted_at, assignment.pk)):
        latest[assignment.profile_id, assignment.annotator_id] = assignment
    return set(latest.values())


def test_counted_is_submitted_and_neither_planted_nor_practice(study):
    every = Assignment.objects.select_related("batch")
    assert set(Assignment.objects.counted()) == {assignment for assignment in every if counts(assignment)}
    assert {assignment.is_planted for assignment in every if assignment.submitted_at} == {True, False}


def test_of_a_corpus_the_latest_counts_and_of_a_batch_its_own(study):
    for corpus in study:
        assert set(Assignment.objects.counted_in(corpus)) == counted_in(corpus)
        assert len(counted_in(corpus)) < Assignment.objects.counted().filter(batch__corpus=corpus).count()
        for batch in corpus.batches.all():
            assert set(Assignment.objects.counted_in(corpus, batch)) == counted_in(corpus, batch)


def test_gold_is_built_from_what_counts(study):
    for corpus in study:
        profiles = list(corpus.profiles.values_list("pk", flat=True))
        judgements = judgements_for_gold(corpus, profiles)
        expected = Judgement.objects.filter(assignment__in=counted_in(corpus))
        assert {judgement.pk for row in judgements.values() for judgement in row} == {
            judgement.pk for judgement in expected
        }
        counted = {assignment.profile_id for assignment in counted_in(corpus)}
        assert set(profiles_to_build(corpus)) == set(profiles_to_build(corpus, everything=True)) == counted


def test_without_a_build_gold_is_stale_as_soon_as_anything_counts(study):
    now, empty = timezone.now(), make_corpus()
    make_assignment(profile=make_profile(corpus=empty), batch=make_batch(corpus=empty))
    assert stale_corpora() == [corpus.pk for corpus in study]
    GoldBuild.objects.create(corpus=study[0], stamp=current_stamp(study[0]), finished_at=now)
    GoldBuild.objects.create(corpus=study[1], began_at=now, beat_at=now)
    assert stale_corpora() == []  # the other is being built
    Batch.objects.filter(pk=study[0].batches.first().pk).update(closed_at=now)
    assert stale_corpora() == [study[0].pk]


def test_agreement_is_measured_on_what_counts(study):
    for corpus, batch in scopes(study):
        judged = counted_judgements(Scope(corpus, batch))
        pairs = sorted(zip(judged.profiles.tolist(), judged.annotators.tolist(), strict=True))
        assert pairs == sorted(
            (assignment.profile_id, assignment.annotator_id) for assignment in counted_in(corpus, batch)
        )
        scope = {"batch": batch} if batch else {"batch__corpus": corpus}
        assert scope_state(Scope(corpus, batch)).submissions == Assignment.objects.counted().filter(**scope).count()


def test_reviewers_of_an_export_are_those_who_count(study):
    for corpus, batch in scopes(study):
        assert {pk for pk, _code in _reviewers(corpus, batch)} == {
            assignment.annotator_id for assignment in counted_in(corpus, batch)
        }


def test_an_index_finds_what_an_annotator_submitted_about_a_profile():
    """Without it, and without statistics right after an import, Postgres goes through all that they ever submitted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = 'annotator_assignment'")
        definitions = [definition for (definition,) in cursor.fetchall()]
    assert [definition for definition in definitions if "(profile_id, annotator_id)" in definition]


def test_named_sql_says_what_the_queryset_says(study):
    sql, values = named_sql(Assignment.objects.counted_in(study[0]).filter(batch__name__contains="100%"))
    assert set(values) == {name for name in values if f"%({name})s" in sql}
    assert list(Assignment.objects.raw(sql, values)) == []


def states(ada):
    """Every state that an assignment and its batch can be in; what Postgres refuses is left out."""
    now = timezone.now()
    open_batch, closed, draft = make_batch(), make_batch(closed_at=now), make_batch()
    Batch.objects.filter(pk=draft.pk).update(started_at=None)
    for batch, *moments in product((open_batch, closed, draft), *([None, now],) * len(TIMES)):
        Assignment.objects.all().delete()  # nobody holds two of one batch
        times = dict(zip(TIMES, moments, strict=True))
        reason = {"skip_reason": "bot"} if times["skipped_at"] else {}
        try:
            with transaction.atomic():
                assignment = make_assignment(annotator=ada, batch=batch, **times, **reason)
        except IntegrityError:
            continue
        yield Assignment.objects.select_related("batch").get(pk=assignment.pk)


def can_lock(assignment):
    try:
        with transaction.atomic():
            return lock_writable(assignment) == assignment
    except AssignmentClosed:
        return False


def test_writable_means_the_same_for_queries_locks_and_rows(ada):
    seen = set()
    for assignment in states(ada):
        in_hand = assignment.state in (State.HELD, State.REOPENED)
        is_writable = in_hand and assignment.batch.started_at is not None and assignment.batch.closed_at is None
        exists = Assignment.objects.writable().exists()
        assert (exists, can_lock(assignment), assignment.is_writable) == (is_writable,) * 3, vars(assignment)
        assert Batch.objects.open().filter(pk=assignment.batch_id).exists() == assignment.batch.is_open
        seen.add(is_writable)
    assert seen == {True, False}


def test_states_mean_the_same_for_queries_and_rows(ada):
    seen = set()
    for assignment in states(ada):
        state, every = assignment.state, Assignment.objects
        assert every.held().exists() == (state == State.HELD)
        assert (HELD_SQL.first({"batch": assignment.batch_id, "annotator": ada.pk}) is not None) == (
            state == State.HELD
        )
        assert every.unclaimed().exists() == (state == State.UNCLAIMED)
        assert every.submitted().exists() == (state in (State.SUBMITTED, State.REOPENED))
        assert every.in_hand().exists() == (state in (State.HELD, State.REOPENED))
        assert every.unfinished().exists() == (state in (State.HELD, State.UNCLAIMED))
        assert every.skipped().exists() == every.unhandled().exists() == (state == State.SKIPPED)
        assert every.filter(FINISHED).exists() == (not every.filter(UNFINISHED).exists())
        still = state in (State.UNCLAIMED, State.HELD, State.REOPENED)
        assert every.open().exists() == (still and assignment.batch.is_open)
        for condition in (HELD, FINISHED, UNFINISHED, ~HELD):
            there = Batch.objects.filter(related("assignments", condition), assignments=assignment.pk)
            assert there.exists() == every.filter(condition).exists()
        seen.add(state)
    assert seen == set(State)


def finds(statement, values) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone() is not None


def test_the_pool_means_the_same_for_queries_and_pages(ada, grace):
    """What the next claim hands out, what the labelling page counts, and what the home page counts."""
    seen, now = set(), timezone.now()
    for person, claimed_at in ((None, None), (ada, None), (ada, now), (grace, None)):
        batch, values = make_batch(), {"annotator": ada.pk, "relabel": False}
        assignment = make_assignment(batch=batch, annotator=person, claimed_at=claimed_at)
        in_pool = person is None
        mine = person == ada and claimed_at is None
        assert batch.assignments.in_pool().exists() == batch.assignments.free_for(ada).exists() == in_pool
        assert finds(FREE, values | {"batch": batch.pk}) == in_pool
        assert batch.assignments.meant_for(ada).exists() == mine
        assert finds(MEANT, values | {"batch": batch.pk}) == mine
        progress = work_state(assignment).progress
        assert (progress.pool, progress.total) == (int(in_pool), int(person is not None))
        shown = {row.batch.pk: row.progress for row in batches_of(ada)}
        counted = shown.get(batch.pk)
        assert (counted.pool + counted.total if counted else 0) == int(in_pool or person == ada)
        seen.add((in_pool, mine))
    assert len(seen) == 3


def can_open(person, assignment):
    try:
        return own_assignment(person, assignment.pk) == assignment
    except Http404:
        return False


def test_readable_is_what_was_handed_to_the_person(ada, grace):
    for assignment in states(ada):
        was_handed = assignment.state != State.UNCLAIMED and assignment.batch.started_at is not None
        assert own_assignments(ada).filter(pk=assignment.pk).exists() == was_handed
        assert can_open(ada, assignment) == was_handed == Assignment.objects.readable_by(ada).exists()
        assert not own_assignments(grace).exists()
        assert not can_open(grace, assignment)
