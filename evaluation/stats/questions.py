"""What is asked of a panel: one code for each seat, and which codes mean the same."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.stats.panel import NOBODY, Bools, Floats, Ints, Panel


@dataclass(frozen=True, slots=True)
class Question:
    """Codes from 0 to `size` - 1 as the seats are laid out, NOBODY where nothing counts.

    Ordinal measures take the order of the codes. `values` is the number behind each code, for interval measures.
    `alike` says which codes agree where that is more than being equal; it is symmetric.
    """

    codes: Ints
    size: int
    values: Floats | None = None
    alike: Bools | None = None


@dataclass(frozen=True, slots=True)
class Meetings:
    """Every pair of judgements of one profile in which both count, flat: the row, the two people, the two codes.

    `share` is 1 / (m - 1) for a profile with m judgements: with it each judgement weighs one, however many it meets.
    """

    rows: Ints
    one: Ints
    other: Ints
    codes: Ints
    other_codes: Ints
    share: Floats


def meetings(panel: Panel, question: Question) -> Meetings:
    """The person with the lower number comes first in each pair."""
    said = question.codes != NOBODY
    share = 1 / np.maximum(said.sum(axis=1) - 1, 1)
    met = [
        (rows, panel.seats[rows, a], panel.seats[rows, b], question.codes[rows, a], question.codes[rows, b])
        for a, b in combinations(range(panel.seats.shape[1]), 2)
        for rows in [np.flatnonzero(said[:, a] & said[:, b])]
    ]
    flat = [np.concatenate([*column]) for column in zip(*met, strict=True)] or [np.empty(0, np.int64)] * 5
    return Meetings(flat[0], flat[1], flat[2], flat[3], flat[4], share[flat[0]])


def agreeing(question: Question, met: Meetings) -> Bools:
    if question.alike is None:
        same: Bools = met.codes == met.other_codes
        return same
    return question.alike[met.codes, met.other_codes]


def counted(question: Question) -> tuple[Ints, Ints]:
    """Row and seat of the judgements that can be compared: those with another one beside them."""
    said = question.codes != NOBODY
    rows, seats = np.nonzero(said & (said.sum(axis=1) > 1)[:, None])
    return rows, seats
