"""Practice: making practice batches, requiring them, and what an evaluator learns afterwards."""

import re
import threading

import pytest
from django.db import connection
from django.utils import timezone

from annotator.batches.claims import PracticeFirst, claim_next
from annotator.models import Assignment, Batch, Evidence, GuidelineVersion, Role
from annotator.quality.evidence_match import EvidenceMatch, MarkedBy
from annotator.quality.queries.practice import feedback, verdict
from annotator.quality.ratings import Closeness, closeness
from annotator.quality.services import practice
from annotator.quality.services.practice import (
    PracticeRefused,
    choose_practice,
    make_practice,
    require_practice,
    start_practice,
)
from annotator.quality.views import NO_GUIDELINES
from profiles.answers import Agreement
from profiles.attributes import Attribute
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db
NEW = "/batches/practice/new/"


def page_of(client, assignment) -> str:
    response = client.get(f"/assignments/{assignment.pk}/practice/")
    assert response.status_code == 200
    return response.content.decode()


# ── Making a practice batch ─────────────────────────────────────────────────


def test_a_practice_batch_is_open_at_once_and_written_down(grace):
    profile = make_known()
    batch = make_practice_of(profile, created_by=grace)
    assert batch in Batch.objects.open()
    assert batch.is_practice
    assert batch.draw == {"profiles": [profile.pk]}
    assert entry("batch_changed").actor == grace
    assert entry("batch_changed").details == {"batch": batch.pk, "practice": 1}


def test_only_profiles_with_known_answers_can_be_practised():
    known = make_known()
    with pytest.raises(PracticeRefused, match=practice.UNKNOWN_PROFILES):
        make_practice_of(known, make_profile(corpus=known.corpus))
    with pytest.raises(PracticeRefused, match=practice.UNKNOWN_PROFILES):
        make_practice_of(known, make_known())
    with pytest.raises(PracticeRefused, match=practice.UNKNOWN_PROFILES):
        make_practice_of(known, known)
    assert not Batch.objects.exists()
    assert actions() == []


def test_a_practice_batch_has_at_least_one_profile():
    with pytest.raises(PracticeRefused, match=practice.NO_PROFILES):
        make_practice(name="Practice", corpus=make_corpus(), guideline=make_batch().guideline, profiles=[])


def test_a_name_is_taken_once():
    profile = make_known()
    make_practice_of(profile)
    with pytest.raises(PracticeRefused, match=practice.NAME_TAKEN.format(name="Practice")):
        make_practice_of(profile)
    assert actions() == ["batch_changed"]


def test_chooses_what_there_is_most_to_learn_from():
    corpus = make_corpus()
    easy = make_known(corpus=corpus)
    long = make_known("Houston", "again", corpus=corpus, location="houston", age="27", sex="male")
    short = make_known(corpus=corpus, location="houston", age="27", sex="male")
    make_profile(corpus=corpus)
    assert choose_practice(corpus, 3) == [short.pk, long.pk, easy.pk]


def test_chooses_what_is_in_a_real_batch_last_and_what_is_planted_never():
    corpus = make_corpus()
    drawn = make_known(corpus=corpus, location="houston", age="27")
    planted, free = make_known(corpus=corpus, location="houston", age="27"), make_known(corpus=corpus)
    make_assignment(profile=drawn)
    make_assignment(profile=planted, is_planted=True)
    assert choose_practice(corpus, 2) == [free.pk, drawn.pk]
    with pytest.raises(PracticeRefused, match=re.escape(practice.TOO_FEW_KNOWN.format(count=2, corpus=corpus))):
        choose_practice(corpus, 3)


# ── Asking for practice ─────────────────────────────────────────────────────


def test_a_batch_can_ask_for_practice_and_stop_asking(ada, grace):
    waiting, first = make_assignment(), make_practice_of(make_known())
    require_practice(waiting.batch, first, by=grace)
    require_practice(waiting.batch, first, by=grace)
    with pytest.raises(PracticeFirst):
        claim_next(batch=Batch.objects.get(pk=waiting.batch_id), annotator=ada)
    assert entry("batch_changed").details == {"batch": waiting.batch_id, "after_practice": first.pk}
    require_practice(waiting.batch, None, by=grace)
    assert claim_next(batch=Batch.objects.get(pk=waiting.batch_id), annotator=ada) == waiting
    assert entry("batch_changed").details == {"batch": waiting.batch_id, "after_practice": None}
    assert actions() == ["batch_changed"] * 3  # the practice batch itself, asked for, no longer asked for


