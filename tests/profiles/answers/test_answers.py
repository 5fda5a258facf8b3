"""What a person may type for each attribute, what is stored, and how two answers compare."""

import sys

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from annotator.models import Conclusion
from profiles.answers import Agreement, compare, parse_answer
from profiles.answers.ages import AGE_FORMAT, CLOSED_RANGE_INSTEAD, RANGE_INSTEAD
from profiles.answers.parser import MAX_LENGTH, NO_WORK, NOT_IN_LIST, TOO_LONG, normalize_text
from profiles.answers.places import AMBIGUOUS, NOT_FOUND
from profiles.attributes import CLOSED_LISTS, Attribute, Education, is_age
from profiles.gazetteer import resolve, warm

HOUSTON = 4699066
COLLATIONS = ["default", "pg_c_utf8", "pg_unicode_fast", "und-x-icu", "tr-x-icu", "en_US.utf8", "C.utf8"]


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
    assert parse_answer(Attribute.AGE, typed).value == age
    assert parse_answer(Attribute.AGE, typed).problem == ""


@pytest.mark.parametrize(
    ("typed", "sentence", "low", "high"),
    [
        ("30+", CLOSED_RANGE_INSTEAD, 30, 40),
        ("105+", CLOSED_RANGE_INSTEAD, 105, 110),
        ("~25", RANGE_INSTEAD, 23, 27),
        ("about 11", RANGE_INSTEAD, 10, 13),
        ("twenties", RANGE_INSTEAD, 20, 29),
        ("mid 20s", RANGE_INSTEAD, 24, 26),
        ("early 20s", RANGE_INSTEAD, 20, 23),
        ("Late Thirties", RANGE_INSTEAD, 37, 39),
        ("in her mid-forties", RANGE_INSTEAD, 44, 46),
        ("teens", RANGE_INSTEAD, 13, 19),
    ],
)
def test_vague_ages_are_refused_with_a_range_to_write_instead(typed, sentence, low, high):
    answer = parse_answer(Attribute.AGE, typed)
    assert (answer.value, answer.problem) == ("", sentence.format(typed=typed.lower(), low=low, high=high))


@pytest.mark.parametrize("typed", ["9", "111", "35-25", "25-", "-25", "old", "2 5", "٢٧", "110+", "999+", "27.5"])
def test_other_ages_are_refused_with_the_right_form(typed):
    answer = parse_answer(Attribute.AGE, typed)
    assert (answer.value, answer.problem) == ("", AGE_FORMAT)


@given(st.text(alphabet="0123456789 -+~stoyear", max_size=12))
def test_an_age_is_an_age_or_a_problem(typed):
    answer = parse_answer(Attribute.AGE, typed)
    assert is_age(answer.value) or answer.problem or not typed.strip()


def test_sentences_are_those_of_the_constraints():
    sentences = {str(constraint.violation_error_message) for constraint in Conclusion._meta.constraints}
    assert AGE_FORMAT in sentences
    for attribute in CLOSED_LISTS:
        assert parse_answer(attribute, "x").problem in sentences


@pytest.mark.parametrize("attribute", CLOSED_LISTS)
def test_lists_take_codes_and_labels(attribute):
    for code, label in CLOSED_LISTS[attribute].choices:
        for typed in (code, code.upper(), f" {label} ", label.lower()):
            assert parse_answer(attribute, typed).value == code
            assert parse_answer(attribute, typed).problem == ""


def test_lists_take_nothing_else():
    answer = parse_answer(Attribute.SEX, "m")
    assert (answer.value, answer.problem) == ("", NOT_IN_LIST.format(attribute="Sex", values="male, female"))


@pytest.mark.parametrize("typed", ["Unemployed", "no  job", "JOBLESS"])
def test_none_is_the_word_for_no_work(typed):
    answer = parse_answer(Attribute.OCCUPATION, typed)
    assert answer.value == " ".join(typed.lower().split())
    assert answer.hint == NO_WORK
    assert answer.problem == ""


def test_an_occupation_is_free_text():
    answer = parse_answer(Attribute.OCCUPATION, " Office\tWorker\0 ")
    assert (answer.value, answer.hint, answer.is_free_text) == ("office worker", "", True)


def several(place, missing, example):
    return AMBIGUOUS.format(place=place, missing=missing, example=example)


@pytest.mark.parametrize("attribute", [Attribute.LOCATION, Attribute.PLACE_OF_BIRTH])
@pytest.mark.parametrize(
    ("typed", "value", "geoname_id", "hint"),
    [
        ("Houston,Texas", "houston / texas", HOUSTON, ""),
        ("houston/texas /  United States", "houston / texas / united states", HOUSTON, ""),
        ("Montrose, Houston", "montrose / houston", HOUSTON, ""),
        ("/ houston /", "houston", HOUSTON, ""),
        ("Smallville", "smallville", None, NOT_FOUND),
        ("///", "", None, ""),
        (
            "Springfield",
            "springfield",
            None,
            several("springfield", "state and country", "springfield / missouri / united states"),
        ),
        (
            "georgia",
            "georgia",
            None,
            several("georgia", "state and country", "georgia / united states"),
        ),
        (
            "cordoba",
            "cordoba",
            None,
            several("cordoba", "country", "córdoba / argentina"),
        ),
    ],
)
def test_places_are_normalized_and_looked_up(attribute, typed, value, geoname_id, hint):
    answer = parse_answer(attribute, typed)
    assert (answer.value, answer.geoname_id, answer.hint, answer.problem) == (value, geoname_id, hint, "")
    assert answer.is_free_text == bool(value and geoname_id is None)


