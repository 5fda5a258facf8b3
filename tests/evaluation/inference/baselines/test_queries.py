"""What baselines read from the database, in as many queries for many profiles as for one."""

import pytest

from evaluation.inference.baselines import Hint, predict
from evaluation.inference.gold_profiles import baseline_profiles, gold_profiles
from profiles.models import AttributeHint
from tests.annotator.gold.records import make_gold
from tests.factories import make_corpus, make_profile, make_subreddit

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("count", [1, 4])
def test_reads_profiles_with_gold_in_three_queries(django_assert_num_queries, count):
    corpus, subreddit = make_corpus(), make_subreddit("houston")
    for attribute, value in (("location", "houston / texas / united states"), ("sex", "male"), ("age", "")):
        AttributeHint.objects.create(subreddit=subreddit, attribute=attribute, value=value)
    for _ in range(count):
        profile = make_profile("I am 19", "I'm a nurse", corpus=corpus, subreddit="houston")
        make_gold("age", "20", profile=profile)
    make_profile("nothing agreed here", corpus=corpus)
    make_gold("age", "20")  # of another corpus
    with django_assert_num_queries(3):
        profiles = list(baseline_profiles(gold_profiles(corpus)))
    assert len(profiles) == count
    assert [text.body for text in profiles[0].texts] == ["I am 19", "I'm a nurse"]
    assert profiles[0].labels["age"].value == "20"
    assert sorted(profiles[0].hints, key=lambda hint: hint.attribute) == [
        Hint("location", "houston / texas / united states", "houston", 2), Hint("sex", "male", "houston", 2),
    ]  # fmt: skip
    assert predict("rules", profiles, seed=0)[profiles[0].pk]["age"].guesses == ("19",)


def test_a_corpus_without_gold_has_none():
    assert list(baseline_profiles(gold_profiles(make_corpus()))) == []
