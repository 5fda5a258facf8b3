"""Drawing: who is eligible, who is drawn, and that a draw can be repeated."""

from collections import Counter
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotator.batches.claims import claim_next
from annotator.batches.drafts import (
    NOT_EVALUATORS,
    PROFILE_REMOVED,
    create_assignments,
    discard_draft,
    draw_draft,
    redraw_draft,
)
from annotator.batches.drawing.candidates import (
    DETECTION_UNFINISHED,
    NOTHING_IS_THIN,
    DrawRefused,
    Population,
    attribute_weights,
    thin_weights,
)
from annotator.batches.drawing.draw import TooFewProfiles, draw, weighted_sample
from annotator.batches.drawing.plan import Criteria, DrawOptions, UnknownCriteria
from annotator.batches.lifecycle import start
from annotator.batches.queries.preview import NOT_COMPARABLE, Repetition, preview, repeat
from annotator.batches.refusals import AlreadyStarted, NotEvaluators, OutdatedVersion, TooFewEvaluators
from annotator.models import AuditEntry, GoldRecord, Target
from profiles.attributes import Attribute
from profiles.models import Profile
from tests.annotator.batches.drafts import draft, fitting, hint, layout, make_corpus_of, make_plan, running
from tests.annotator.detection.runs import detect, fail, make_run
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

days = st.none() | st.dates(date(2005, 1, 1), date(2030, 1, 1))
words = st.lists(st.from_regex(r"[A-Za-z0-9_]{1,8}", fullmatch=True), max_size=4).map(tuple)
any_criteria = st.builds(
    Criteria, at_least=st.none() | st.integers(1, 999), at_most=st.none() | st.integers(1, 999), subreddits=words,
    attributes=st.lists(st.sampled_from(Attribute.values)).map(tuple), since=days, until=days, languages=words,
    detections=st.none() | st.booleans(), unbatched=st.booleans(), relabel=st.booleans(),
)  # fmt: skip


@pytest.fixture
def bob(db):
    return make_annotator("bob")


# ── Criteria ────────────────────────────────────────────────────────────────


@given(any_criteria)
def test_criteria_come_back_as_they_were_stored(criteria):
    assert Criteria.from_json(criteria.as_json()) == criteria
    assert len(criteria.in_words()) == len(criteria.as_json()) == len(list(criteria.relaxed()))


def test_equal_criteria_are_stored_alike():
    criteria = Criteria(subreddits=("Houston", "dallas", "houston"), attributes=("sex", "age"))
    assert criteria.as_json() == {"subreddits": ["dallas", "houston"], "attributes": ["age", "sex"]}
    assert Criteria().as_json() == {}


def test_refuses_criteria_that_it_does_not_know():
    with pytest.raises(UnknownCriteria, match="shoe_size"):
        Criteria.from_json({"shoe_size": 42})


# ── Who fits ────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_fits_by_how_much_when_and_where_it_was_written():
    corpus = make_corpus()
    few = make_profile("a" * 10, corpus=corpus, subreddit="Houston").pseudonym
    many = make_profile(*["b" * 10] * 3, corpus=corpus, subreddit="dallas").pseudonym
    hint("Houston", "location", "houston")
    hint("dallas", "age")
    assert fitting(corpus, at_least=2) == {many}
    assert fitting(corpus, at_most=2) == {few}
    assert fitting(corpus, subreddits=("houston", "austin")) == {few}
    assert fitting(corpus, attributes=("location",)) == {few}
    assert fitting(corpus, attributes=("location", "age")) == {few, many}
    assert fitting(corpus, since=date(2013, 5, 2)) == {many}
    assert fitting(corpus, until=date(2013, 5, 1)) == {few, many}
    assert fitting(corpus, until=date(2013, 4, 30)) == set()


