"""Surrogates: consistent within a profile, and never the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.defences.surrogates import FILLERS, FIRST_NAMES, KINDS, LAST_NAMES, NATIONALITIES, PLACES, Surrogates

TYPES = st.sampled_from([*KINDS, "age", "DATE_TIME"])
TEXTS = st.one_of(st.sampled_from([*FIRST_NAMES, *PLACES, *NATIONALITIES, *FILLERS]), st.text(min_size=1, max_size=20))


@given(TYPES, TEXTS, st.integers(0, 50))
def test_never_the_original_and_always_the_same(type_, text, seed):
    surrogate = Surrogates(seed, "profile")(type_, text)
    assert surrogate
    assert surrogate.casefold() != text.casefold()
    assert Surrogates(seed, "profile")(type_, text) == surrogate


def test_case_makes_no_difference_but_is_kept():
    surrogates = Surrogates(1, "profile")
    assert surrogates("LOCATION", "OSLO") == surrogates("LOCATION", "Oslo").upper()
    assert surrogates("LOCATION", "oslo") == surrogates("LOCATION", "Oslo").lower()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("LOCATION", "New York"), ("place_of_birth", "new york")),
        (("LOCATION", "New York"), ("location", "New\n York")),
        (("occupation", "night nurse"), ("DATE_TIME", "Night nurse")),
    ],
)
def test_a_text_has_one_surrogate_whatever_marked_it(first, second):
    surrogates = Surrogates(1, "profile")
    assert surrogates(*first).casefold() == surrogates(*second).casefold()


def test_profiles_and_seeds_differ():
    names = [f"Person {number}" for number in range(20)]
    drawn = [[Surrogates(seed, key)("PERSON", name) for name in names] for seed, key in [(1, "a"), (1, "b"), (2, "a")]]
    assert drawn[0] != drawn[1]
    assert drawn[0] != drawn[2]


@pytest.mark.parametrize(
    ("type_", "text", "pattern"),
    [
        ("EMAIL_ADDRESS", "me@somewhere.com", "@example.org"),
        ("PHONE_NUMBER", "+1 212 555 0000", "-555-01"),
        ("URL", "www.somewhere.com", "https://example.org/"),
        ("IP_ADDRESS", "10.0.0.1", "192.0.2."),
    ],
)
def test_addresses_and_numbers_are_reserved_ones(type_, text, pattern):
    assert pattern in Surrogates(1, "profile")(type_, text)


def test_a_full_name_gets_a_full_name():
    assert Surrogates(1, "profile")("PERSON", "Jane Roe").split()[1] in LAST_NAMES
