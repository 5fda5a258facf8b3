"""JSON in one form only: the same contents are the same bytes."""

import json
from typing import Any

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def line(contents: dict[str, Any]) -> str:
    """Keys stand in the order in which they were put, which each format fixes."""
    return _ENCODER.encode(contents) + "\n"
