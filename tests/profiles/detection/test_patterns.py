"""Custom recognisers: what is refused and why, and that none can block anybody."""

import math
import time

import pytest

from profiles.detection import patterns
from profiles.detection.patterns import AWKWARD, FLAGS, InvalidPattern, parse_pattern, parse_word_list, try_pattern
from profiles.detection.recipes import Pattern, WordList

USERNAME = r"\bu/[A-Za-z0-9_-]{3,20}\b"
TEXTS = ["ask u/tin_roof or U/RUSTY", "nobody", "😀 u/heron", "", "u/x"]


def words_of(text):
    return parse_word_list("words", "PLACE", text).words


# ── Reading ──────────────────────────────────────────────────────────────────
def test_reads_a_pattern():
    pattern = parse_pattern("  Reddit   usernames ", " USERNAME ", USERNAME, 0.6, "user, redditor\nuser")
    assert pattern == Pattern("Reddit usernames", "USERNAME", USERNAME, 0.6, ("user", "redditor"))


def test_takes_context_as_words_too():
    assert parse_pattern("a", "A", "a", 1, ("of", "by")).context == ("of", "by")


def test_reads_a_word_list_the_longest_first_and_each_word_once():
    text = "\nNew\n  new   york \n\nAthens\nNEW\nParis, Texas\n"
    assert parse_word_list("cities", "PLACE", text) == WordList(
        "cities", "PLACE", ("Paris, Texas", "new york", "Athens", "New")
    )


@pytest.mark.parametrize("entity_type", ["", "street", "STREET CORNER", "1ST", "_A", "STRAßE", "ÅA", "A" * 41, "A\nB"])
def test_refuses_an_invalid_entity_type(entity_type):
    with pytest.raises(InvalidPattern, match=patterns.BAD_ENTITY_TYPE):
        parse_pattern("name", entity_type, "a+")
    with pytest.raises(InvalidPattern, match=patterns.BAD_ENTITY_TYPE):
        parse_word_list("name", entity_type, "word")


@pytest.mark.parametrize("name", ["", "  \n ", "x" * 101])
def test_refuses_an_invalid_name(name):
    with pytest.raises(InvalidPattern, match=patterns.BAD_NAME):
        parse_pattern(name, "A", "a+")


@pytest.mark.parametrize("score", [0, -0.1, 1.01, math.nan, math.inf])
def test_refuses_an_invalid_score(score):
    with pytest.raises(InvalidPattern, match=patterns.BAD_SCORE):
        parse_pattern("name", "A", "a+", score)


@pytest.mark.parametrize("broken", ["(abc", "[z-a]", "a**+", r"\g<x>", "(?a)(?u)x", r"\L<words>", "a{99999999999999}"])
def test_refuses_an_expression_that_cannot_be_read(broken):
    unreadable = patterns.UNREADABLE.format(error="")[:-1]
    with pytest.raises(InvalidPattern, match=f"{unreadable}|{patterns.TOO_MUCH_MEMORY}"):
        parse_pattern("name", "A", broken)


@pytest.mark.parametrize("empty", ["a*", "(|b)", r"\b", "^", "$", "(?=a)", "(?<=A)", "x?", r"\d{0,3}", "(?i)"])
def test_refuses_an_expression_that_matches_nothing_at_all(empty):
    with pytest.raises(InvalidPattern, match=patterns.EMPTY_MATCH):
        parse_pattern("name", "A", empty)


@pytest.mark.parametrize(
    "greedy",
    ["a{1000000000}", "(?:a{1000}){1000}", "a{0}((b{500,}){500}){500}", "(?R)|a", "(a(?1)?)b", "(?P<n>a(?&n)?)b"],
)
def test_refuses_an_expression_that_would_eat_the_memory(greedy):
    with pytest.raises(InvalidPattern, match=patterns.TOO_MUCH_MEMORY):
        parse_pattern("name", "A", greedy)


@pytest.mark.parametrize("regex", ["", "a" * 1001])
def test_refuses_no_expression_and_an_endless_one(regex):
    with pytest.raises(InvalidPattern, match=patterns.BAD_LENGTH):
        parse_pattern("name", "A", regex)


def test_refuses_deep_nesting_in_words():
    with pytest.raises(InvalidPattern, match=patterns.NESTED_TOO_DEEPLY):
        parse_pattern("name", "A", "(" * 499 + "a" + ")" * 499)


