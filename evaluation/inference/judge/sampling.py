"""The pairs that people check: a sample that depends on nothing but the seed and the pairs themselves."""

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

SIZE = 50
SEED = 12345


def draw_sample(strata: Mapping[int, Hashable], size: int = SIZE, seed: int = SEED) -> list[int]:
    """Choose pairs by their number, given the stratum of each: attribute and verdict.

    Every stratum has its share of the sample, and at least one pair as long as there is room. Within a stratum, and in
    the result, pairs stand in an order that says nothing about verdicts.
    """
    by_stratum = defaultdict[Hashable, list[int]](list)
    for number in sorted(strata, key=lambda number: _rank(number, seed)):
        by_stratum[strata[number]].append(number)
    members = sorted(by_stratum.values(), key=lambda numbers: (-len(numbers), _rank(numbers[0], seed)))
    counts = _allocate([len(numbers) for numbers in members], size)
    chosen = (number for numbers, count in zip(members, counts, strict=True) for number in numbers[:count])
    return sorted(chosen, key=lambda number: _rank(number, seed))


def _allocate(sizes: Sequence[int], size: int) -> list[int]:
    """One for each, then one by one to the stratum that is furthest below its share. `sizes` are descending."""
    counts = [int(at < size) for at in range(len(sizes))]
    for _ in range(min(size, sum(sizes)) - sum(counts)):
        at = max(_open(sizes, counts), key=lambda at: sizes[at] / (counts[at] + 1))
        counts[at] += 1
    return counts


def _open(sizes: Sequence[int], counts: Sequence[int]) -> Iterable[int]:
    return (at for at, size in enumerate(sizes) if counts[at] < size)


def _rank(number: int, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()
