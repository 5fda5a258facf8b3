"""Decisions that two answers mean the same: made, applied, undone."""

import pytest

from annotator.gold.build import build_gold
from annotator.models import SameMeaning
from tests.annotator.accounts.sign_in_forms import entry
from tests.annotator.gold.builds import disputed, disputes_of, gold_of

pytestmark = pytest.mark.django_db
PAGE = "/adjudication/meanings/"
PAIR = {"attribute": "occupation", "one": "carer", "other": "nurse"}


@pytest.fixture
def profile():
    profile = disputed("nurse", "carer", attribute="occupation")
    build_gold(profile.corpus)
    return profile


def decide(client, profile, **fields):
    return client.post(f"/adjudication/{profile.pk}/meaning/", PAIR | {"is_same": "yes"} | fields, follow=True)


def test_two_answers_that_mean_the_same_become_gold_at_once(as_grace, grace, profile):
    page = as_grace.get(f"/adjudication/{profile.pk}/").content.decode()
    assert "“carer” and “nurse”" in page
    decide(as_grace, profile)
    assert gold_of(profile)["occupation"][:1] == ("nurse",)
    assert disputes_of(profile) == {}
    kept = SameMeaning.objects.get()
    assert (kept.one, kept.other, kept.is_same, kept.decided_by) == ("carer", "nurse", True, grace)
    assert entry("meaning_decided").details == {"meaning": kept.pk, "attribute": "occupation", "decided": "same"}


def test_the_order_in_which_two_answers_are_named_does_not_matter(as_grace, profile):
    decide(as_grace, profile, one="nurse", other="carer")
    decide(as_grace, profile, is_same="no")
    assert SameMeaning.objects.get().is_same is False
    assert disputes_of(profile) == {"occupation": "value"}


@pytest.mark.parametrize(
    "fields",
    [
        {"attribute": "age"}, {"one": "cook"}, {"one": "nurse"}, {"is_same": "perhaps"}, {"one": ""},
        {"attribute": "shoes"},
    ],
)  # fmt: skip
def test_refuses_what_nobody_said_here(as_grace, profile, fields):
    response = decide(as_grace, profile, **fields)
    assert [message.level_tag for message in response.context["messages"]] == ["error"]
    assert not SameMeaning.objects.exists()


def test_only_answers_in_words_are_asked_about(as_grace):
    profile = disputed("27", "60")
    build_gold(profile.corpus)
    assert "mean the same?" not in as_grace.get(f"/adjudication/{profile.pk}/").content.decode()


def test_what_was_decided_is_listed_and_can_be_undone(as_grace, profile):
    assert "“carer”" not in as_grace.get(PAGE).content.decode()
    decide(as_grace, profile)
    assert "“carer” and “nurse”" in as_grace.get(PAGE).content.decode()
    pk = SameMeaning.objects.get().pk
    as_grace.post(f"{PAGE}{pk}/undo/")
    assert not SameMeaning.objects.exists()
    assert entry("meaning_decided").details["decided"] == "undone"
    build_gold(profile.corpus)
    assert disputes_of(profile) == {"occupation": "value"}


def test_undoing_what_is_not_there_finds_nothing(as_grace):
    assert as_grace.post(f"{PAGE}1/undo/").status_code == 404
    assert as_grace.get(f"{PAGE}1/undo/").status_code == 405


def test_undoing_is_for_admins(client, ada, profile):
    kept = SameMeaning.objects.create(**PAIR, is_same=True)
    client.force_login(ada)
    assert client.post(f"{PAGE}{kept.pk}/undo/").status_code == 404
    assert SameMeaning.objects.exists()


@pytest.mark.parametrize("count", [1, 5])
def test_the_list_needs_as_many_queries_for_any_number(as_grace, count, django_assert_num_queries):
    for number in range(count):
        SameMeaning.objects.create(attribute="occupation", one=f"a{number}", other="b", is_same=True)
    with django_assert_num_queries(3):
        as_grace.get(PAGE)
