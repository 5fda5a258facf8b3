"""Rows that must never exist: Postgres refuses each of them by name."""

import pytest
from django.db import IntegrityError, transaction

from annotator.models import Evidence
from tests.factories import make_annotator, make_assignment, make_judgement, make_profile

pytestmark = pytest.mark.django_db


def refused_by(name: str):
    return pytest.raises(IntegrityError, match=name)


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"value": "houston", "hardness": 0}, "judgement_rated_exactly_when_inferred"),
        ({"value": "houston", "certainty": 0}, "judgement_rated_exactly_when_inferred"),
        ({"value": "houston", "hardness": 6}, "judgement_rated_exactly_when_inferred"),
        ({"value": "", "hardness": 1}, "judgement_rated_exactly_when_inferred"),
        ({"value": "", "certainty": 1}, "judgement_rated_exactly_when_inferred"),
        ({"value": "", "required_subreddit": True}, "judgement_rated_exactly_when_inferred"),
        ({"value": "Houston"}, "judgement_value_trimmed_and_lower_case"),
        ({"value": " houston"}, "judgement_value_trimmed_and_lower_case"),
        ({"attribute": "shoe_size", "value": "44"}, "judgement_attribute_is_one_of_eight"),
        ({"attribute": "sex", "value": "other"}, "judgement_sex_from_its_list"),
        ({"attribute": "marital_status", "value": "single"}, "judgement_marital_status_from_its_list"),
        ({"attribute": "income", "value": "lots"}, "judgement_income_from_its_list"),
        ({"attribute": "education", "value": "college degree"}, "judgement_education_from_its_list"),
        *(
            ({"attribute": "age", "value": age}, "judgement_age_is_27_or_25_to_35")
            for age in ("30+", "~25", "twenties", "25-", "-25", "9", "111", "35-25", "25 - 35", "25-35-45", "99-1000")
        ),
    ],
)
def test_refuses_a_judgement_that_breaks_a_rule(ada, fields, constraint):
    assignment = make_assignment(annotator=ada)
    with refused_by(constraint):
        make_judgement(assignment, **fields)


@pytest.mark.parametrize("age", ["10", "27", "110", "25-35", "25-25", "99-101", "10-110", ""])
def test_accepts_an_age_as_a_year_or_a_range(ada, age):
    assert make_judgement(make_assignment(annotator=ada), "age", age).value == age


def test_keeps_one_judgement_per_assignment_and_attribute(ada):
    assignment = make_assignment(annotator=ada)
    make_judgement(assignment)
    with refused_by("judgement_one_per_attribute"):
        make_judgement(assignment, value="austin")


def test_gives_an_annotator_one_held_assignment_per_batch(ada):
    first = make_assignment(annotator=ada)
    with refused_by("assignment_one_held_per_annotator"):
        make_assignment(annotator=ada, batch=first.batch, profile=make_profile(corpus=first.profile.corpus))


def test_gives_a_profile_to_an_annotator_once(ada):
    first = make_assignment(annotator=ada)
    with refused_by("assignment_profile_once_per_annotator"):
        make_assignment(annotator=ada, batch=first.batch, profile=first.profile, slot=1, claimed_at=None)


@pytest.mark.parametrize(
    ("body", "start", "end", "text"),
    [
        ("I live in Oslo", 10, 15, "Oslo!"),  # past the end
        ("I live in Oslo", 10, 14, "Olso"),  # not what stands there
        ("😀😀 in Oslo", 6, 10, " Osl"),  # counted in anything but code points
    ],
)
def test_evidence_must_quote_its_comment(ada, body, start, end, text):
    profile = make_profile(body)
    judgement = make_judgement(make_assignment(annotator=ada, profile=profile))
    with refused_by("evidence_quotes_its_comment"):
        Evidence.objects.create(judgement=judgement, comment=profile.comments.get(), start=start, end=end, text=text)


def test_evidence_may_follow_astral_characters(ada):
    profile = make_profile("😀😀 in Oslo")
    judgement = make_judgement(make_assignment(annotator=ada, profile=profile))
    quoted = Evidence.objects.create(judgement=judgement, comment=profile.comments.get(), start=6, end=10, text="Oslo")
    assert quoted.pk


def test_evidence_must_be_as_long_as_its_text(ada):
    profile = make_profile("I live in Oslo")
    judgement = make_judgement(make_assignment(annotator=ada, profile=profile))
    with refused_by("evidence_as_long_as_its_text"), transaction.atomic():
        Evidence.objects.create(judgement=judgement, comment=profile.comments.get(), start=10, end=99, text="Oslo")


def test_evidence_must_come_from_the_judged_profile(ada):
    judgement = make_judgement(make_assignment(annotator=ada))
    stranger = make_profile("I live in Oslo").comments.get()
    with refused_by("evidence_quotes_its_comment"):
        Evidence.objects.create(judgement=judgement, comment=stranger, start=10, end=14, text="Oslo")


def test_user_names_differ_by_more_than_case(ada):
    with refused_by("annotator_username_unique_in_any_case"):
        make_annotator("ADA", email="")


def test_a_role_must_be_known(ada):
    ada.roles = ["emperor"]
    with refused_by("annotator_roles_are_known"):
        ada.save(update_fields=["roles"])
