"""What a person may type for each attribute, what is kept of it, and how two answers compare."""

import sys

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from annotator.models import Conclusion
from profiles.answers import Agreement, compare, read_answer
from profiles.answers.ages import GENERAL
from profiles.answers.text import kept
from profiles.attributes import CLOSED_LISTS, Attribute, is_age
from profiles.gazetteer import settle, warm

HOUSTON = 4699066
COLLATIONS = ["default", "pg_c_utf8", "pg_unicode_fast", "und-x-icu", "tr-x-icu", "en_US.utf8", "C.utf8"]
FREE = "Not in the gazetteer: kept as free text."


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    """Before anything is timed."""
    warm()


@pytest.mark.parametrize(
    ("typed", "age"),
    [
        ("27", "27"),
        ("25-35", "25-35"),
        (" 25 - 35 ", "25-35"),
        ("25–35", "25-35"),
        ("25 — 35", "25-35"),
        ("25 to 35", "25-35"),
        ("27 years", "27"),
        ("27 Years Old", "27"),
        ("27 yo", "27"),
        ("27y/o", "27"),
        ("25-35 years", "25-35"),
        ("10", "10"),
        ("110", "110"),
        ("27-27", "27-27"),
        ("", ""),
    ],
)
def test_ages_are_turned_into_their_form(typed, age):
    assert read_answer(Attribute.AGE, typed).value == age
    assert read_answer(Attribute.AGE, typed).problem == ""


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("30+", "Write a range with an upper end instead of 30+, such as 30-40."),
        ("105+", "Write a range with an upper end instead of 105+, such as 105-110."),
        ("~25", "Write a range instead of ~25, such as 23-27."),
        ("about 11", "Write a range instead of about 11, such as 10-13."),
        ("twenties", "Write a range instead of twenties, such as 20-29."),
        ("mid 20s", "Write a range instead of mid 20s, such as 24-26."),
        ("early 20s", "Write a range instead of early 20s, such as 20-23."),
        ("Late Thirties", "Write a range instead of late thirties, such as 37-39."),
        ("in her mid-forties", "Write a range instead of in her mid-forties, such as 44-46."),
        ("teens", "Write a range instead of teens, such as 13-19."),
        *(
            (typed, GENERAL)
            for typed in ["9", "111", "35-25", "25-", "-25", "old", "2 5", "٢٧", "110+", "999+", "27.5"]
        ),
    ],
)
def test_other_ages_are_refused_with_the_right_form(typed, problem):
    answer = read_answer(Attribute.AGE, typed)
    assert (answer.value, answer.problem) == ("", problem)


@given(st.text(alphabet="0123456789 -+~stoyear", max_size=12))
def test_an_age_is_an_age_or_a_problem(typed):
    answer = read_answer(Attribute.AGE, typed)
    assert is_age(answer.value) or answer.problem or not typed.strip()


def test_the_general_sentence_is_the_one_of_the_constraint():
    sentences = {str(constraint.violation_error_message) for constraint in Conclusion._meta.constraints}
    assert GENERAL in sentences
    for attribute in CLOSED_LISTS:
        assert read_answer(attribute, "x").problem in sentences


@pytest.mark.parametrize("attribute", CLOSED_LISTS)
def test_lists_take_codes_and_labels(attribute):
    for code, label in CLOSED_LISTS[attribute].choices:
        for typed in (code, code.upper(), f" {label} ", label.lower()):
            assert read_answer(attribute, typed).value == code
            assert read_answer(attribute, typed).problem == ""


def test_lists_take_nothing_else():
    answer = read_answer(Attribute.SEX, "m")
    assert (answer.value, answer.problem) == ("", "Sex: choose one of male, female.")


@pytest.mark.parametrize("typed", ["Unemployed", "no  job", "JOBLESS"])
def test_none_is_the_word_for_no_work(typed):
    answer = read_answer(Attribute.OCCUPATION, typed)
    assert answer.value == " ".join(typed.lower().split())
    assert answer.hint == "Write none for somebody who clearly has no work."
    assert answer.problem == ""


def test_an_occupation_is_free_text():
    answer = read_answer(Attribute.OCCUPATION, " Office\tWorker\0 ")
    assert (answer.value, answer.hint, answer.is_free_text) == ("office worker", "", True)


@pytest.mark.parametrize("attribute", [Attribute.LOCATION, Attribute.PLACE_OF_BIRTH])
@pytest.mark.parametrize(
    ("typed", "value", "geoname_id", "hint"),
    [
        ("Houston,Texas", "houston / texas", HOUSTON, ""),
        ("houston/texas /  United States", "houston / texas / united states", HOUSTON, ""),
        ("Montrose, Houston", "montrose / houston", HOUSTON, ""),
        ("/ houston /", "houston", HOUSTON, ""),
        ("Smallville", "smallville", None, FREE),
        ("///", "", None, ""),
        (
            "Springfield",
            "springfield",
            None,
            "There are several places called springfield. Add the state and country, "
            "such as springfield / missouri / united states.",
        ),
        (
            "georgia",
            "georgia",
            None,
            "There are several places called georgia. Add the state and country, such as georgia / united states.",
        ),
        (
            "cordoba",
            "cordoba",
            None,
            "There are several places called cordoba. Add the country, such as córdoba / argentina.",
        ),
    ],
)
def test_places_are_spelled_and_looked_up(attribute, typed, value, geoname_id, hint):
    answer = read_answer(attribute, typed)
    assert (answer.value, answer.geoname_id, answer.hint, answer.problem) == (value, geoname_id, hint, "")
    assert answer.is_free_text == bool(value and geoname_id is None)


