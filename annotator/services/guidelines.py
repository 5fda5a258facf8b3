"""The labelling guidelines as they ship."""

from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "guidelines.md"


def first_guidelines() -> str:
    return SHIPPED.read_text(encoding="utf-8")
