"""What a reader must know before quoting a number: shown beside the headline, not in a footnote."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotator.core.formatting import percent, plural
from evaluation.spans.study import StudyCounts
from evaluation.stats.estimates import MIN_UNITS

DOMINANT_SHARE = 0.5


def find_cautions(
    *,
    strict: StudyCounts,
    relaxed: StudyCounts,
    gold_types: Mapping[str, int],
    documents: int,
    shared_documents: int,
    has_texts: bool,
    problems: Iterable[Mapping[str, Any]],
) -> list[dict[str, str]]:
    """One entry for each caution that applies, the gravest first.

    `shared_documents` is the number of documents with several annotators.
    """
    kinds = {problem["kind"]: problem["count"] for problem in problems}
    cautions = [
        *_from_documents(documents, kinds, has_texts=has_texts),
        *_from_the_study(strict, relaxed),
        *_from_types(gold_types),
        *_from_annotators(shared_documents),
    ]
    return [{"key": key, "message": message, "why": why} for key, message, why in cautions]


Caution = tuple[str, str, str]


def _from_documents(documents: int, kinds: Mapping[str, int], *, has_texts: bool) -> Iterator[Caution]:
    if missing := kinds.get("only-in-gold"):
        yield (
            "missing-documents",
            f"{plural(missing, 'document')} of the gold file {_is(missing)} not among the predictions.",
            "The list of problems says how they were treated. If the system never saw them, score only the others.",
        )
    if set_aside := sum(kinds.get(kind, 0) for kind in ("unreadable", "out-of-range", "empty", "text-differs")):
        yield (
            "set-aside",
            f"{plural(set_aside, 'span or record', 'spans or records')} could not be used.",
            "They count towards no score. The list of problems says where they are.",
        )
    if documents < MIN_UNITS:
        yield (
            "few-documents",
            f"There {_is(documents)} only {plural(documents, 'document')}, too few for intervals.",
            "Intervals come from resampling documents; with only a handful they say little.",
        )
    if not has_texts:
        yield (
            "no-texts",
            "Neither file has the texts, so offsets could not be checked against them.",
            "Tokens are counted as characters, and errors are shown without their context.",
        )


def _from_the_study(strict: StudyCounts, relaxed: StudyCounts) -> Iterator[Caution]:
    growth = relaxed.denominator - strict.denominator
    if growth > 0:
        yield (
            "relaxed-recall",
            f"The ECHR study's relaxed recall has a larger denominator than its strict recall (+{growth:,}), "
            "so the two can't be compared.",
            "A type that isn't scored counts when it is found, but never as missed.",
        )


def _from_types(gold_types: Mapping[str, int]) -> Iterator[Caution]:
    total = sum(gold_types.values())
    label, count = max(gold_types.items(), key=lambda item: item[1], default=("", 0))
    if len(gold_types) > 1 and count > DOMINANT_SHARE * total:
        yield (
            "dominant-type",
            f"{percent(count / total)} of the scored gold spans are {label}, so micro scores hide the other types.",
            "Read the macro scores and the scores by type first.",
        )


def _from_annotators(shared_documents: int) -> Iterator[Caution]:
    if shared_documents:
        yield (
            "several-annotators",
            f"{plural(shared_documents, 'document has', 'documents have')} several annotators. Each one's spans are "
            "scored, and the counts are added up.",
            "The ECHR study puts all of them in one list instead, where the second mark of a span counts as missed.",
        )


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