@pytest.mark.django_db
def test_fits_by_detections_and_languages_of_the_recipe():
    corpus = make_corpus()
    texan, german = make_profile("I live in Houston", corpus=corpus), make_profile("Guten Tag", "Hello", corpus=corpus)
    run, other = make_run(corpus, finished_at=timezone.now()), make_run(corpus, finished_at=timezone.now())
    detect(run, texan.comments.get(), "Houston")
    assert fitting(corpus, run.recipe, detections=True) == {texan.pseudonym}
    assert fitting(corpus, run.recipe, detections=False) == {german.pseudonym}
    assert fitting(corpus, other.recipe, detections=True) == set()
    fail(run, german.comments.order_by("pk")[0], "language", "de")
    assert fitting(corpus, run.recipe, languages=("de",)) == set()  # half is not most
    fail(run, german.comments.order_by("pk")[1], "language", "de")
    assert fitting(corpus, run.recipe, languages=("de",)) == {german.pseudonym}
    assert fitting(corpus, run.recipe, languages=("en",)) == {texan.pseudonym}
    assert fitting(corpus, run.recipe, languages=("en", "de")) == {texan.pseudonym, german.pseudonym}


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"detections": False}, {"languages": ("en",)}])
def test_waits_until_presidio_is_through(fields):
    run = make_run()
    with pytest.raises(DrawRefused, match=DETECTION_UNFINISHED):
        fitting(run.corpus, run.recipe, **fields)


@pytest.mark.django_db
def test_fits_what_is_in_no_batch_and_what_one_person_labelled(ada, bob):
    corpus = make_corpus()
    fresh, once, twice, skipped = (make_profile(corpus=corpus) for _ in range(4))
    batch = make_batch(corpus=corpus)
    for person, profile in ((ada, once), (ada, twice), (bob, twice)):
        submitted(person, profile, batch)
    make_assignment(annotator=ada, profile=skipped, batch=batch, skipped_at=timezone.now(), skip_reason="bot")
    assert fitting(corpus, unbatched=True) == {fresh.pseudonym}
    assert fitting(corpus, relabel=True) == {once.pseudonym}


@pytest.mark.django_db
def test_never_draws_what_is_practised():
    known = make_known()
    other = make_profile(corpus=known.corpus)
    make_practice_of(known)
    assert fitting(known.corpus) == {other.pseudonym}


# ── The draw ────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_the_same_corpus_size_and_seed_draw_the_same_profiles():
    population = Population(make_corpus_of(10))
    drawn = draw(population, DrawOptions(5, 7))
    assert drawn == draw(population, DrawOptions(5, 7))
    assert drawn.profiles != draw(population, DrawOptions(5, 8)).profiles
    assert (len(set(drawn.profiles)), drawn.eligible) == (5, 10)


@pytest.mark.django_db
def test_the_order_in_which_profiles_were_loaded_does_not_matter():
    corpus, other = make_corpus_of(8), make_corpus()
    digests = list(corpus.profiles.order_by("-pk").values_list("account_digest", flat=True))
    for digest in digests:
        profile = make_profile(corpus=other)
        Profile.objects.filter(pk=profile.pk).update(account_digest=digest)
    assert draw(Population(corpus), DrawOptions(4, 1)).digest == draw(Population(other), DrawOptions(4, 1)).digest


@pytest.mark.django_db
def test_says_how_many_there_are_and_what_to_relax():
    corpus = make_corpus_of(3)
    make_profile("one", "two", corpus=corpus)
    criteria = Criteria(at_least=2, unbatched=True)
    with pytest.raises(TooFewProfiles) as refusal:
        draw(Population(corpus), DrawOptions(2, 1, criteria))
    for criterion, count in zip(criteria.in_words(), (4, 1), strict=True):
        assert f"{count} without “{criterion}”" in str(refusal.value)


def test_weights_decide_how_often_something_is_drawn():
    """One of ten weighs five times as much as each other: it comes first in 5 of 14 draws."""
    weights = [5.0] + [1.0] * 9
    first = Counter(weighted_sample(range(10), weights, 1, seed)[0] for seed in range(4000))
    assert first[0] / 4000 == pytest.approx(5 / 14, abs=0.03)
    assert sorted(weighted_sample(range(10), weights, 10, 1)) == list(range(10))


def test_an_attribute_weighs_by_the_share_that_is_missing():
    targets = {("age", 1): 10, ("age", 5): 10, ("sex", 1): 5, ("income", 2): 4}
    counts = {("age", 1): 30, ("sex", 1): 5, ("income", 2): 1}
    assert attribute_weights(targets, counts) == {
        "age": 2.0,
        "income": 3.0,
    }  # too many easy ages do not make up for hard ones