@pytest.mark.parametrize("attribute", Attribute)
def test_long_answers_are_refused(attribute):
    for length in (201, 100_000):
        answer = read_answer(attribute, "x" * length)
        assert (answer.value, answer.problem) == ("", "Write at most 200 characters.")


def test_what_grows_past_the_limit_is_refused_too():
    assert read_answer(Attribute.OCCUPATION, "x" * 200).value == "x" * 200
    assert read_answer(Attribute.OCCUPATION, "İ" * 101).problem == "Write at most 200 characters."
    assert read_answer(Attribute.LOCATION, "a," * 60).problem == "Write at most 200 characters."


@given(st.sampled_from(list(Attribute)), st.text(max_size=210))
def test_what_is_kept_is_read_as_itself(attribute, typed):
    answer = read_answer(attribute, typed)
    assert read_answer(attribute, answer.value) == answer or answer.problem
    assert len(answer.value) <= 200


@pytest.mark.parametrize(
    ("typed", "text"),
    [("CAFE\u0301", "café"), ("J\u030c", "\u01f0"), ("İ", "i\u0307"), ("ΟΔΟΣ", "οδο\u03c2"), ("a\u202e\0b", "ab")],
)
def test_letters_are_small_and_composed(typed, text):
    assert kept(typed) == text


def test_what_is_endless_is_not_even_cleaned():
    assert read_answer(Attribute.OCCUPATION, "\0" * 100_000).problem == "Write at most 200 characters."


@given(st.text())
def test_no_control_character_is_kept(typed):
    text = kept(typed)
    assert text.isprintable() or set(text) & set("\u200c\u200d")
    text.encode()


@pytest.mark.django_db
def test_postgres_would_write_every_character_alike():
    """The constraint is value = lower(trim(value)), for all of Unicode: alone, in a word and at its end."""
    characters = [kept(chr(number)) for number in range(sys.maxunicode + 1)]
    values = [text for text in characters if text] + [kept(f"a{text}b{text}") for text in characters if text]
    with connection.cursor() as cursor:
        cursor.execute("SELECT collname FROM pg_collation WHERE collname = ANY(%s)", [COLLATIONS])
        names = [name for (name,) in cursor.fetchall()]
        assert "default" in names
        for name in names:
            lowered = f'lower(trim(v COLLATE "{name}"))'
            cursor.execute(f"SELECT v FROM unnest(%s::text[]) v WHERE v <> {lowered} LIMIT 20", [values])  # noqa: S608
            assert cursor.fetchall() == [], name


S, L, M, D = Agreement.SAME, Agreement.LESS_PRECISE, Agreement.MORE_PRECISE, Agreement.DIFFERENT
TURNED = {L: M, M: L, Agreement.MISSED: Agreement.EXTRA, Agreement.EXTRA: Agreement.MISSED}


@pytest.mark.parametrize(
    ("attribute", "said", "known", "agreement"),
    [
        ("sex", "male", "Male", S),
        ("sex", "male", "female", D),
        ("sex", "", "", S),
        ("sex", "", "male", Agreement.MISSED),
        ("sex", "male", "", Agreement.EXTRA),
        ("age", "27", "27 years", S),
        ("age", "25", "27", S),
        ("age", "24", "27", D),
        ("age", "23-27", "25", S),
        ("age", "20-30", "22-32", S),
        ("age", "25-35", "30", L),
        ("age", "25-35", "27-33", S),
        ("age", "25-35", "28-33", L),
        ("age", "20-30", "24-36", D),
        ("age", "30+", "30", D),
        ("occupation", "Nurse", "nurse", S),
        ("occupation", "nurse", "icu nurse", L),
        ("occupation", "café owner", "owner cafe", S),
        ("occupation", "nurse", "teacher", D),
        ("occupation", "none", "nurse", D),
        ("occupation", "nurse icu", "nurse er", D),
        ("location", "houston", "Houston, Texas, USA", S),
        ("location", "munich", "münchen / bavaria / germany", S),
        ("location", "texas", "houston", L),
        ("location", "usa", "houston", L),
        ("location", "usa", "texas", L),
        ("location", "canada", "houston", D),
        ("location", "houston", "dallas / texas", D),
        ("location", "paris / france", "paris / texas", D),
        ("location", "houston", "montrose, houston", L),
        ("location", "midtown, houston", "montrose, houston", D),
        ("location", "springfield", "springfield / tennessee", L),
        ("location", "springfield", "springfield / united states", S),
        ("location", "united states", "springfield", L),
        ("location", "france", "paris", L),
        ("location", "new york", "nyc", L),
        ("location", "kansas", "smallville / kansas / united states", L),
        ("location", "smallville", "smallville / kansas", L),
        ("location", "smallville / kansas", "wichita / kansas", D),
        ("location", "smallville", "gotham", D),
        ("place_of_birth", "france", "paris / france", L),
    ],
)
def test_agreement_and_its_mirror(attribute, said, known, agreement):
    assert compare(Attribute(attribute), said, known) is agreement
    assert compare(Attribute(attribute), known, said) is TURNED.get(agreement, agreement)


def test_a_namesake_beyond_the_eight_that_are_shown_agrees_too():
    ninth = settle("richmond").match.places[8].written
    assert compare(Attribute.LOCATION, "richmond", ninth) is L


@given(st.sampled_from(list(Attribute)), st.text(max_size=40), st.text(max_size=40))
def test_agreement_is_the_same_seen_from_both_sides(attribute, said, known):
    agreement = compare(attribute, said, known)
    assert compare(attribute, known, said) is TURNED.get(agreement, agreement)
