"""Known profiles planted in a real batch: who gets them, where, and that nobody can tell."""

import re
import threading

import pytest
from django.db import connection
from django.utils import timezone

from annotator.batches.claims import claim_next, prepare_next
from annotator.batches.lifecycle import draw_batch
from annotator.models import Assignment, Draft
from annotator.privacy import services as takedown
from annotator.quality.services import planted_profiles
from annotator.quality.services.planted_profiles import PlantingRefused, TooFewKnown, plant
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.quality.practice_batches import make_known, make_practice_of
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(db):
    return make_annotator("bob")


def drawn(*annotators, size: int = 6, overlap: int = 1, known: int = 3):
    """A running batch of a corpus, in which profiles are known that are not in the batch."""
    corpus = make_corpus()
    for _ in range(size):
        make_profile(corpus=corpus)
    guideline = make_batch().guideline
    batch = draw_batch(
        name="Round", corpus=corpus, guideline=guideline, size=size, seed=1, overlap=overlap, annotators=annotators
    )
    for _ in range(known):
        make_known(corpus=corpus)
    return batch


def layout(batch) -> list[tuple[int, int | None, bool]]:
    return [(row.profile_id, row.annotator_id, row.is_planted) for row in batch.assignments.in_order()]


def all_claimed(batch, annotator) -> list[Assignment]:
    """What the annotator is handed, to the end."""
    handed = []
    while assignment := claim_next(batch=batch, annotator=annotator):
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())
        handed.append(assignment)
    return handed


# ── Who gets them ───────────────────────────────────────────────────────────


def test_everybody_named_in_the_batch_gets_each_of_them(ada, bob):
    batch = drawn(ada, bob)
    assert plant(batch, count=2, seed=1) == 4
    planted = batch.assignments.filter(is_planted=True)
    assert planted.values("profile").distinct().count() == 2
    assert [sum(slot.is_planted for slot in all_claimed(batch, who)) for who in (ada, bob)] == [2, 2]


def test_in_a_pool_as_many_people_read_them_as_any_other(ada, bob):
    batch = drawn(overlap=2, size=3)
    assert plant(batch, count=2, seed=1) == 4
    for who in (ada, bob):
        handed = all_claimed(batch, who)
        assert len({slot.profile_id for slot in handed}) == len(handed) == 5
        assert sum(slot.is_planted for slot in handed) == 2
    assert not batch.assignments.unclaimed().exists()


def test_whoever_is_through_gets_nothing_more(ada, bob):
    batch = drawn(ada, bob, size=4)
    all_claimed(batch, ada)
    assert plant(batch, count=1, seed=1) == 1
    assert batch.assignments.get(is_planted=True).annotator == bob


def test_only_known_profiles_of_the_corpus_that_are_neither_in_the_batch_nor_practised(ada):
    batch = drawn(ada, known=0)
    make_profile(corpus=batch.corpus)
    make_known()
    make_practice_of(make_known(corpus=batch.corpus))
    make_assignment(batch=batch, profile=make_known(corpus=batch.corpus), annotator=ada, claimed_at=None)
    with pytest.raises(TooFewKnown, match=re.escape(planted_profiles.TOO_FEW_KNOWN.format(available=0, count=1))):
        plant(batch, count=1, seed=1)
    right = make_known(corpus=batch.corpus)
    plant(batch, count=1, seed=1)
    assert batch.assignments.get(is_planted=True).profile == right


def test_a_second_planting_adds_others(ada):
    batch = drawn(ada)
    plant(batch, count=1, seed=1)
    plant(batch, count=2, seed=1)
    assert batch.assignments.filter(is_planted=True).values("profile").distinct().count() == 3


def test_is_written_down(ada, grace):
    batch = drawn(ada)
    plant(batch, count=2, seed=7, by=grace)
    assert entry("batch_changed").actor == grace
    assert entry("batch_changed").details == {"batch": batch.pk, "planted": 2, "slots": 2, "seed": 7}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"closed_at": timezone.now()}, planted_profiles.IS_CLOSED),
        ({"is_practice": True}, planted_profiles.IS_PRACTICE),
        ({"started_at": None}, planted_profiles.NOT_STARTED),
    ],
)
def test_refuses_where_it_makes_no_sense(ada, fields, message):
    batch = drawn(ada)
    rows = type(batch).objects.filter(pk=batch.pk)
    rows.update(started_at=None)  # a batch that runs is frozen
    rows.update(**({"started_at": timezone.now()} | fields))
    before, actions_before = layout(batch), actions()
    with pytest.raises(PlantingRefused, match=message.format(name=batch.name)):
        plant(batch, count=1, seed=1)
    assert layout(batch) == before
    assert actions() == actions_before


