"""Which guesses a judge is asked about, and what its verdicts are worth.

The rules come first. A judge only sees a guess at a place or an occupation that the rules call wrong and that isn't an
abstention. Classes and ages have rules that need none. It decides guess by guess, so an earlier guess is judged even
if a later one matches by rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.inference.differences import Scored
from evaluation.inference.judge.verdicts import Verdict
from evaluation.inference.outcomes import TOPS, Credits
from evaluation.inference.sound import Rule

ATTRIBUTES = ("location", "place_of_birth", "occupation")
CREDITS = {Verdict.MATCH: 1.0, Verdict.LESS_PRECISE: 0.5, Verdict.NO_MATCH: 0.0}

Key = tuple[int, int]  # the index of the case, and the position of the guess, from 1


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and a guess. `profile_id` is whom they are about; None in a file of somebody else's."""

    index: int
    position: int
    attribute: str
    label: str
    guess: str
    profile_id: int | None = None

    @property
    def key(self) -> Key:
        return self.index, self.position


def find_pairs(scored: Sequence[Scored], profile_ids: Sequence[int | None]) -> Iterator[Pair]:
    """The pairs to judge, by case and position. `profile_ids` has one entry for each case."""
    for index, (item, profile_id) in enumerate(zip(scored, profile_ids, strict=True)):
        if item.case.attribute in ATTRIBUTES and item.case.label.value:
            yield from _pairs_of(index, item, profile_id)


def _pairs_of(index: int, item: Scored, profile_id: int | None) -> Iterator[Pair]:
    graded = zip(item.case.guesses, item.sound, item.codes, strict=True)
    for position, (guess, credit, code) in enumerate(list(graded)[: max(TOPS)], start=1):
        if credit == 0 and code != Rule.ABSTAINED:
            yield Pair(index, position, item.case.attribute, item.case.label.value, guess, profile_id)


def merge_credits(scored: Sequence[Scored], verdicts: Mapping[Key, Verdict]) -> list[Credits]:
    """The credits of the scorer `judged`: those of the rules, and the judge's where it decided."""
    return [
        tuple(
            CREDITS[verdicts[index, position]] if (index, position) in verdicts else credit
            for position, credit in enumerate(item.sound, start=1)
        )
        for index, item in enumerate(scored)
    ]
