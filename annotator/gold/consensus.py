"""How judgements about one attribute become one answer, or a dispute. Pure.

docs/reference/consensus.md says it in words. Whoever changes what comes out gives the rule a new name: every gold
record carries the name of its rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from math import ceil, floor
from statistics import median

from annotator.core.evidence import EvidenceSpan, distinct_evidence
from annotator.gold.equivalence import Meanings
from profiles.answers import Agreement
from profiles.attributes import Attribute

RULE = "consensus/1"
MOST = Fraction(2, 3)
AT_LEAST = 3  # people, before a majority counts
QUITE_CERTAIN = 3  # from here on nobody is outvoted by people who found nothing
SINGLE, CONSENSUS, MAJORITY = "single", "consensus", "majority"
VALUE, PRESENCE, PRECISION = "value", "presence", "precision"
WEIGHTS = {VALUE: 3, PRESENCE: 2, PRECISION: 1}
KINDS = {
    Agreement.DIFFERENT: VALUE, Agreement.MISSED: PRESENCE, Agreement.EXTRA: PRESENCE,
    Agreement.LESS_PRECISE: PRECISION, Agreement.MORE_PRECISE: PRECISION,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person concluded about the attribute."""

    judgement: int
    annotator: int
    batch: int
    value: str
    hardness: int
    certainty: int
    required_subreddit: bool
    judged_at: datetime
    evidence: tuple[EvidenceSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer, how it was reached, and whose judgements it stands on."""

    value: str
    hardness: int
    certainty: int
    required_subreddit: bool
    reached: str
    supporters: tuple[Opinion, ...]


@dataclass(frozen=True, slots=True)
class Disagreed:
    kind: str
    severity: int


def conclude(attribute: Attribute, opinions: Sequence[Opinion], meanings: Meanings) -> Agreed | Disagreed:
    """What follows from these judgements. In whatever order they come, the same does."""
    everybody = sorted(opinions, key=lambda one: (one.judged_at, one.judgement))
    agreeing = largest_group(attribute, everybody, meanings)
    if len(agreeing) == len(everybody):
        return agreed(agreeing, SINGLE if len(everybody) == 1 else CONSENSUS)
    if len(everybody) >= AT_LEAST and len(agreeing) >= MOST * len(everybody) and not _overlooks(agreeing, everybody):
        return agreed(agreeing, MAJORITY)
    return _disagreed(attribute, everybody, meanings)


def largest_group(attribute: Attribute, opinions: Sequence[Opinion], meanings: Meanings) -> list[Opinion]:
    """The most people of whom every two mean the same; of equally many the surer, the earlier, by the alphabet.

    Every two: 25 means 27 and 27 means 29, but 25 and 29 do not agree, and no chain makes them.
    """
    by_value: dict[str, list[Opinion]] = {}
    for one in opinions:
        by_value.setdefault(one.value, []).append(one)
    if len(by_value) == 1:
        return list(opinions)
    groups = _groups(attribute, sorted(by_value), meanings)
    peopled = [[one for one in opinions if one.value in group] for group in groups]
    return min(peopled, key=lambda group: (_last_resort(group), sorted(one.value for one in group)))


def agreed(agreeing: Sequence[Opinion], reached: str) -> Agreed:
    """What the agreeing say together."""
    if not agreeing[0].value:
        return Agreed("", 0, 0, False, reached, tuple(agreeing))
    required = sum(one.required_subreddit for one in agreeing)
    return Agreed(
        _most_written(agreeing), *ratings(agreeing), required * 2 > len(agreeing), reached, tuple(agreeing)
    )  # fmt: skip


def ratings(opinions: Sequence[Opinion]) -> tuple[int, int]:
    """Hardness and certainty: the medians, in doubt the harder and the less certain."""
    answers = [one for one in opinions if one.value]
    if not answers:
        return 0, 0
    return ceil(median(one.hardness for one in answers)), floor(median(one.certainty for one in answers))


def evidence_of(opinions: Iterable[Opinion]) -> list[EvidenceSpan]:
    """All the words they concluded it from, each once, in the order of the comments."""
    return distinct_evidence(span for opinion in opinions for span in opinion.evidence)


def _overlooks(agreeing: Sequence[Opinion], everybody: Sequence[Opinion]) -> bool:
    """Most could not tell, and somebody is quite certain: they may have read what the others passed over."""
    return not agreeing[0].value and any(one.certainty >= QUITE_CERTAIN for one in everybody)


def _most_written(agreeing: Sequence[Opinion]) -> str:
    """Ties go to the surest writer's value, then to the earliest."""
    written: dict[str, list[Opinion]] = {}
    for one in agreeing:
        written.setdefault(one.value, []).append(one)
    return min(written, key=lambda value: _last_resort(written[value], surest=True))


def _last_resort(group: Sequence[Opinion], *, surest: bool = False) -> tuple[int, int, datetime, int]:
    first = min(group, key=lambda one: (one.judged_at, one.judgement))
    certainties = [one.certainty for one in group]
    return -len(group), -(max(certainties) if surest else sum(certainties)), first.judged_at, first.judgement


def _groups(attribute: Attribute, values: Sequence[str], meanings: Meanings) -> list[frozenset[str]]:
    """All sets of values of which every two mean the same and that cannot grow (Bron and Kerbosch)."""
    same = {
        value: {other for other in values if other != value and meanings.are_same(attribute, value, other)}
        for value in values
    }
    found: list[frozenset[str]] = []

    def grow(group: frozenset[str], may_join: set[str], left_out: set[str]) -> None:
        if not may_join and not left_out:
            found.append(group)
        pivot = max(may_join | left_out, key=lambda value: len(same[value] & may_join), default="")
        for value in sorted(may_join - same.get(pivot, set())):
            grow(group | {value}, may_join & same[value], left_out & same[value])
            may_join, left_out = may_join - {value}, left_out | {value}

    grow(frozenset(), set(values), set())
    return found


def _disagreed(attribute: Attribute, opinions: Sequence[Opinion], meanings: Meanings) -> Disagreed:
    """The kind is the gravest of any two people's. The severity is the mean over all pairs of people of

    weight of the kind × 20 × mean certainty of those of the two who gave an answer,

    with 0 for a pair that agrees; at most 300.
    """
    kinds, total, pairs = set(), 0, 0
    for one, other in combinations(opinions, 2):
        pairs += 1
        kind = KINDS.get(meanings.agreement(attribute, one.value, other.value))
        if kind:
            kinds.add(kind)
            answers = bool(one.value) + bool(other.value)
            total += WEIGHTS[kind] * 20 * (one.certainty + other.certainty) // answers
    return Disagreed(max(kinds, key=WEIGHTS.__getitem__), total // pairs)
