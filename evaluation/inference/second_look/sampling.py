"""Which claims people review: a seeded sample of a system's, with controls that look the same mixed in. Plain Python.

Candidates come by number, with the attribute that they are about.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from evaluation.inference.judge.sampling import draw_sample

SIZE = 50
SEED = 12345
CLAIMS_PER_CONTROL = 4
LEAST_CONTROLS = 5


def draw_claims(attributes: Mapping[int, str], size: int = SIZE, seed: int = SEED) -> list[int]:
    """Every attribute has its share of the sample, and at least one claim as long as there is room."""
    return draw_sample(attributes, size, seed)


def count_controls(claims: int) -> int:
    """One for every four claims, and at least five."""
    return max(LEAST_CONTROLS, claims // CLAIMS_PER_CONTROL)


def draw_controls(attributes: Mapping[int, str], claimed: Iterable[str], size: int, seed: int = SEED) -> list[int]:
    """Controls about the same attributes as the claims, in the same shares as far as there are enough.

    Otherwise a reviewer could tell them apart by what they are about.
    """
    waiting = defaultdict[str, list[int]](list)
    for number in sorted(attributes, key=lambda number: _rank(number, seed), reverse=True):
        waiting[attributes[number]].append(number)
    shares, taken = Counter(claimed), Counter[str]()
    chosen = list[int]()
    while len(chosen) < size and (open_ones := sorted(name for name, numbers in waiting.items() if numbers)):
        name = max(open_ones, key=lambda name: shares[name] / (taken[name] + 1))
        chosen.append(waiting[name].pop())
        taken[name] += 1
    return chosen


def mix(claims: Sequence[int], controls: Sequence[int], seed: int = SEED) -> list[tuple[int, bool]]:
    """All of them in one order that says nothing about which is which: `(number, is_control)`."""
    every = [*((number, False) for number in claims), *((number, True) for number in controls)]
    return sorted(every, key=lambda item: _rank(item[0], seed, "control" if item[1] else "claim"))


def _rank(number: int, seed: int, kind: str = "") -> str:
    return hashlib.sha256(f"second look:{seed}:{kind}:{number}".encode()).hexdigest()
