"""How many labels a study wants of each attribute and hardness, as plain numbers. No database."""

from collections.abc import Mapping
from hashlib import sha256

from profiles.attributes import Attribute

HARDNESS = range(1, 6)
MOST = 100_000

Cell = tuple[str, int]  # attribute and hardness
CELLS: tuple[Cell, ...] = tuple((attribute.value, hardness) for attribute in Attribute for hardness in HARDNESS)


def state_of(wanted: Mapping[Cell, int]) -> str:
    """What a form was filled in upon: another state, another name."""
    written = ",".join(str(wanted.get(cell, 0)) for cell in CELLS)
    return sha256(written.encode()).hexdigest()[:16]