@pytest.mark.parametrize("attribute", Attribute)
def test_long_answers_are_refused(attribute):
    for length in (MAX_LENGTH + 1, 100_000):
        answer = parse_answer(attribute, "x" * length)
        assert (answer.value, answer.problem) == ("", TOO_LONG)


def test_an_answer_that_grows_past_the_limit_is_refused_too():
    assert parse_answer(Attribute.OCCUPATION, "x" * 200).value == "x" * 200
    assert parse_answer(Attribute.OCCUPATION, "İ" * 101).problem == TOO_LONG
    assert parse_answer(Attribute.LOCATION, "a," * 60).problem == TOO_LONG


@given(st.sampled_from(list(Attribute)), st.text(max_size=210))
def test_a_stored_value_parses_to_itself(attribute, typed):
    answer = parse_answer(attribute, typed)
    assert parse_answer(attribute, answer.value) == answer or answer.problem
    assert len(answer.value) <= MAX_LENGTH


@pytest.mark.parametrize(
    ("typed", "text"),
    [("CAFE\u0301", "café"), ("J\u030c", "\u01f0"), ("İ", "i\u0307"), ("ΟΔΟΣ", "οδο\u03c2"), ("a\u202e\0b", "ab")],
)
def test_letters_are_lower_case_and_composed(typed, text):
    assert normalize_text(typed) == text


def test_endless_input_is_not_even_cleaned():
    assert parse_answer(Attribute.OCCUPATION, "\0" * 100_000).problem == TOO_LONG


@given(st.text())
def test_no_control_character_is_stored(typed):
    text = normalize_text(typed)
    assert text.isprintable() or set(text) & set("\u200c\u200d")
    text.encode()


@pytest.mark.django_db
def test_postgres_would_write_every_character_alike():
    """The constraint is value = lower(trim(value)), for all of Unicode: alone, in a word and at its end."""
    characters = [normalize_text(chr(number)) for number in range(sys.maxunicode + 1)]
    values = [text for text in characters if text] + [normalize_text(f"a{text}b{text}") for text in characters if text]
    with connection.cursor() as cursor:
        cursor.execute("SELECT collname FROM pg_collation WHERE collname = ANY(%s)", [COLLATIONS])
        names = [name for (name,) in cursor.fetchall()]
        assert "default" in names
        for name in names:
            lowered = f'lower(trim(v COLLATE "{name}"))'
            cursor.execute(f"SELECT v FROM unnest(%s::text[]) v WHERE v <> {lowered} LIMIT 20", [values])  # noqa: S608
            assert cursor.fetchall() == [], name


S, L, M, D = Agreement.SAME, Agreement.LESS_PRECISE, Agreement.MORE_PRECISE, Agreement.DIFFERENT
MIRRORED = {L: M, M: L, Agreement.MISSED: Agreement.EXTRA, Agreement.EXTRA: Agreement.MISSED}


@pytest.mark.parametrize(
    ("attribute", "answer", "known", "agreement"),
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
def test_agreement_and_its_mirror(attribute, answer, known, agreement):
    assert compare(Attribute(attribute), answer, known) is agreement
    assert compare(Attribute(attribute), known, answer) is MIRRORED.get(agreement, agreement)


def test_a_namesake_beyond_the_eight_that_are_shown_agrees_too():
    ninth = resolve("richmond").match.places[8].written
    assert compare(Attribute.LOCATION, "richmond", ninth) is L


@given(st.sampled_from(list(Attribute)), st.text(max_size=40), st.text(max_size=40))
def test_agreement_is_symmetric(attribute, answer, known):
    agreement = compare(attribute, answer, known)
    assert compare(attribute, known, answer) is MIRRORED.get(agreement, agreement)


def test_education_reads_as_in_the_study_and_keeps_its_codes():
    assert Education.choices == [
        ("no hs", "No High School Diploma"),
        ("in hs", "In High School"),
        ("hs", "High School Diploma"),
        ("in college", "In College"),
        ("college", "College Degree"),
        ("phd", "PhD"),
    ]


@pytest.mark.parametrize(
    ("written", "code"), [("High School Diploma", "hs"), ("High school", "hs"), ("No high school", "no hs")]
)
def test_labels_of_earlier_versions_are_still_read(written, code):
    assert parse_answer(Attribute.EDUCATION, written).value == code
