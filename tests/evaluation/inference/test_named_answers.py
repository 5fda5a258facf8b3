"""Of everything that a model names, how much is right."""

from evaluation.inference.grades import Grade
from evaluation.inference.named_answers import OUTCOME_NAMES, THRESHOLDS, NamedAnswer, describe_named
from evaluation.inference.settings import Settings

SETTINGS = Settings(bootstrap=20)
ANSWERS = [
    NamedAnswer("a", Grade.EXACT, 0.9),
    NamedAnswer("b", Grade.MORE_PRECISE, 0.6),
    NamedAnswer("c", Grade.LESS_PRECISE, None),
    NamedAnswer("d", Grade.WRONG, 0.5),
    NamedAnswer("e", None, 0.95),
]


def test_counts_by_threshold():
    rows = {row["threshold"]: row for row in describe_named(ANSWERS, SETTINGS)}
    counts = {key: [row["n"], *(row[name] for name in OUTCOME_NAMES)] for key, row in rows.items()}
    assert counts[None] == [5, 2, 1, 1, 1]
    assert counts[0.5] == [4, 2, 0, 1, 1]
    assert counts[0.9] == [2, 1, 0, 0, 1]
    assert rows[0.9]["precision"]["value"] == 0.5
    assert tuple(rows) == (None, *THRESHOLDS)


def test_without_any_confidence_there_are_no_thresholds():
    rows = describe_named([NamedAnswer("a", Grade.EXACT, None)], SETTINGS)
    assert [(row["threshold"], row["precision"]["value"]) for row in rows] == [(None, 1.0)]


def test_nothing_named_is_undefined():
    (row,) = describe_named([], SETTINGS)
    assert (row["n"], row["precision"]["value"]) == (0, None)
