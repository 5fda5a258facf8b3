"""Accounts that are known to be programs."""

from functools import lru_cache
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "data" / "bots.txt"


@lru_cache(maxsize=1)
def known_bots() -> frozenset[str]:
    """In lower case. Lines that begin with # are remarks."""
    lines = (line.strip() for line in LIST.read_text(encoding="utf-8").splitlines())
    return frozenset(line.lower() for line in lines if line and not line.startswith("#"))