@pytest.mark.django_db
def test_prefers_profiles_that_promise_what_is_thin_and_keeps_the_weights():
    corpus = make_corpus_of(12)
    hint("houston", "location", "houston")
    likely = [make_profile("x" * 9, corpus=corpus, subreddit="houston").pk for _ in range(4)]
    Target.objects.create(corpus=corpus, attribute="location", hardness=2, wanted=8)
    GoldRecord.objects.create(
        profile_id=likely[0], attribute="location", value="houston", hardness=2, certainty=4, reached="single", rule="x"
    )
    assert thin_weights(corpus) == {"location": 3.5}
    batches = [draft(corpus, name=f"b{seed}", size=4, seed=seed, prefer_thin=True) for seed in range(20)]
    assert batches[0].draw["weights"] == {"formula": 1, "attributes": {"location": 3.5}}
    drawn = [assignment.profile_id in likely for batch in batches for assignment in batch.assignments.all()]
    assert sum(drawn) / len(drawn) > 0.45  # a quarter of the corpus
    Target.objects.all().delete()
    assert repeat(batches[0]).is_same  # by the weights that were kept


@pytest.mark.django_db
def test_detections_promise_places():
    corpus = make_corpus_of(1)
    profile = make_profile("I live in Houston", corpus=corpus)
    run = make_run(corpus)
    detect(run, profile.comments.get(), "Houston")
    options = DrawOptions(1, 1, weights={"location": 1e9, "age": 1.0})
    assert draw(Population(corpus, run.recipe), options).profiles == [profile.pk]


@pytest.mark.django_db
def test_refuses_to_prefer_what_no_target_misses():
    with pytest.raises(DrawRefused, match=NOTHING_IS_THIN):
        draft(make_corpus_of(2), prefer_thin=True)


@pytest.mark.django_db
@pytest.mark.parametrize("count", [3, 30])
def test_preview_takes_as_many_queries_for_many_profiles(django_assert_num_queries, count):
    population = Population(make_corpus_of(count))
    with django_assert_num_queries(5):  # twice what was practised, count, draw, rows
        shown = preview(population, DrawOptions(3, 1))
    assert (shown.eligible, len(shown.rows)) == (count, 3)
    assert [row.pk for row in shown.rows] == draw(population, DrawOptions(3, 1)).profiles
    assert shown.rows[0].subreddit_count == 1


# ── Drafts ──────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_a_draft_keeps_its_whole_recipe_and_nobody_gets_it(as_ada, ada):
    batch = draft(make_corpus_of(4), ada, criteria=Criteria(at_least=1), planted=0)
    kept = {key: batch.draw[key] for key in ("version", "seed", "size", "criteria", "weights", "eligible")}
    assert kept == {"version": 1, "seed": 1, "size": 2, "criteria": {"at_least": 1}, "weights": {}, "eligible": 4}
    assert len(batch.draw["drawn_digest"]) == 64
    assert batch.started_at is None
    assert claim_next(batch=batch, annotator=ada) is None
    assert as_ada.get(f"/batches/{batch.pk}/").status_code == 404
    assert batch.name not in as_ada.get("/").content.decode()
    assert AuditEntry.objects.get(action="batch_changed").details["drawn"] == 2


@pytest.mark.django_db
def test_a_changed_draft_is_laid_out_once_more(ada, bob):
    corpus = make_corpus_of(4)
    batch = draft(corpus, ada)
    changed = redraw_draft(batch, make_plan(corpus, ada, bob, size=3, overlap=2, name="Other"), based_on=1)
    assert (changed.name, changed.version, changed.assignments.count()) == ("Other", 2, 6)
    assert changed.people == [{"annotator": ada.pk, "quota": None}, {"annotator": bob.pk, "quota": None}]


@pytest.mark.django_db
def test_a_draft_may_draw_its_own_profiles_again():
    corpus = make_corpus_of(2)
    fields = {"criteria": Criteria(unbatched=True)}
    batch = draft(corpus, **fields)
    assert redraw_draft(batch, make_plan(corpus, **fields)).assignments.count() == 2
    with pytest.raises(TooFewProfiles):
        draft(corpus, name="Another", **fields)


