"""The rules once more, in the plainest words: loops over spans, sets of characters, all assignments tried out."""

from collections.abc import Iterator
from fractions import Fraction

from evaluation.spans.labels import IgnorePolicy, LabelScheme
from evaluation.spans.matching import GoldState, MatchRule, Method, PredictionState
from evaluation.spans.matching.canonical import UNITS
from evaluation.spans.records import LabelledSpan
from tests.evaluation.spans.cases import Spans, iou

States = tuple[list[int], list[int], list[bool]]  # of gold, of predictions, which gold is relaxed


def characters(span: LabelledSpan) -> set[int]:
    return set(range(span.start, span.end))


def match_as_study(gold: Spans, predicted: Spans, scheme: LabelScheme, rule: MatchRule) -> States:
    """One document by the study's rule, as its script goes about it."""
    used: dict[int, int] = {}
    states, relaxed = [], []
    for item in gold:
        candidates = [
            index
            for index, other in enumerate(predicted)
            if index not in used and scheme.compatible(item.label, other.label, rule.labels) and item.overlaps(other)
        ]
        shared = sum(len(characters(item) & characters(predicted[index])) for index in candidates)
        is_match = item.length > 0 and bool(candidates) and shared / item.length >= rule.threshold
        if is_match:
            used.update(dict.fromkeys(candidates, 2 if len(candidates) > 1 else 1))
        missed = GoldState.IGNORED if item.label in scheme.ignored or not item.length else GoldState.MISSED
        states.append((2 if len(candidates) > 1 else 1) if is_match else missed)
        relaxed.append(is_match and any(predicted[index].label != item.label for index in candidates))
    predictions = [
        used.get(index, PredictionState.IGNORED if other.label in scheme.ignored else PredictionState.SPURIOUS)
        for index, other in enumerate(predicted)
    ]
    return states, predictions, relaxed


def order(span: LabelledSpan) -> tuple[int, int, str, float]:
    return span.start, span.end, span.label, float("inf") if span.score is None else -span.score


def match_by_definition(gold: Spans, predicted: Spans, scheme: LabelScheme, rule: MatchRule) -> States:
    """One document by exact, iou or r1, spans in canonical order."""
    assert gold == sorted(gold, key=order)
    assert predicted == sorted(predicted, key=order)
    kept = [
        index
        for index, item in enumerate(predicted)
        if rule.method != Method.R1
        or not any((item.start, item.end, item.label) == (o.start, o.end, o.label) for o in predicted[:index])
    ]
    zones = [item for item in gold if item.label in scheme.ignored and rule.ignore == IgnorePolicy.SYMMETRIC]
    pairs = {
        (row, index)
        for row, item in enumerate(gold)
        for index in kept
        if item not in zones
        and scheme.compatible(item.label, predicted[index].label, rule.labels)
        and item.overlaps(predicted[index])
    }
    least = Fraction(1) if rule.method == Method.EXACT else Fraction(str(rule.threshold))
    close = {pair for pair in pairs if iou(gold[pair[0]], predicted[pair[1]]) >= least}
    matches = {row: [index] for row, index in best_assignment(gold, predicted, close)}
    states = [int(GoldState.MATCHED if row in matches else GoldState.MISSED) for row in range(len(gold))]
    predictions = [int(PredictionState.SPURIOUS)] * len(predicted)
    for (index,) in matches.values():
        predictions[index] = PredictionState.MATCHED
    if rule.method == Method.R1:
        for row, item in enumerate(gold):
            free = [index for index in kept if (row, index) in pairs and predictions[index] == PredictionState.SPURIOUS]
            union = set().union(*(characters(predicted[index]) for index in free))
            shared = len(characters(item) & union)
            if states[row] == GoldState.MISSED and free and min(
                Fraction(shared, item.length), Fraction(shared, len(union))
            ) >= least:  # fmt: skip
                states[row], matches[row] = GoldState.COMPOUND, free
                for index in free:
                    predictions[index] = PredictionState.CONTRIBUTED
    ignored = scheme.ignored if rule.ignore != IgnorePolicy.NONE else frozenset()
    for row, item in enumerate(gold):
        if states[row] == GoldState.MISSED and item.label in ignored:
            states[row] = GoldState.IGNORED
    for index, item in enumerate(predicted):
        is_inside = any(2 * len(characters(item) & characters(zone)) >= item.length for zone in zones)
        if predictions[index] == PredictionState.SPURIOUS and (
            item.label in ignored or is_inside or index not in kept
        ):  # fmt: skip
            predictions[index] = PredictionState.IGNORED
    relaxed = [any(predicted[i].label != item.label for i in matches.get(row, [])) for row, item in enumerate(gold)]
    return states, predictions, relaxed


def best_assignment(gold: Spans, predicted: Spans, pairs: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Try all assignments: most pairs, then the largest sum of IoU in billionths, then the first in order."""

    def quality(chosen: list[tuple[int, int]]) -> tuple[int, int, list[tuple[int, int]]]:
        units = [int(iou(gold[row], predicted[index]) * UNITS) for row, index in chosen]
        return -len(chosen), -sum(units), chosen

    return min(assignments(0, len(gold), frozenset(), pairs), key=quality)


def assignments(
    row: int, size: int, used: frozenset[int], pairs: set[tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    if row == size:
        yield []
        return
    yield from assignments(row + 1, size, used, pairs)
    for index in sorted(index for first, index in pairs if first == row and index not in used):
        for rest in assignments(row + 1, size, used | {index}, pairs):
            yield [(row, index), *rest]