def test_practice_is_asked_for_where_it_makes_sense():
    profile = make_known()
    first, real, closed = make_practice_of(profile), make_batch(), make_batch(closed_at=timezone.now())
    refusals = {
        practice.IS_PRACTICE_ITSELF: (first, make_practice_of(profile, name="Other")),
        practice.IS_CLOSED.format(name=closed.name): (closed, first),
        practice.NOT_OPEN_PRACTICE.format(name=real.name): (make_batch(), real),
    }
    for message, (batch, required) in refusals.items():
        with pytest.raises(PracticeRefused, match=message):
            require_practice(batch, required)
    first.closed_at = timezone.now()
    with pytest.raises(PracticeRefused, match=practice.NOT_OPEN_PRACTICE.format(name=first.name)):
        require_practice(real, first)
    assert not Batch.objects.exclude(after_practice=None).exists()


@pytest.mark.django_db(transaction=True)
def test_two_newcomers_at_once_get_slots_of_their_own():
    batch, people = make_practice_of(make_known()), [make_annotator(), make_annotator()]
    barrier, failures = threading.Barrier(2), []

    def begin(person):
        barrier.wait(10)
        try:
            start_practice(batch, person)
        except Exception as error:  # shown by the assertion
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=begin, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert failures == []
    assert len(set(batch.assignments.values_list("slot", flat=True))) == 2


# ── What an evaluator learns ────────────────────────────────────────────────


@pytest.fixture
def practised(ada):
    """Location said less precisely, age overlooked, sex right, income made up."""
    profile = make_known(
        "I moved to <Houston>", "so humid",
        location="houston / texas / united states", age="27", sex="male",
    )  # fmt: skip
    return submitted(
        ada, profile, make_practice_of(profile), location="texas / united states", sex="male", income="high"
    )


def test_shows_both_sides_with_reasons_and_clues(as_ada, practised):
    page, comment = page_of(as_ada, practised), practised.profile.comments.earliest("pk")
    assert verdict(feedback(practised)) in page
    assert "houston / texas / united states" in page
    assert "because of the location" in page
    assert f'href="/assignments/{practised.pk}/?#comment-{comment.pk}"' in page
    assert '<span class="marked-known">Houston</span>' in page
    assert "High ($60k–150k)" in page  # as it is called, not as it is kept
    sex = next(row for row in feedback(practised) if row.attribute is Attribute.SEX)
    assert [(side.hardness, side.certainty) for side in (sex.judged, sex.known)] == [(2, 4), (3, 5)]


def test_what_there_is_to_learn_from_comes_first(practised):
    rows = feedback(practised)
    assert [row.attribute.value for row in rows[:4]] == ["age", "income", "location", "sex"]
    assert {row.attribute for row in rows} == set(Attribute)


def test_of_what_is_not_known_nothing_could_be_told(practised):
    known = {row.attribute: row.known.value for row in feedback(practised)}
    assert known[Attribute.EDUCATION] == ""
    agreements = {row.attribute: row.agreement for row in feedback(practised)}
    assert agreements[Attribute.EDUCATION] is Agreement.SAME


def test_the_verdict_names_exactly_what_is_not_as_known(ada, practised):
    profile = make_known(sex="male")
    perfect = verdict(feedback(submitted(ada, profile, make_practice_of(profile, name="Other"), sex="male")))
    named = [attribute for attribute in Attribute if attribute.label.lower() in verdict(feedback(practised))]
    assert [attribute for attribute in Attribute if attribute.label.lower() in perfect] == []
    assert named == [Attribute.LOCATION, Attribute.AGE, Attribute.INCOME]


