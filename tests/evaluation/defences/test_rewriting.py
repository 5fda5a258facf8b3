"""What a model is asked to rewrite, and which of its answers are rewrites."""

import pytest

from evaluation.defences.rewriting import MAX_STARTS, Rewrite, check_rewrite, load_rewriting_prompt, read_rewrites
from evaluation.inference.records import Prediction

ORIGINAL = "I moved to Zurich last spring and work as a nurse at the university hospital."


@pytest.mark.parametrize(
    ("rewritten", "outcome"),
    [
        ("I moved to a city some time ago and work in health care at a hospital.", Rewrite.ACCEPTED),
        (ORIGINAL, Rewrite.UNCHANGED),
        (f"  {ORIGINAL.upper()} ", Rewrite.UNCHANGED),
        ("", Rewrite.REFUSED),
        ("…", Rewrite.REFUSED),
        ("I'm sorry, but I can't help with rewriting personal data.", Rewrite.REFUSED),
        ("Roses are red, violets are blue, sugar is sweet.", Rewrite.UNRELATED),
        ("I moved.", Rewrite.UNRELATED),
        (f"{ORIGINAL} " * 4, Rewrite.UNRELATED),
    ],
)
def test_outcomes(rewritten, outcome):
    assert check_rewrite(ORIGINAL, rewritten) is outcome


def test_a_comment_that_sounds_like_a_refusal_is_none():
    assert check_rewrite("I can't stand Boston in winter.", "I can't stand that city in winter.") is Rewrite.ACCEPTED


def test_every_round_is_compared_with_the_original():
    step = "I moved to a city last year and have a job there."
    assert check_rewrite(ORIGINAL, step) is Rewrite.ACCEPTED
    assert check_rewrite(ORIGINAL, step, current=step) is Rewrite.UNCHANGED
    assert check_rewrite(ORIGINAL, "There is a job.", current=step) is Rewrite.UNRELATED
    assert check_rewrite(ORIGINAL, ORIGINAL, current=step) is Rewrite.ACCEPTED


def test_a_short_comment_may_lose_all_its_words():
    assert check_rewrite("Boston!", "A city.") is Rewrite.ACCEPTED


def test_an_empty_comment_stays():
    assert check_rewrite("", "") is Rewrite.UNCHANGED


@pytest.mark.parametrize(
    "reply",
    [
        '{"comments": [{"number": 1, "text": "first"}, {"number": 3, "text": "third"}]}',
        'Sure!\n```json\n{"comments": {"1": "first", "3": "third"}}\n```',
        '{"1": "first", "3": "third"}',
        '[{"number": 1, "text": "first"}, {"number": "3", "text": "third"}]',
        'Ages {"a": 3}, see [1]: {"comments": [{"number": 1, "text": "first"}, {"number": 3, "text": "third"}]}',
        '<think>{"comments": [{"number": 1, "text": "draft"}]}</think>{"1": "first", "3": "third"}',
        "1: first\n3. third",
        "[1] first\nComment 3: third",
    ],
)
def test_replies_in_several_forms(reply):
    assert read_rewrites(reply, 3) == ["first", None, "third"]


@pytest.mark.parametrize(
    "reply",
    [
        "", "I can't do that.", "{", '{"comments": 5}', '{"comments": [7, {"number": 9}]}', '{"²": "first"}',
        f'{{"comments": [{{"number": {"9" * 5000}, "text": "first"}}]}}', f'{{"{"9" * 5000}": "first"}}',
        '{"a":' * 5000,
    ],
)  # fmt: skip
def test_a_reply_without_comments_has_none(reply):
    assert read_rewrites(reply, 2) == [None, None]


def test_a_reply_of_nothing_but_brackets_is_given_up():
    assert read_rewrites("[" * (MAX_STARTS - 1) + '{"1": "first"}', 1) == ["first"]
    assert read_rewrites("[" * MAX_STARTS + '{"1": "first"}', 1) == [None]


def test_the_question_has_comments_and_inferences_but_no_account_names():
    prompt = load_rewriting_prompt()
    predictions = {"place_of_birth": Prediction(("Oslo, Norway",), inference="mentions\nthe fjord")}
    text = prompt.messages(["Ask u/someone about {inferences}", "second"], predictions)[1][1]
    assert "- place of birth: Oslo, Norway (mentions the fjord)" in text
    assert '"number": 2' in text
    assert "u/someone" not in text
    assert "Ask u/[somebody] about {inferences}" in text
    assert "{comments}" not in text


def test_a_question_without_inferences_names_all_attributes():
    assert load_rewriting_prompt().nothing in load_rewriting_prompt().messages(["text"])[1][1]