def test_refuses_when_all_was_handed_out(ada):
    batch = drawn(ada)
    all_claimed(batch, ada)
    with pytest.raises(PlantingRefused, match=planted_profiles.NOTHING_UNCLAIMED):
        plant(batch, count=1, seed=1)


def test_refuses_more_than_there_are_and_plants_none(ada):
    batch = drawn(ada, known=2)
    with pytest.raises(TooFewKnown, match=re.escape(planted_profiles.TOO_FEW_KNOWN.format(available=2, count=3))):
        plant(batch, count=3, seed=1)
    assert not batch.assignments.filter(is_planted=True).exists()


# ── Where they come ─────────────────────────────────────────────────────────


def test_the_seed_decides_alone(ada, bob):
    """Of the same batch: each planting is undone before the next."""
    batch, layouts = drawn(ada, bob, size=30, known=9), []
    for seed in (1, 1, 2):
        plant(batch, count=3, seed=seed)
        layouts.append(layout(batch))
        batch.assignments.filter(is_planted=True).delete()
    assert layouts[0] == layouts[1] != layouts[2]


def test_the_others_keep_their_order_and_what_they_are(ada, bob):
    batch = drawn(ada, bob, overlap=2)
    before = list(batch.assignments.in_order().values_list("profile", "slot", "position", "annotator"))
    plant(batch, count=2, seed=1)
    others = batch.assignments.filter(is_planted=False).in_order()
    assert list(others.values_list("profile", "slot", "position", "annotator")) == before


def test_each_person_meets_them_at_other_places(ada, bob):
    batch = drawn(ada, bob, size=40)
    plant(batch, count=3, seed=1)
    places = [[slot.is_planted for slot in batch.assignments.filter(annotator=who).in_order()] for who in (ada, bob)]
    assert places[0] != places[1]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_held_or_got_ready_stays_and_comes_first(ada, bob, seed):
    batch = drawn(ada, bob, overlap=2, size=3)
    before = {
        who: (claim_next(batch=batch, annotator=who), prepare_next(batch=batch, annotator=who)) for who in (ada, bob)
    }
    plant(batch, count=3, seed=seed)
    for who, (held, ready) in before.items():
        assert claim_next(batch=batch, annotator=who) == held
        assert prepare_next(batch=batch, annotator=who) == ready


@pytest.mark.parametrize("seed", range(5))
def test_what_was_got_ready_comes_first_whichever_slot_it_has(ada, bob, seed):
    batch = drawn(ada, bob, overlap=2, size=3)
    all_claimed(batch, ada)
    ready = prepare_next(batch=batch, annotator=bob)
    assert ready.slot == 1
    plant(batch, count=3, seed=seed)
    assert claim_next(batch=batch, annotator=bob) == ready


@pytest.mark.parametrize("seed", range(5))
def test_in_a_pool_what_was_got_ready_stays_too(ada, seed):
    batch = drawn()
    ready = prepare_next(batch=batch, annotator=ada)
    plant(batch, count=3, seed=seed)
    assert claim_next(batch=batch, annotator=ada) == ready


def test_nothing_that_somebody_wrote_is_recreated(ada):
    batch = drawn(ada)
    given_back = batch.assignments.in_order()[3]
    Draft.objects.create(assignment=given_back, attribute="age", value="27", saved_at=timezone.now())
    plant(batch, count=3, seed=1)
    assert Draft.objects.get().assignment == given_back


# ── That nobody can tell ────────────────────────────────────────────────────


@pytest.mark.parametrize("people", [0, 2])
@pytest.mark.parametrize("seed", range(5))
def test_the_numbers_of_rows_do_not_tell_them_apart(ada, bob, people, seed):
    batch = drawn(*[ada, bob][:people], size=12)
    first = claim_next(batch=batch, annotator=ada)
    plant(batch, count=3, seed=seed)
    numbers = [first.pk, *(slot.pk for slot in batch.assignments.filter(claimed_at=None).in_order())]
    if people:
        numbers = [slot.pk for slot in batch.assignments.filter(annotator=ada).in_order()]
    assert numbers == sorted(numbers)