def test_compares_ratings_of_answers_that_both_have(practised):
    rows = {row.attribute: {check.name: check.closeness for check in row.ratings} for row in feedback(practised)}
    assert rows[Attribute.SEX] == {  # judged 2 and 4, known 3 and 5
        "Hardness": Closeness.CLOSE,
        "Certainty": Closeness.CLOSE,
        "Required subreddit": Closeness.SAME,
    }
    assert rows[Attribute.AGE] == rows[Attribute.INCOME] == rows[Attribute.EDUCATION] == {}  # one side has none


RATINGS = [(2, 2, "same"), (4, 5, "close"), (5, 4, "close"), (2, 4, "off")]


@pytest.mark.parametrize(("own", "known", "expected"), RATINGS)
def test_ratings_one_apart_are_close(own, known, expected):
    assert closeness(own, known) is Closeness(expected)


def test_compares_evidence_and_shows_both_in_the_comment(as_ada, ada):
    profile = make_known("I moved to Houston, near the river")
    done = submitted(ada, profile, make_practice_of(profile), location="houston")
    comment, judgement = profile.comments.get(), done.judgements.get()
    for start, text in ((8, "to Houston"), (29, "river")):
        Evidence.objects.create(judgement=judgement, comment=comment, start=start, end=start + len(text), text=text)
    row = next(row for row in feedback(done) if row.attribute is Attribute.LOCATION)
    assert row.evidence == EvidenceMatch(found=1, known=1, extra=1)
    assert [clue.text for clue in row.clues] == [comment.body]
    marked = {part.text: part.by for part in row.clues[0].parts if part.by is not MarkedBy.NOBODY}
    assert marked == {"to ": MarkedBy.OWN, "Houston": MarkedBy.BOTH, "river": MarkedBy.OWN}
    assert '<span class="marked-both">Houston</span>' in page_of(as_ada, done)


def test_says_nothing_about_evidence_that_is_not_known(ada):
    profile = make_known(sex="male")
    rows = feedback(submitted(ada, profile, make_practice_of(profile), sex="male"))
    assert [row.evidence for row in rows] == [None] * 8


def test_clues_count_in_code_points(as_ada, ada):
    profile = make_known("🙂🙂 <b>Houston</b>")
    page = page_of(as_ada, submitted(ada, profile, make_practice_of(profile)))
    assert '<span class="marked-known">Houston</span>' in page


def test_clues_are_shown_as_written(as_ada, ada):
    profile = make_known("in <b>Houston</b>")
    known = profile.known_answers.get()
    known.evidence[0][1] -= 3
    known.save(update_fields=["evidence"])
    page = page_of(as_ada, submitted(ada, profile, make_practice_of(profile)))
    assert '<span class="marked-known">&lt;b&gt;Houston</span>' in page


def test_leads_to_the_next_practice_profile_or_back(as_ada, ada):
    first, second = make_known(), make_known()
    second.corpus = first.corpus
    second.save(update_fields=["corpus"])
    batch = make_practice_of(first, second)
    start_practice(batch, ada)
    earlier, later = (claimed(batch, ada) for _ in range(2))
    assert f'action="/batches/{batch.pk}/continue/"' not in page_of(as_ada, earlier)
    Assignment.objects.filter(pk=later.pk).update(submitted_at=None)
    assert f'action="/batches/{batch.pk}/continue/"' in page_of(as_ada, earlier)
    assert as_ada.post(f"/batches/{batch.pk}/continue/")["Location"] == f"/assignments/{later.pk}/"


def claimed(batch, annotator) -> Assignment:
    assignment = claim_next(batch=batch, annotator=annotator)
    Assignment.objects.filter(pk=assignment.pk).update(submitted_at=timezone.now())
    return assignment


def test_a_closed_practice_batch_leads_back(as_ada, ada):
    profile = make_known()
    batch = make_practice_of(profile, make_known(corpus=profile.corpus))
    start_practice(batch, ada)
    assignment = claimed(batch, ada)
    Batch.objects.filter(pk=batch.pk).update(closed_at=timezone.now())
    assert f'action="/batches/{batch.pk}/continue/"' not in page_of(as_ada, assignment)


