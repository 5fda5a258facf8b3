"""Answers of a judge are read however awkward they are, and never raise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import models
from evaluation.inference.judge.verdicts import Verdict, parse_verdict
from tests.evaluation.inference.judge.answers import ANSWERS


def test_verdicts_are_those_of_the_database():
    assert [*Verdict] == models.Verdict.values


@pytest.mark.parametrize(("text", "verdict"), ANSWERS.items(), ids=lambda value: repr(value)[:50])
def test_reads_awkward_answers(text, verdict):
    assert parse_verdict(text) is verdict


@given(
    st.one_of(st.text(), st.lists(st.sampled_from([*ANSWERS]).map(lambda text: text[:300]), max_size=4).map("\n".join))
)
def test_never_fails(text):
    assert parse_verdict(text) in (None, *Verdict)


def test_a_huge_answer_is_read_quickly():
    assert parse_verdict("x " * 2_000_000) is None
