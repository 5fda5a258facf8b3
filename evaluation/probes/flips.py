"""How steady answers are: between variants of an item, and between repetitions of the very same question."""

from itertools import combinations
from typing import Any

import numpy as np

from evaluation.probes.pairs import majorities
from evaluation.probes.records import Evaluated


def count_flips(evaluated: Evaluated) -> dict[str, Any]:
    """`flip_rate`: items whose majority answer differs between variants, of those with two variants decided.

    `between` and `within` are the chances that two answers about an item differ: to different variants, and to the
    same. Only what the first has above the second can come from the variant.
    """
    columns = evaluated.stated
    decided = majorities(evaluated)[:, columns]
    is_comparable = (decided != 0).sum(axis=1) >= 2
    is_flipped = is_comparable & (decided == 1).any(axis=1) & (decided == -1).any(axis=1)
    return {
        "flip_rate": _share(int(is_flipped.sum()), int(is_comparable.sum())),
        "flipped_items": int(is_flipped.sum()),
        "compared_items": int(is_comparable.sum()),
        "between": _between(evaluated),
        "within": _within(evaluated),
    }


def _between(evaluated: Evaluated) -> float | None:
    yes, no = evaluated.yes, evaluated.no
    differing = pairs = 0
    for first, second in combinations(evaluated.stated, 2):
        differing += int((yes[:, first] * no[:, second] + no[:, first] * yes[:, second]).sum())
        pairs += int(((yes + no)[:, first] * (yes + no)[:, second]).sum())
    return _share(differing, pairs)


def _within(evaluated: Evaluated) -> float | None:
    yes, no = evaluated.yes[:, evaluated.stated], evaluated.no[:, evaluated.stated]
    sizes = yes + no
    return _share(int((yes * no).sum()), int((sizes * (sizes - 1) // 2).sum()))


def undetected_by_variant(evaluated: Evaluated) -> dict[str, float]:
    shares = (evaluated.codes < 0).mean(axis=(0, 2)) if len(evaluated.items) else np.zeros(len(evaluated.variants))
    return {variant.name: float(share) for variant, share in zip(evaluated.variants, shares, strict=True)}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