def shape(client, assignment: Assignment, path: str) -> str:
    """A page without what differs between any two profiles: their numbers, names and tokens."""
    page = client.get(path.format(assignment=assignment)).content.decode()
    assert len(page) > 500
    page = page.replace(assignment.profile.pseudonym, "PSEUDONYM")
    page = re.sub(r'(csrfmiddlewaretoken" value="|x-csrftoken": ")\w+', r"\1TOKEN", page)
    return re.sub(r"\d+", "0", page)


@pytest.mark.parametrize(
    "path",
    ["/assignments/{assignment.pk}/", "/profiles/{assignment.profile_id}/", "/batches/{assignment.batch_id}/", "/"],
)
def test_pages_of_a_planted_profile_have_the_shape_of_any_other(as_ada, ada, path):
    pages = {}
    for is_planted in (False, True):
        profile = make_known("I moved to Houston", "so humid")
        held = make_assignment(annotator=ada, profile=profile, is_planted=is_planted)
        pages[is_planted] = shape(as_ada, held, path)
        Assignment.objects.filter(pk=held.pk).delete()
    assert pages[True] == pages[False]


def test_nothing_an_evaluator_can_fetch_speaks_of_it(as_ada, ada):
    batch = drawn(ada, size=2)
    plant(batch, count=3, seed=1)
    while held := claim_next(batch=batch, annotator=ada):
        at = f"/assignments/{held.pk}"
        for path in ("/", f"/batches/{batch.pk}/", f"/profiles/{held.profile_id}/", f"{at}/", f"{at}/next/"):
            page = as_ada.get(path).content.decode().lower()
            assert "planted" not in page
            assert "because of the location" not in page
        for path in (f"{at}/practice/", f"/batches/{batch.pk}/quality/", f"/batches/{batch.pk}/quality/{held.pk}/"):
            assert as_ada.get(path).status_code == 404
        Assignment.objects.filter(pk=held.pk).update(submitted_at=timezone.now())
        assert as_ada.get(f"{at}/practice/").status_code == 404


# ── While others claim ──────────────────────────────────────────────────────


@pytest.mark.django_db(transaction=True)
def test_whoever_claims_meanwhile_waits_and_does_not_find_the_batch_empty(monkeypatch, ada):
    batch, claimed = drawn(size=3), []
    recreate, claiming = planted_profiles._recreate, threading.Event()

    def claim():
        claiming.set()
        claimed.append(claim_next(batch=batch, annotator=ada))
        connection.close()

    claimer = threading.Thread(target=claim)

    def while_somebody_claims(*args):
        recreate(*args)
        claimer.start()
        assert claiming.wait(10)
        claimer.join(0.5)  # long enough to claim, if nothing kept it from doing so

    monkeypatch.setattr(planted_profiles, "_recreate", while_somebody_claims)
    plant(batch, count=2, seed=1)
    claimer.join(20)
    assert claimed == list(batch.assignments.filter(annotator=ada))
    assert len(claimed) == 1


@pytest.mark.django_db(transaction=True)
def test_a_profile_that_is_being_forgotten_is_waited_for(ada):
    """Or each would wait for the other: the planting for the profile, the forgetting for its slots."""
    batch, held, failures = drawn(ada, known=1), threading.Event(), []
    profile = batch.corpus.profiles.get(known_answers__isnull=False)

    def planted():
        try:
            held.wait(10)
            plant(batch, count=1, seed=1)
        except Exception as error:  # shown by the assertion
            failures.append(error)
        finally:
            connection.close()

    planter = threading.Thread(target=planted)
    planter.start()
    with takedown.transaction.atomic():
        takedown.Profile.objects.select_for_update().get(pk=profile.pk)
        held.set()
        planter.join(0.5)
        list(Assignment.objects.select_for_update(of=("self",)).filter(profile=profile))
        takedown._delete_all([profile.pk])
    planter.join(20)
    assert [type(failure) for failure in failures] == [TooFewKnown]
