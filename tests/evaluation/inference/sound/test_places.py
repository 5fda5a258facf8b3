"""Places are graded by country, state and city, whatever their letters look like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.grades import Grade
from evaluation.inference.sound import Rule, grade
from evaluation.inference.sound.verdicts import mirror
from profiles.gazetteer.index import load_index

EXACT, LESS, MORE, WRONG = Grade.EXACT, Grade.LESS_PRECISE, Grade.MORE_PRECISE, Grade.WRONG


@pytest.mark.parametrize(
    ("guess", "label", "expected"),
    [
        # Letters look alike, places differ.
        ("new york", "new jersey", WRONG),
        ("austria", "australia", WRONG),
        ("india", "indiana", WRONG),
        ("san francisco", "san diego", WRONG),
        ("portland oregon", "portland maine", WRONG),
        ("Portland, OR", "portland / maine / united states", WRONG),
        # Letters differ, places are the same.
        ("uk", "united kingdom", EXACT),
        ("usa", "united states", EXACT),
        ("U.S.", "usa", EXACT),
        ("New York City, USA", "new york, usa", EXACT),
        ("NYC", "new york city / new york / united states", EXACT),
        ("Bangalore, India", "bengaluru", EXACT),
        ("Zurich", "zürich, switzerland", EXACT),
        ("Türkiye", "turkey", EXACT),
        ("London, England", "london, uk", EXACT),
        ("Munich, Bavaria", "munich, germany", EXACT),
        # Levels.
        ("Canada", "vancouver", LESS),
        ("Vancouver", "canada", MORE),
        ("England", "london", LESS),
        ("Scotland", "london", WRONG),
        ("Texas", "usa", MORE),
        ("Osaka, Japan", "tokyo, japan", WRONG),
        ("Brooklyn", "new york city", MORE),
        ("Kreuzberg, Berlin", "berlin", MORE),
        ("Kreuzberg, Berlin", "neukölln, berlin", WRONG),
        ("small town, USA", "san antonio, usa", LESS),
        ("southern Germany", "munich", LESS),
        ("Hong Kong, China", "hong kong", EXACT),
        ("China", "hong kong", LESS),
        ("Singapore, Singapore", "singapore", EXACT),
        # Several places have the name.
        ("Portland", "portland, maine", EXACT),
        ("Springfield, Illinois", "springfield", EXACT),
        ("Georgia", "atlanta", LESS),
        ("Georgia", "tbilisi", LESS),
        ("Georgia, USA", "tbilisi", WRONG),
        ("Paris", "paris, texas", LESS),
        ("Paris", "texas", WRONG),
        ("London", "canada", WRONG),
        # More than one guess.
        ("Boston or New York", "boston", WRONG),
        ("Boston and New York", "boston", WRONG),
        ("Boston or New York", "usa", MORE),
        ("Trinidad and Tobago", "trinidad and tobago", EXACT),
        # How it is written.
        ("usa, texas, austin", "austin / texas / united states", EXACT),
        ("Austin Texas USA", "austin / texas / united states", EXACT),
        ("Paris - France", "paris, france", EXACT),
        ("Georgia (US)", "georgia / united states", EXACT),
        ("Lisbon", "lisbon, portugal (maybe brazil)", EXACT),
        # Not in the gazetteer.
        ("Smallville, Kansas", "smallville / kansas", EXACT),
        ("Smallville, Kansas", "wichita / kansas", WRONG),
        ("Kansas", "smallville / kansas", LESS),
        ("Atlantis", "atlantis", EXACT),
        ("Atlantis", "berlin", WRONG),
    ],
)
def test_a_place_by_level(guess, label, expected):
    assert grade("location", guess, label).grade is expected
    assert grade("place_of_birth", guess, label).grade is expected


def test_the_rule_names_the_level_that_differs():
    assert grade("location", "osaka, japan", "kyoto, japan").rule is Rule.PLACE_OTHER_CITY
    assert grade("location", "new york", "new jersey").rule is Rule.PLACE_OTHER_STATE
    assert grade("location", "austria", "australia").rule is Rule.PLACE_OTHER_COUNTRY


NAMES = ["paris", "georgia", "portland, maine", "brooklyn", "kreuzberg, berlin", "smallville, kansas", "hong kong", "x"]


@st.composite
def written_places(draw):
    rows = load_index().rows
    row = rows[draw(st.integers(0, len(rows) - 1))]
    parts = [part for part in (row.city, row.state, row.country) if part]
    return draw(st.sampled_from(["/".join(parts), ", ".join(parts), parts[0]])).lower()


@given(written_places() | st.sampled_from(NAMES))
def test_every_place_is_itself(place):
    assert grade("location", place, place).grade is EXACT
    assert grade("location", f"**{place.title()}**.", place).grade is EXACT


@given(written_places() | st.sampled_from(NAMES), written_places() | st.sampled_from(NAMES))
def test_grades_mirror_when_guess_and_label_are_swapped(first, second):
    assert grade("location", first, second).grade is mirror(grade("location", second, first).grade)


@given(st.integers(0, 20_000))
def test_a_country_is_less_precise_than_its_cities(number):
    row = load_index().rows[number]
    if row.city and row.city != row.country:
        written = ", ".join(part for part in (row.city, row.state, row.country) if part)
        assert grade("location", row.country, written).grade in (LESS, EXACT)
        assert grade("location", written, row.country).grade in (MORE, EXACT)
