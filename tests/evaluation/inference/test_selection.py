"""Long profiles are cut by a stated rule, and what was left out is counted."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.selection import Text, estimate_tokens, select_texts

FIRST = datetime(2013, 5, 1, tzinfo=UTC)


def text(number: int, subreddit: str = "a", tokens: int = 10, day: int | None = None) -> Text:
    return Text(number, subreddit, FIRST + timedelta(days=number if day is None else day), "x" * 4 * tokens)


def ids(texts, budget):
    return [chosen.id for chosen in select_texts(texts, budget).texts]


def test_everything_that_fits_is_in_reading_order():
    texts = [text(3, "b"), text(1, "b"), text(2, "a")]
    assert ids(texts, 30) == [2, 1, 3]
    assert select_texts(texts, 30).left_out == 0


def test_subreddits_take_turns_and_the_newest_come_first():
    texts = [text(n, "busy") for n in range(5, 10)] + [text(1, "quiet"), text(2, "quiet")]
    assert ids(texts, 30) == [8, 9, 2]


def test_a_comment_that_does_not_fit_leaves_room_for_shorter_ones():
    texts = [text(3), text(2, tokens=50), text(1)]
    assert ids(texts, 20) == [1, 3]


def test_counts_what_was_left_out():
    selection = select_texts([text(1, tokens=7), text(2)], 10)
    assert selection.as_json() == {"comments": 1, "tokens": 10, "left_out": 1, "left_out_tokens": 7, "is_cut": False}


def test_cuts_the_newest_if_nothing_fits():
    selection = select_texts([text(1, tokens=50), text(2, tokens=60)], 20)
    assert [(chosen.id, len(chosen.body)) for chosen in selection.texts] == [(2, 80)]
    assert (selection.is_cut, selection.left_out, selection.left_out_tokens) == (True, 1, 90)


def test_nothing_to_select():
    assert select_texts([], 10).texts == ()
    assert select_texts([text(1)], 0).left_out == 1


def test_tokens_are_quarters_of_characters_rounded_up():
    assert [estimate_tokens("x" * length) for length in (0, 1, 4, 5)] == [0, 1, 1, 2]


PROFILES = st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 30), st.integers(0, 5)), max_size=12).map(
    lambda rows: [text(number, *row) for number, row in enumerate(rows)]
)


@given(PROFILES, st.integers(0, 80))
def test_keeps_to_the_budget_loses_nothing_and_ignores_the_order(texts, budget):
    selection = select_texts(texts, budget)
    assert selection.tokens <= budget
    assert len(selection.texts) + selection.left_out == len(texts)
    assert selection.tokens + selection.left_out_tokens == sum(item.tokens for item in texts)
    assert select_texts(texts[::-1], budget) == selection
