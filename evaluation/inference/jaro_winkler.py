"""Jaro-Winkler similarity, to the last bit as python-Levenshtein and rapidfuzz compute it."""

from itertools import takewhile

PREFIX = 4  # characters that can earn a bonus
BONUS = 0.1  # of what is missing, for each of them
BONUS_ABOVE = 0.7


def jaro_winkler(first: str, second: str) -> float:
    """From 0 (no shared character) to 1 (equal). Strings that begin alike are closer."""
    similarity = jaro(first, second)
    if similarity <= BONUS_ABOVE:
        return similarity
    start = zip(first[:PREFIX], second[:PREFIX], strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], start))
    return similarity + shared * BONUS * (1 - similarity)


def jaro(first: str, second: str) -> float:
    """The mean of three shares: of either string's characters that match, and of matches that are in order."""
    if not first or not second:
        return float(first == second)
    left, right = _matches(first, second)
    if not left:
        return 0.0
    count = len(left)
    moved = sum(a != b for a, b in zip(left, right, strict=True)) // 2
    return (count / len(first) + count / len(second) + (count - moved) / count) / 3


def _matches(first: str, second: str) -> tuple[list[str], list[str]]:
    """Equal characters that are near each other, in the order of either string. Each is used once."""
    reach = max(max(len(first), len(second)) // 2 - 1, 0)
    used: set[int] = set()
    left = []
    for at, character in enumerate(first):
        near = range(max(0, at - reach), min(len(second), at + reach + 1))
        partner = next((place for place in near if place not in used and second[place] == character), None)
        if partner is not None:
            used.add(partner)
            left.append(character)
    return left, [second[place] for place in sorted(used)]
