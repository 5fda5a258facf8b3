"""What was wrong with the files, grouped for a report."""

from evaluation.spans.alignment import MissingPolicy
from evaluation.spans.problems import MAX_EXAMPLES, ONLY_IN_GOLD, SENTENCES, group_problems
from evaluation.spans.records import Problem, ProblemKind


def test_problems_are_counted_by_kind_with_a_few_examples():
    problems = [Problem(ProblemKind.EMPTY, f"d{number}") for number in range(MAX_EXAMPLES + 5)]
    (entry,) = group_problems("gold", problems, MissingPolicy.COUNT)
    assert (entry["side"], entry["kind"], entry["count"]) == ("gold", "empty", MAX_EXAMPLES + 5)
    assert len(entry["examples"]) == MAX_EXAMPLES


def test_every_kind_has_a_sentence():
    assert set(SENTENCES) | {ProblemKind.ONLY_IN_GOLD} == set(ProblemKind)


def test_a_missing_document_is_told_as_it_was_treated():
    problems = [Problem(ProblemKind.ONLY_IN_GOLD, "a")]
    messages = {policy: group_problems("gold", problems, policy)[0]["message"] for policy in MissingPolicy}
    assert messages == ONLY_IN_GOLD
