"""Random samples that a seed alone decides. No database."""

import random
from collections.abc import Sequence
from math import log


def sample(ids: Sequence[int], size: int, seed: int) -> list[int]:
    """So many of them, each as likely as any other, in a random order."""
    return random.Random(seed).sample(ids, size)  # noqa: S311 repeatable on purpose


def weighted_sample(ids: Sequence[int], weights: Sequence[float], size: int, seed: int) -> list[int]:
    """So many of them, drawn one after another without putting back, each by its weight among those that are left.

    Efraimidis and Spirakis (2006): a key u^(1/w) for each, with u between 0 and 1, and the largest keys win. Its
    logarithm, log(u)/w, sorts alike and does not run into 0.
    """
    chance = random.Random(seed)  # noqa: S311 repeatable on purpose
    keys = [log(1.0 - chance.random()) / weight for weight in weights]  # 1 - u: never the logarithm of 0
    order = sorted(range(len(ids)), key=lambda place: (-keys[place], place))
    return [ids[place] for place in order[:size]]