@pytest.mark.django_db
def test_two_admins_do_not_overwrite_each_other(ada):
    corpus = make_corpus_of(4)
    batch = draft(corpus, ada)
    redraw_draft(batch, make_plan(corpus, ada, size=3), based_on=1)
    before = layout(batch)
    with pytest.raises(OutdatedVersion):
        redraw_draft(batch, make_plan(corpus, ada, size=1), based_on=1)
    with pytest.raises(OutdatedVersion):
        start(batch, based_on=1)
    assert layout(batch) == before


@pytest.mark.django_db
def test_what_was_started_is_neither_drawn_anew_nor_discarded(ada):
    corpus = make_corpus_of(4)
    batch = running(corpus, ada)
    for act in (lambda: redraw_draft(batch, make_plan(corpus, ada)), lambda: discard_draft(batch)):
        with pytest.raises(AlreadyStarted):
            act()


@pytest.mark.django_db
def test_a_discarded_draft_frees_its_profiles():
    corpus = make_corpus_of(2)
    discard_draft(draft(corpus))
    assert draft(corpus, criteria=Criteria(unbatched=True)).assignments.count() == 2


@pytest.mark.django_db
def test_lays_nothing_out_when_a_profile_was_removed_meanwhile(ada):
    batch = draft(make_corpus_of(2), ada)
    with pytest.raises(DrawRefused, match=PROFILE_REMOVED):
        create_assignments(batch, [999_999_999], [])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [{"overlap": 3}, {"overlap": 2, "quotas": 1}],
)
def test_refuses_when_people_or_quotas_are_missing(ada, bob, fields):
    corpus = make_corpus_of(4)
    plan = make_plan(corpus, ada, bob, overlap=fields["overlap"])
    if "quotas" in fields:
        plan = make_plan(corpus, overlap=2, people=tuple(type(s)(s.person, 1) for s in plan.people))
    with pytest.raises(TooFewEvaluators):
        draw_draft(plan)
    assert corpus.batches.count() == 0


@pytest.mark.django_db
def test_a_pool_needs_as_many_evaluators_as_read_each_profile(ada):
    with pytest.raises(TooFewEvaluators):
        draft(make_corpus_of(2), overlap=2)


@pytest.mark.django_db
def test_only_active_evaluators_are_given_profiles(ada, grace):
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    for person in (ada, grace):
        with pytest.raises(NotEvaluators, match=NOT_EVALUATORS):
            draft(make_corpus_of(2), person)


@pytest.mark.django_db
def test_relabelling_gives_nobody_what_they_labelled_before(ada, bob):
    corpus = make_corpus()
    profiles = [make_profile(corpus=corpus) for _ in range(4)]
    first = make_batch(corpus=corpus)
    for profile, person in zip(profiles, (ada, ada, ada, bob), strict=True):
        submitted(person, profile, first)
    again = Criteria(relabel=True)
    named = draft(corpus, ada, bob, size=4, criteria=again)
    assert set(layout(named)) == {(p.pk, bob.pk) for p in profiles[:3]} | {(profiles[3].pk, ada.pk)}
    pool = running(corpus, size=4, criteria=again, name="Pool")
    assert claim_next(batch=pool, annotator=ada).profile == profiles[3]
    with pytest.raises(TooFewEvaluators):
        draft(corpus, size=4, overlap=2, criteria=again, name="Too many")


# ── The same draw again ─────────────────────────────────────────────────────


@pytest.mark.django_db
def test_a_draw_can_be_repeated_while_the_corpus_stands(ada):
    corpus = make_corpus_of(6)
    batch = running(corpus, ada, size=3, criteria=Criteria(unbatched=True))
    draft(corpus, name="Later", size=3, criteria=Criteria(unbatched=True))
    assert repeat(batch).is_same
    for _ in range(6):
        make_profile(corpus=corpus)
    repetition = repeat(batch)
    assert not repetition.is_same
    assert "12" in repetition.summary


@pytest.mark.django_db
def test_says_why_a_draw_cannot_be_repeated(ada):
    later = datetime(2014, 1, 1, tzinfo=UTC)
    batch = draft(make_corpus_of(4), criteria=Criteria(until=date(2013, 6, 1)))
    one_drawn = Profile.objects.filter(pk=batch.assignments.in_order()[0].profile_id)
    one_drawn.update(first_written_at=later, last_written_at=later)
    assert not repeat(batch).is_same
    assert repeat(make_batch(draw={"seed": 1, "size": 3})) == Repetition(False, NOT_COMPARABLE)
