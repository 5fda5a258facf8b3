"""Each two annotators by themselves: how often they met, how often they agree, and Cohen's kappa."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from evaluation.stats.intervals import ALL_THE_SAME, too_few
from evaluation.stats.panel import Bools, Floats, Ints, Panel, numbered
from evaluation.stats.questions import Meetings
from evaluation.stats.signature import LEAST_PROFILES


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people by id. `kappa` has their own shares of the codes, over what both judged, within each attribute."""

    one: int
    other: int
    profiles: int
    pairs: int
    percent: float | None
    kappa: float | None
    reason: str

    def as_json(self, one: str, other: str) -> dict[str, object]:
        """With what is to stand for the two people."""
        return asdict(self) | {"one": one, "other": other}


@dataclass(frozen=True, slots=True)
class Compared:
    """One attribute: the pairs by their codes, and which of them agree, which may be more than having one code."""

    met: Meetings
    agree: Bools


def pair_figures(panel: Panel, attributes: Sequence[Compared]) -> list[Pair]:
    """Of all attributes together; those who met most come first."""
    people = len(panel.people)
    who = [compared.met.one * people + compared.met.other for compared in attributes]
    sums = sum((_sums(*each, people**2) for each in zip(attributes, who, strict=True)), np.zeros((4, people**2)))
    pairs = np.flatnonzero(sums[0])
    met = np.zeros((len(pairs), panel.size), bool)
    for compared, each in zip(attributes, who, strict=True):
        met[np.searchsorted(pairs, each), compared.met.rows] = True
    profiles = dict(zip(pairs.tolist(), met.sum(axis=1).tolist(), strict=True))
    order = sorted(profiles, key=lambda pair: (-profiles[pair], pair))
    return [_pair(panel, pair, profiles[pair], sums[:, pair]) for pair in order]


def _sums(compared: Compared, who: Ints, size: int) -> Floats:
    """Pairs of judgements, those that agree, those with the same code, and those expected to have it by chance."""
    one, other = compared.met.codes, compared.met.other_codes
    agree, equal = (np.bincount(who, each, size) for each in (compared.agree, one == other))
    return np.stack([np.bincount(who, minlength=size), agree, equal, _expected(who, one, other, size)])


def _expected(who: Ints, one: Ints, other: Ints, size: int) -> Floats:
    """By each two people: the sum over codes of what one and the other said, over how often they met."""
    span = 1 + max(one.max(initial=0), other.max(initial=0))
    keys, places = numbered(np.concatenate([who * span + one, who * span + other]))
    half = len(who)
    said, other_said = np.bincount(places[:half], minlength=len(keys)), np.bincount(places[half:], minlength=len(keys))
    met = np.bincount(who, minlength=size)
    return np.bincount(keys // span, said * other_said, size) / np.maximum(met, 1)


def _pair(panel: Panel, number: int, profiles: int, sums: Floats) -> Pair:
    one, other = divmod(number, len(panel.people))
    pairs, agree, equal, expected = sums.tolist()
    ids = int(panel.people[one]), int(panel.people[other])
    if profiles < LEAST_PROFILES:
        return Pair(*ids, profiles, int(pairs), None, None, too_few(profiles))
    varies = pairs - expected > 1e-9
    kappa = (equal - expected) / (pairs - expected) if varies else None
    return Pair(*ids, profiles, int(pairs), agree / pairs, kappa, "" if varies else ALL_THE_SAME)