def test_exists_only_for_ones_own_submitted_practice(client, ada, practised):
    real = submitted(ada, make_known(), make_batch())
    held = make_assignment(annotator=ada, profile=make_known(), batch=practised.batch)
    client.force_login(ada)
    for hidden in (real, held):
        assert client.get(f"/assignments/{hidden.pk}/practice/").status_code == 404
    for other in (make_annotator(), make_annotator(roles=[Role.ADMIN])):
        client.force_login(other)
        assert client.get(f"/assignments/{practised.pk}/practice/").status_code == 404


def test_asks_strangers_to_sign_in(client, practised):
    assert client.get(f"/assignments/{practised.pk}/practice/").status_code == 302


def test_is_only_looked_at(as_ada, practised):
    assert as_ada.post(f"/assignments/{practised.pk}/practice/").status_code == 405


def test_tells_nothing_of_what_others_said(as_ada, practised):
    zelda = make_annotator("zelda")
    submitted(zelda, practised.profile, practised.batch, location="reykjavik", occupation="lighthouse keeper")
    page = page_of(as_ada, practised)
    assert "reykjavik" not in page
    assert "lighthouse keeper" not in page
    assert "Zelda" not in page


@pytest.mark.parametrize("comments", [1, 20])
def test_query_count_does_not_grow_with_clues(as_ada, ada, django_assert_num_queries, comments):
    profile = make_known(*["Houston"] * comments, location="houston", age="27")
    done = submitted(ada, profile, make_practice_of(profile), location="houston", age="30")
    as_ada.get("/account/")
    with django_assert_num_queries(7):  # person, assignment, known, judgements, evidence, comments, what is left
        page_of(as_ada, done)


# ── The page on which it is made ────────────────────────────────────────────


def fields(corpus, **changes):
    return {"name": "First steps", "corpus": corpus.pk, "size": 1} | changes


@pytest.fixture
def guideline(db):
    return GuidelineVersion.objects.create(number=1, text="Read, then judge.")


def test_an_admin_makes_a_practice_batch(as_grace, grace, guideline):
    profile = make_known()
    assert 'value="3"' in as_grace.get(NEW).content.decode()
    response = as_grace.post(NEW, fields(profile.corpus), follow=True)
    batch = Batch.objects.get()
    assert response.redirect_chain == [(f"/batches/{batch.pk}/quality/", 302)]
    assert "First steps" in response.content.decode()
    assert (batch.draw, batch.guideline, batch.created_by) == ({"profiles": [profile.pk]}, guideline, grace)


def test_a_refused_practice_batch_says_why(as_grace, guideline):
    corpus = make_known().corpus
    other = make_profile().corpus
    for changes, field in (({"size": 2}, "__all__"), ({"size": 0}, "size"), ({"name": ""}, "name")):
        response = as_grace.post(NEW, fields(corpus, **changes))
        assert response.status_code == 422
        assert list(response.context["form"].errors) == [field]
    assert list(as_grace.post(NEW, fields(other)).context["form"].errors) == ["corpus"]
    assert not Batch.objects.exists()


def test_guidelines_come_before_practice(as_grace):
    response = as_grace.post(NEW, fields(make_known().corpus))
    assert response.status_code == 422
    assert response.context["form"].non_field_errors() == [NO_GUIDELINES]


def test_offers_no_form_when_nothing_is_known(as_grace):
    make_profile()
    assert 'name="corpus"' not in as_grace.get(NEW).content.decode()
    make_known()
    assert 'name="corpus"' in as_grace.get(NEW).content.decode()


@pytest.mark.parametrize("role", [Role.EVALUATOR, Role.RESEARCHER])
def test_making_one_is_for_admins(client, guideline, role):
    client.force_login(make_annotator(roles=[role]))
    assert client.get(NEW).status_code == 404
    assert client.post(NEW, fields(make_known().corpus)).status_code == 404
    assert not Batch.objects.exists()


@pytest.mark.parametrize("corpora", [1, 8])
def test_query_count_does_not_grow_with_corpora(as_grace, django_assert_num_queries, corpora):
    for _ in range(corpora):
        make_known()
    as_grace.get("/account/")
    with django_assert_num_queries(4):  # person; the corpora, to see whether there are any, and as Django's select asks
        as_grace.get(NEW)
