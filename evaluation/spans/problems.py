"""What was wrong with the files, grouped for a report: a sentence for each kind, how often, and where."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from evaluation.spans.alignment import MissingPolicy
from evaluation.spans.records import Problem, ProblemKind

MAX_EXAMPLES = 20

SENTENCES: Mapping[ProblemKind, str] = {
    ProblemKind.UNREADABLE: "Records that could not be read. They were left out.",
    ProblemKind.OUT_OF_RANGE: "Spans that lie outside their document. They were left out.",
    ProblemKind.EMPTY: "Spans without a single character. They were left out.",
    ProblemKind.TEXT_DIFFERS: "Spans whose quoted text is nowhere near. They were left out.",
    ProblemKind.REPAIRED: "Spans moved to the nearest place where their quoted text occurs. They are scored there.",
    ProblemKind.OFFSETS_CONVERTED: "Documents whose offsets counted UTF-16 units or bytes. They were converted.",
    ProblemKind.SCORE_DROPPED: "Spans whose score is not a number. They count as spans without a score.",
    ProblemKind.DUPLICATE: "Spans that occur twice with the same label.",
    ProblemKind.OVERLAPPING: "Spans that overlap another one of the same side.",
    ProblemKind.DOCUMENT_REPEATED: "Documents that occur twice. The first one was kept.",
    ProblemKind.ONLY_IN_PREDICTIONS: "Documents without gold. Their predictions can't be scored and were left out.",
    ProblemKind.UNKNOWN_LABEL: "Predicted labels that gold never uses. They can only be false alarms.",
    ProblemKind.NOT_ANALYSED: "Documents for which the detector has no answer.",
    ProblemKind.DETECTOR: "Failures of the detector itself.",
}
ONLY_IN_GOLD = {
    MissingPolicy.COUNT: "Gold documents without predictions. All their spans count as missed.",
    MissingPolicy.SKIP: "Gold documents without predictions. They were not scored.",
}


def group_problems(side: str, problems: Iterable[Problem], missing: MissingPolicy) -> list[dict[str, Any]]:
    """One entry for each kind, in the order of the kinds."""
    by_kind: dict[ProblemKind, list[Problem]] = {}
    for problem in problems:
        by_kind.setdefault(problem.kind, []).append(problem)
    return [_entry(side, kind, by_kind[kind], missing) for kind in ProblemKind if kind in by_kind]


def _entry(side: str, kind: ProblemKind, problems: list[Problem], missing: MissingPolicy) -> dict[str, Any]:
    return {
        "side": side,
        "kind": str(kind),
        "count": len(problems),
        "message": ONLY_IN_GOLD[missing] if kind == ProblemKind.ONLY_IN_GOLD else SENTENCES[kind],
        "examples": [_example(problem) for problem in islice(problems, MAX_EXAMPLES)],
    }


def _example(problem: Problem) -> dict[str, Any]:
    return {
        "document": problem.document, "start": problem.start, "end": problem.end, "detail": problem.detail,
    }  # fmt: skip
