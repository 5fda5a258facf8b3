"""The consensus rule: turn the judgements about one attribute into one answer, or a dispute. Pure.

docs/reference/consensus.md explains it. A change that can alter a result needs a new rule name: every gold record
stores the name of its rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from math import ceil, floor
from statistics import median

from annotator.core.evidence import EvidenceSpan, distinct_evidence
from annotator.gold.equivalence import Equivalence
from profiles.answers import Agreement
from profiles.attributes import Attribute

RULE = "consensus/1"
MAJORITY_SHARE = Fraction(2, 3)
MIN_FOR_MAJORITY = 3  # judgements
CERTAIN_FROM = 3  # judgements without an answer don't outvote an answer this certain
SINGLE, CONSENSUS, MAJORITY = "single", "consensus", "majority"
VALUE, PRESENCE, PRECISION = "value", "presence", "precision"
WEIGHTS = {VALUE: 3, PRESENCE: 2, PRECISION: 1}
KINDS = {
    Agreement.DIFFERENT: VALUE, Agreement.MISSED: PRESENCE, Agreement.EXTRA: PRESENCE,
    Agreement.LESS_PRECISE: PRECISION, Agreement.MORE_PRECISE: PRECISION,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CountedJudgement:
    """One person's judgement about the attribute, as plain values."""

    pk: int
    annotator: int
    batch: int
    value: str
    hardness: int
    certainty: int
    required_subreddit: bool
    judged_at: datetime
    evidence: tuple[EvidenceSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class AgreedAnswer:
    """The answer, how it was reached, and the judgements that support it."""

    value: str
    hardness: int
    certainty: int
    required_subreddit: bool
    reached: str
    supporters: tuple[CountedJudgement, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    kind: str
    severity: int


def conclude(
    attribute: Attribute, judgements: Sequence[CountedJudgement], equivalence: Equivalence
) -> AgreedAnswer | Disagreement:
    """Apply the rule. The order of the judgements does not matter."""
    everybody = sorted(judgements, key=lambda judgement: (judgement.judged_at, judgement.pk))
    agreeing = largest_group(attribute, everybody, equivalence)
    if len(agreeing) == len(everybody):
        return combine(agreeing, SINGLE if len(everybody) == 1 else CONSENSUS)
    if (
        len(everybody) >= MIN_FOR_MAJORITY
        and len(agreeing) >= MAJORITY_SHARE * len(everybody)
        and not _may_overlook(agreeing, everybody)
    ):
        return combine(agreeing, MAJORITY)
    return _disagreement(attribute, everybody, equivalence)


def largest_group(
    attribute: Attribute, judgements: Sequence[CountedJudgement], equivalence: Equivalence
) -> list[CountedJudgement]:
    """The largest group in which every pair agrees.

    Ties go to higher total certainty, then to the earlier judgement, then alphabetically.
    Agreement is not transitive: 25 agrees with 27 and 27 with 29, but 25 does not agree with 29.
    """
    by_value: dict[str, list[CountedJudgement]] = {}
    for judgement in judgements:
        by_value.setdefault(judgement.value, []).append(judgement)
    if len(by_value) == 1:
        return list(judgements)
    groups = _groups(attribute, sorted(by_value), equivalence)
    members = [[judgement for judgement in judgements if judgement.value in group] for group in groups]
    return min(members, key=lambda group: (_rank(group), sorted(judgement.value for judgement in group)))


def combine(agreeing: Sequence[CountedJudgement], reached: str) -> AgreedAnswer:
    """Combine judgements that agree into one answer."""
    if not agreeing[0].value:
        return AgreedAnswer("", 0, 0, False, reached, tuple(agreeing))
    required = sum(judgement.required_subreddit for judgement in agreeing)
    return AgreedAnswer(
        _most_frequent_value(agreeing), *ratings(agreeing), required * 2 > len(agreeing), reached, tuple(agreeing)
    )  # fmt: skip


def ratings(judgements: Sequence[CountedJudgement]) -> tuple[int, int]:
    """Median hardness, rounded up, and median certainty, rounded down."""
    answers = [judgement for judgement in judgements if judgement.value]
    if not answers:
        return 0, 0
    return ceil(median(a.hardness for a in answers)), floor(median(a.certainty for a in answers))


def evidence_of(judgements: Iterable[CountedJudgement]) -> list[EvidenceSpan]:
    """The judgements' evidence without duplicates, in the order of the comments."""
    return distinct_evidence(span for judgement in judgements for span in judgement.evidence)


def _may_overlook(agreeing: Sequence[CountedJudgement], everybody: Sequence[CountedJudgement]) -> bool:
    """Whether the majority gave no answer but somebody is certain of one: the others may have missed something."""
    return not agreeing[0].value and any(judgement.certainty >= CERTAIN_FROM for judgement in everybody)


def _most_frequent_value(agreeing: Sequence[CountedJudgement]) -> str:
    """The value given most often. Ties go to the value of the most certain judgement, then of the earliest."""
    by_value: dict[str, list[CountedJudgement]] = {}
    for judgement in agreeing:
        by_value.setdefault(judgement.value, []).append(judgement)
    return min(by_value, key=lambda value: _rank(by_value[value], by_surest=True))


def _rank(group: Sequence[CountedJudgement], *, by_surest: bool = False) -> tuple[int, int, datetime, int]:
    first = min(group, key=lambda judgement: (judgement.judged_at, judgement.pk))
    certainties = [judgement.certainty for judgement in group]
    return -len(group), -(max(certainties) if by_surest else sum(certainties)), first.judged_at, first.pk


def _groups(attribute: Attribute, values: Sequence[str], equivalence: Equivalence) -> list[frozenset[str]]:
    """Maximal sets of values that are pairwise the same: maximal cliques, by the Bron-Kerbosch algorithm."""
    same = {
        value: {other for other in values if other != value and equivalence.are_same(attribute, value, other)}
        for value in values
    }
    cliques: list[frozenset[str]] = []

    def grow(group: frozenset[str], candidates: set[str], excluded: set[str]) -> None:
        if not candidates and not excluded:
            cliques.append(group)
        pivot = max(candidates | excluded, key=lambda value: len(same[value] & candidates), default="")
        for value in sorted(candidates - same.get(pivot, set())):
            grow(group | {value}, candidates & same[value], excluded & same[value])
            candidates, excluded = candidates - {value}, excluded | {value}

    grow(frozenset(), set(values), set())
    return cliques


def _disagreement(
    attribute: Attribute, judgements: Sequence[CountedJudgement], equivalence: Equivalence
) -> Disagreement:
    """Rate the disagreement. Its kind is the most serious among all pairs. Its severity is the mean over all pairs of

    weight of the kind × 20 × mean certainty of the answers in the pair,

    or 0 for a pair that agrees. The maximum is 300.
    """
    kinds, total, pairs = set(), 0, 0
    for first, second in combinations(judgements, 2):
        pairs += 1
        kind = KINDS.get(equivalence.agreement(attribute, first.value, second.value))
        if kind:
            kinds.add(kind)
            answers = bool(first.value) + bool(second.value)
            total += WEIGHTS[kind] * 20 * (first.certainty + second.certainty) // answers
    return Disagreement(max(kinds, key=WEIGHTS.__getitem__), total // pairs)
