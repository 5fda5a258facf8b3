"""McNemar's exact test, and Holm's correction for several tests."""

from collections.abc import Sequence


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Two-sided p-value of McNemar's test from the items on which the two differ: a fair coin for each of them."""
    flips, fewer = first_only + second_only, min(first_only, second_only)
    term, total, ways = 1, 0, 1 << flips  # exact: these are whole numbers of any size
    for successes in range(fewer + 1):
        total += term
        term = term * (flips - successes) // (successes + 1)
    return min(1.0, 2 * total / ways)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for their number (Holm 1979), in the same order. None, where there is no test, doesn't count.

    The smallest is multiplied by the number of tests, the next by one less, and none gets smaller than one before it.
    """
    ordered = sorted((value, at) for at, value in enumerate(p_values) if value is not None)
    corrected: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (value, at) in enumerate(ordered):
        least = max(least, min(1.0, value * (len(ordered) - rank)))
        corrected[at] = least
    return corrected


def kappa_of_counts(tp: float, tn: float, fp: float, fn: float) -> float | None:
    """Cohen's kappa between yes/no answers and yes/no labels."""
    total = tp + tn + fp + fn
    if not total:
        return None
    observed = (tp + tn) / total
    expected = ((tp + fp) * (tp + fn) + (tn + fn) * (tn + fp)) / total**2
    return (observed - expected) / (1 - expected) if expected < 1 else None
