"""The largest possible number of one-to-one pairs, for components too large for the optimal sum of IoU."""

from collections.abc import Iterator, Sequence

Edges = Sequence[Sequence[tuple[int, int]]]  # of each row: columns and weights
Iterators = Sequence[Iterator[tuple[int, int]]]  # over the edges of each row that are left to try
Partners = list[int | None]


def largest_assignment(rows: Edges) -> Partners:
    """Take the heaviest edges first, then add pairs along alternating paths (Hopcroft and Karp)."""
    partners, owners = _greedy(rows)
    while layers := _layers(rows, partners, owners):
        iterators = [iter(edges) for edges in rows]
        for row in range(len(rows)):
            if partners[row] is None:
                _augment(row, layers, iterators, partners, owners)
    return partners


def _greedy(rows: Edges) -> tuple[Partners, dict[int, int]]:
    edges = sorted((-weight, row, column) for row, edges in enumerate(rows) for column, weight in edges)
    partners: Partners = [None] * len(rows)
    owners: dict[int, int] = {}
    for _, row, column in edges:
        if partners[row] is None and column not in owners:
            partners[row], owners[column] = column, row
    return partners, owners


def _layers(rows: Edges, partners: Partners, owners: dict[int, int]) -> dict[int, int]:
    """Distance of each row from a free row along alternating paths. Empty if no path ends at a free column."""
    front = [row for row, partner in enumerate(partners) if partner is None]
    layers = dict.fromkeys(front, 0)
    has_path = False
    while front and not has_path:
        following = []
        for row in front:
            for column, _ in rows[row]:
                owner = owners.get(column)
                if owner is None:
                    has_path = True
                elif owner not in layers:
                    layers[owner] = layers[row] + 1
                    following.append(owner)
        front = following
    return layers if has_path else {}


def _augment(
    start: int,
    layers: dict[int, int],
    iterators: Iterators,
    partners: Partners,
    owners: dict[int, int],
) -> None:
    """Follow the layers from this row to a free column, if they lead there, and move all pairs on the way."""
    path: list[tuple[int, int]] = []
    row = start
    while True:
        for column, _ in iterators[row]:
            owner = owners.get(column)
            if owner is None or layers.get(owner) == layers[row] + 1:
                path.append((row, column))
                break
        else:
            if not path:
                return
            row = path.pop()[0]
            continue
        if owner is None:
            for member, taken in path:
                partners[member], owners[taken] = taken, member
            return
        row = owner
