"""Hints: what subreddits suggest."""

import csv

import pytest

from profiles.attributes import CLOSED_LISTS, Attribute, is_age
from profiles.hints import SHIPPED, hints_for, load_hints
from profiles.models import AttributeHint
from tests.factories import make_profile, make_subreddit


def shipped():
    with SHIPPED.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_shipped_hint_has_a_value_its_attribute_allows():
    for row in shipped():
        attribute = Attribute(row["attribute"])
        if attribute in CLOSED_LISTS and row["value"]:
            assert row["value"] in CLOSED_LISTS[attribute].values, row
        if attribute is Attribute.AGE:
            assert is_age(row["value"]), row
        assert row["reason"], row
        assert row["value"] == row["value"].strip().lower(), row


def test_every_attribute_has_hints():
    assert {row["attribute"] for row in shipped()} == set(Attribute.values)


@pytest.mark.django_db
def test_loading_twice_changes_nothing():
    load_hints()
    before = AttributeHint.objects.count()
    load_hints()
    assert AttributeHint.objects.count() == before == len(shipped())


@pytest.mark.django_db
def test_a_subreddit_may_hint_at_several_attributes_and_the_order_is_stable():
    profile = make_profile("a", "b", subreddit="expats")
    for attribute, value in (("education", "college"), ("location", "oslo"), ("location", "bergen")):
        AttributeHint.objects.create(subreddit=make_subreddit("expats"), attribute=attribute, value=value)
    found = [(h.attribute, h.value, h.subreddit, h.comment_count) for h in hints_for(profile)]
    assert found == [
        ("location", "bergen", "expats", 2), ("location", "oslo", "expats", 2), ("education", "college", "expats", 2)
    ]  # fmt: skip


@pytest.mark.django_db
def test_counts_only_the_profiles_own_comments():
    profile = make_profile("a", subreddit="expats")
    make_profile("b", "c", "d", subreddit="expats")
    AttributeHint.objects.create(subreddit=make_subreddit("expats"), attribute="location")
    assert [hint.comment_count for hint in hints_for(profile)] == [1]