@pytest.mark.parametrize("character", ["\x00", "\ud800"])
def test_refuses_what_the_database_cannot_store(character):
    for arguments in ((character, "A", "a"), ("name", "A", character), ("name", "A", "a", 0.5, character)):
        with pytest.raises(InvalidPattern, match=patterns.BAD_CHARACTER):
            parse_pattern(*arguments)
    with pytest.raises(InvalidPattern, match=patterns.BAD_CHARACTER):
        words_of(f"word{character}")


def test_a_word_list_has_words_and_not_too_many():
    with pytest.raises(InvalidPattern, match=patterns.EMPTY_LIST):
        words_of(" \n\n")
    with pytest.raises(InvalidPattern, match=patterns.TOO_MANY_WORDS.format(count=5001, limit=5000)):
        words_of("\n".join(map(str, range(5001))))
    with pytest.raises(InvalidPattern, match=patterns.WORD_TOO_LONG.format(start="x" * 30)):
        words_of("x" * 101)
    assert len(words_of("\n".join(["x" * 100, *map(str, range(4999))]))) == 5000


# ── Trying ───────────────────────────────────────────────────────────────────
def test_finds_where_a_pattern_matches():
    result = try_pattern(parse_pattern("usernames", "USERNAME", USERNAME), TEXTS)
    assert [TEXTS[number][start:end] for number, start, end in result.matches] == ["u/tin_roof", "U/RUSTY", "u/heron"]
    assert (result.texts_tried, result.is_too_slow) == (5, False)


def test_finds_whole_words_the_longest_first():
    text = "newer New York, NEW and a.new"
    result = try_pattern(parse_word_list("cities", "PLACE", "new\nnew york"), [text])
    assert [text[start:end] for _, start, end in result.matches] == ["New York", "NEW", "new"]


def test_an_empty_match_does_not_count():
    assert try_pattern(Pattern("any", "A", "x*"), ["axxb"]).matches == [(0, 1, 3)]


@pytest.mark.parametrize("catastrophic", [r"(a+)+$", r"^(a|a)*$", r"(a|aa)+$", r"(.*a){12}[bc]"])
def test_a_catastrophic_pattern_is_stopped(catastrophic):
    texts = ["fine", "a" * 5000 + "!", "never reached"]
    began = time.process_time()
    result = try_pattern(Pattern("slow", "A", catastrophic), texts, seconds=0.3)
    assert time.process_time() - began < 2  # of this process: a busy machine is not a failure
    assert result.is_too_slow
    assert result.texts_tried == 1


def test_the_time_is_for_all_texts_together():
    began = time.process_time()
    result = try_pattern(Pattern("slow", "A", r"(\w|\d)+:"), ["a" * 18] * 10_000, seconds=0.3)
    assert time.process_time() - began < 2  # of this process: a busy machine is not a failure
    assert result.is_too_slow or result.texts_tried == 10_000


def test_no_time_at_all_is_too_slow():
    result = try_pattern(Pattern("late", "A", "a"), ["a"], seconds=-1)
    assert (result.matches, result.texts_tried, result.is_too_slow) == ([], 0, True)


@pytest.mark.parametrize("slow", [r"(a+)+$", r"(\d+)*[xy]$", r"(\s+)+$", r"(\w+\.?)+$", r"(\w+ ?)+$"])
def test_awkward_texts_show_what_is_slow(slow):
    assert try_pattern(Pattern("slow", "A", slow), AWKWARD, seconds=0.3).is_too_slow


def test_awkward_texts_take_no_time_for_a_good_pattern():
    assert not try_pattern(parse_pattern("usernames", "USERNAME", USERNAME), AWKWARD).is_too_slow


def test_finds_what_presidio_finds():
    """The module does not import Presidio; a new version of it would show here."""
    from presidio_analyzer import Pattern as PresidioPattern
    from presidio_analyzer import PatternRecognizer

    recogniser = PatternRecognizer("USERNAME", patterns=[PresidioPattern("usernames", USERNAME, 0.5)])
    listed = PatternRecognizer("PLACE", deny_list=list(words_of("new york\nnew\na.b")))
    for text in (*TEXTS, "New York, newer, a.b\nNEW (new)", "new yorks new"):
        for own, theirs in (
            (Pattern("usernames", "USERNAME", USERNAME), recogniser),
            (parse_word_list("places", "PLACE", "new york\nnew\na.b"), listed),
        ):
            expected = {(result.start, result.end) for result in theirs.analyze(text, theirs.supported_entities)}
            assert {(start, end) for _, start, end in try_pattern(own, [text]).matches} == expected
    assert recogniser.global_regex_flags == FLAGS
