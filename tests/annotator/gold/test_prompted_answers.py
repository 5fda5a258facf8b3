"""Answers that people confirmed after a model had claimed them: when they count, and their page."""

import pytest
from django.db import IntegrityError

from annotator.models import GoldRecord, PromptedAnswer
from tests.annotator.gold.records import make_gold, make_prompted
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    return make_corpus("pilot")


def make_missed(corpus, attribute: str = "income", value: str = "high", **fields) -> PromptedAnswer:
    gold = make_gold(attribute, "", corpus=corpus)
    return make_prompted(attribute, value, profile=gold.profile, **fields)


def test_counts_while_people_could_not_tell(corpus):
    answer = make_missed(corpus)
    assert list(PromptedAnswer.objects.standing()) == [answer]


def test_what_people_find_themselves_wins(corpus):
    answer = make_missed(corpus)
    GoldRecord.objects.filter(profile=answer.profile).update(value="low", hardness=1, certainty=5)
    assert not PromptedAnswer.objects.standing().exists()


def test_does_not_count_while_people_disagree_or_about_another_attribute(corpus):
    profile = make_profile(corpus=corpus)
    make_gold("age", "", profile=profile)
    make_prompted("income", "high", profile=profile)
    assert not PromptedAnswer.objects.standing().exists()


@pytest.mark.parametrize(
    "fields", [{"value": ""}, {"value": "lots"}, {"hardness": 0}, {"certainty": 6}, {"prompted_by": ""}]
)
def test_the_database_refuses_what_is_no_answer(corpus, fields):
    profile = make_profile(corpus=corpus)
    with pytest.raises(IntegrityError):
        make_prompted(profile=profile, **{"value": "high"} | fields)


def test_there_is_one_for_each_attribute(corpus):
    answer = make_missed(corpus)
    with pytest.raises(IntegrityError):
        make_prompted(profile=answer.profile, prompted_by="another")


def test_lists_them_and_says_which_no_longer_count(as_grace, corpus):
    make_missed(corpus, prompted_by="tiny <model>")
    gone = make_missed(corpus, "age", "27")
    GoldRecord.objects.filter(profile=gone.profile).delete()
    page = as_grace.get(f"/gold/{corpus.pk}/prompted/", {"sort": "prompter"}).content.decode()
    assert "tiny &lt;model&gt;" in page
    assert page.count("no longer counts") == 2  # one row, and the note
    assert f"/gold/{corpus.pk}/prompted/" in as_grace.get(f"/gold/{corpus.pk}/").content.decode()


def test_lists_none_and_is_not_linked_without_any(as_grace, corpus):
    make_missed(make_corpus("other"))
    assert as_grace.get(f"/gold/{corpus.pk}/prompted/").context["page"].paginator.count == 0
    assert "/prompted/" not in as_grace.get(f"/gold/{corpus.pk}/").content.decode()


def test_evaluators_do_not_see_the_list(as_ada, corpus):
    assert as_ada.get(f"/gold/{corpus.pk}/prompted/").status_code == 404


@pytest.mark.parametrize("answers", [1, 20])
def test_query_count_does_not_grow(as_grace, corpus, answers, django_assert_num_queries):
    for _ in range(answers):
        make_missed(corpus)
    as_grace.get(f"/gold/{corpus.pk}/prompted/")
    with django_assert_num_queries(4):  # the admin, the corpus, the count, the page
        as_grace.get(f"/gold/{corpus.pk}/prompted/")
