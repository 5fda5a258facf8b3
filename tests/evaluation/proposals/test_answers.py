"""Reading answers: every way in which models name subreddits, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.proposals.answers import MAX_REASON, MAX_SUBREDDITS, Outcome, read_answer
from evaluation.proposals.names import is_name
from tests.evaluation.proposals.answer_texts import INVALID, KEPT, LISTS, LONDON, NAMES, NOTHING, REFUSALS


def pairs(text, **options):
    return [(candidate.name, candidate.reason) for candidate in read_answer(text, **options).subreddits]


def names(text, **options):
    return [name for name, _ in pairs(text, **options)]


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_reads_names_and_reasons_of_any_list(text):
    assert pairs(text) == LONDON
    assert read_answer(text).outcome == Outcome.LIST


@pytest.mark.parametrize("text", NAMES)
def test_reads_names(text):
    assert names(text) == NAMES[text]


@pytest.mark.parametrize("text", INVALID)
def test_sets_names_aside_that_cannot_exist(text):
    answer = read_answer(text)
    assert ([candidate.name for candidate in answer.subreddits], answer.invalid) == INVALID[text]


@pytest.mark.parametrize("text", REFUSALS)
def test_knows_a_refusal(text):
    assert read_answer(text).outcome == Outcome.REFUSAL


@pytest.mark.parametrize("text", NOTHING)
def test_knows_that_nothing_is_named(text):
    assert read_answer(text).outcome == Outcome.NOTHING


def test_a_refusal_with_a_list_is_a_list():
    assert read_answer("I'm sorry, I know only one:\n- r/london").outcome == Outcome.LIST


@pytest.mark.parametrize("text", KEPT)
def test_a_second_answer_may_list_what_it_dropped(text):
    assert names(text, only_kept=True) == KEPT[text]


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_second_answer_is_read_like_a_first_one(text):
    assert names(text, only_kept=True) == [name for name, _ in LONDON]


def test_an_endless_answer_is_cut():
    answer = read_answer("\n".join(f"- r/name{number}: {'x' * 2000}" for number in range(45)))
    assert max(len(candidate.reason) for candidate in answer.subreddits) == MAX_REASON
    assert len(read_answer("\n".join(f"- r/name{number}" for number in range(900))).subreddits) == MAX_SUBREDDITS


def test_reasons_can_be_stored_and_shown():
    ((_, reason),) = pairs("- r/london: the\x00 \x07city\u2028 **of** `cities` \ud800")
    assert reason == "the city of cities"


@given(st.text(alphabet=st.sampled_from("r/a1_ -*|:\n[](){}\"',#.`~>"), max_size=80), st.booleans())
def test_any_text_is_read_and_gives_names_that_can_exist(text, only_kept):
    answer = read_answer(text, only_kept=only_kept)
    assert all(is_name(candidate.name) for candidate in answer.subreddits)
    assert len(answer.names) == len(answer.subreddits)
