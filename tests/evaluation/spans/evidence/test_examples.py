"""Examples of what stays readable come from current rows, and only from those."""

import pytest

from annotator.privacy.services import forget_account
from evaluation.spans.evidence.coverage import Masking
from evaluation.spans.evidence.examples import missed_evidence
from evaluation.spans.evidence.scopes import Scope, Source
from profiles.attributes import Attribute
from profiles.models import Unanalysed
from tests.evaluation.spans.evidence.studies import (
    BODY,
    PLACE,
    detect,
    make_gold,
    make_judgement_with_evidence,
    make_labelled_profile,
    make_run,
    make_submitted,
)
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    return make_corpus()


def missed(corpus, run=None, **fields):
    return missed_evidence(Scope(corpus, run or make_run(corpus), **fields))


def test_shows_what_no_detection_covers(corpus):
    profile = make_labelled_profile(corpus)
    (example,) = missed(corpus)
    assert (example.pseudonym, example.profile, example.hardness) == (profile.pseudonym, profile.pk, 2)
    assert example.before + "".join(piece.text for piece in example.segments) + example.after == BODY
    assert [(piece.text, piece.mark, piece.meanings) for piece in example.segments] == [
        ("Houston", None, ("location",))
    ]
    assert example.masking is Masking.LEFT


def test_marks_the_part_that_is_masked(corpus):
    profile = make_labelled_profile(corpus, span=(2, PLACE[1]))  # "moved to Houston"
    run = make_run(corpus)
    detect(run, profile.comments.get())
    (example,) = missed(corpus, run)
    assert example.masking is Masking.PARTLY
    assert [(piece.text, bool(piece.mark)) for piece in example.segments] == [("moved to ", False), ("Houston", True)]


def test_leaves_out_what_is_fully_masked(corpus):
    whole, pieces = make_labelled_profile(corpus), make_labelled_profile(corpus)
    run = make_run(corpus)
    detect(run, whole.comments.get())
    detect(run, pieces.comments.get(), (PLACE[0], PLACE[0] + 3))
    detect(run, pieces.comments.get(), (PLACE[0] + 3, PLACE[1]), "PERSON")
    assert missed(corpus, run) == []


def test_leaves_out_comments_that_were_not_analysed(corpus):
    profile = make_labelled_profile(corpus)
    run = make_run(corpus)
    Unanalysed.objects.create(run=run, comment=profile.comments.get(), reason=Unanalysed.Reason.LANGUAGE)
    make_labelled_profile(corpus)  # added later
    assert missed(corpus, run) == []


def test_shows_some_of_each_attribute(corpus):
    for _ in range(6):
        profile = make_labelled_profile(corpus)
        make_gold(profile, (profile.comments.get(), 0, 7), attribute="occupation")
    attributes = [example.attribute for example in missed(corpus)]
    assert (attributes.count("location"), attributes.count("occupation")) == (3, 3)
    assert attributes == sorted(attributes, key=Attribute.values.index)


def test_shows_evidence_of_judgements_too(corpus):
    profile = make_profile(BODY, corpus=corpus)
    make_judgement_with_evidence(make_submitted(profile))
    assert [example.profile for example in missed(corpus, source=Source.JUDGEMENTS)] == [profile.pk]


def test_shows_a_span_that_two_people_marked_once(corpus):
    profile = make_profile(BODY, corpus=corpus)
    for _ in range(2):
        make_judgement_with_evidence(make_submitted(profile))
    assert len(missed(corpus, source=Source.JUDGEMENTS)) == 1


def test_shortens_what_stands_around(corpus):
    body = "word " * 100 + BODY + " word" * 100
    start = body.index("Houston")
    make_labelled_profile(corpus, body, (start, start + 7))
    (example,) = missed(corpus)
    assert example.before.startswith("…")
    assert example.after.endswith("…")
    assert len(example.before + example.after) < 200


@pytest.mark.parametrize("profiles", [1, 10])
def test_takes_one_query(corpus, django_assert_num_queries, profiles):
    for _ in range(profiles):
        make_labelled_profile(corpus)
    scope = Scope(corpus, make_run(corpus))
    with django_assert_num_queries(1):
        missed_evidence(scope)


def test_a_removed_account_is_gone_from_the_examples(corpus):
    removed, kept = make_labelled_profile(corpus), make_labelled_profile(corpus)
    run = make_run(corpus)
    forget_account(f"account{removed.pseudonym.rpartition('-')[2]}")
    assert [example.profile for example in missed(corpus, run)] == [kept.pk]
