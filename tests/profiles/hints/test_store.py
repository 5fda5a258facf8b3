"""Hints: what subreddits suggest."""

import csv
from collections import Counter
from dataclasses import replace

import pytest

from profiles.attributes import CLOSED_LISTS, Attribute, is_age
from profiles.hints.files import read_hints, write_hints
from profiles.hints.store import (
    ATTRIBUTE_ORDER,
    SHIPPED_FILE,
    hints_for,
    load_hints,
    save_hints,
    shipped_hints,
    stored_hints,
)
from profiles.models import AttributeHint, Subreddit
from tests.factories import make_profile, make_subreddit


def shipped():
    with SHIPPED_FILE.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_shipped_hint_has_a_value_its_attribute_allows():
    for row in shipped():
        attribute = Attribute(row["attribute"])
        if attribute in CLOSED_LISTS and row["value"]:
            assert row["value"] in CLOSED_LISTS[attribute].values, row
        if attribute is Attribute.AGE and row["value"]:
            assert is_age(row["value"]), row
        assert row["reason"], row
        assert row["value"] == row["value"].strip().lower(), row


def test_the_shipped_list_is_long_and_every_attribute_has_its_share():
    counts = Counter(row["attribute"] for row in shipped())
    assert sum(counts.values()) >= 400
    assert set(counts) == set(Attribute.values)
    assert min(counts.values()) >= 20


def test_every_shipped_row_is_normalized_already():
    hints = read_hints(SHIPPED_FILE.read_bytes())
    assert hints.invalid_lines == []
    assert "".join(write_hints(hints.rows)) == SHIPPED_FILE.read_text(encoding="utf-8")


def test_the_shipped_list_spells_each_subreddit_in_one_way():
    spellings = {row["subreddit"] for row in shipped()}
    assert len(spellings) == len({name.lower() for name in spellings})


def test_the_shipped_list_is_sorted():
    rows = [(ATTRIBUTE_ORDER[row["attribute"]], row["subreddit"].lower(), row["value"]) for row in shipped()]
    assert rows == sorted(rows)


def test_a_country_suggests_both_where_somebody_lives_and_where_they_were_born():
    countries = {row["subreddit"] for row in shipped() if row["reason"] == "subreddit of the country"}
    born = {row["subreddit"] for row in shipped() if row["attribute"] == "place_of_birth"}
    assert len(countries) > 50
    assert countries <= born


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
    hints = [(h.attribute, h.value, h.subreddit, h.comment_count) for h in hints_for(profile)]
    assert hints == [
        ("location", "bergen", "expats", 2), ("location", "oslo", "expats", 2), ("education", "college", "expats", 2)
    ]  # fmt: skip


@pytest.mark.django_db
def test_counts_only_the_profiles_own_comments():
    profile = make_profile("a", subreddit="expats")
    make_profile("b", "c", "d", subreddit="expats")
    AttributeHint.objects.create(subreddit=make_subreddit("expats"), attribute="location")
    assert [hint.comment_count for hint in hints_for(profile)] == [1]


@pytest.mark.django_db
def test_a_subreddit_is_matched_without_regard_to_case():
    """Dumps spell names in several ways; the list spells them in one."""
    profile = make_profile("so humid", subreddit="HOUSTON")
    load_hints()
    assert Subreddit.objects.filter(name__iexact="houston").count() == 1
    assert [(hint.subreddit, hint.value) for hint in hints_for(profile)] == [
        ("HOUSTON", "houston / texas / united states")
    ]


@pytest.mark.django_db
def test_the_stored_list_is_the_shipped_list():
    load_hints()
    assert list(stored_hints()) == shipped_hints()


@pytest.mark.django_db
def test_saving_changes_reasons_and_removes_only_when_replacing():
    first, second, *_ = shipped_hints()
    save_hints([first, second])
    changes = save_hints([replace(first, reason="another")])
    assert (len(changes.new), len(changes.changed), changes.unchanged) == (0, 1, 0)
    assert [hint.reason for hint in stored_hints()] == ["another", second.reason]
    save_hints([second], replace=True)
    assert list(stored_hints()) == [second]
