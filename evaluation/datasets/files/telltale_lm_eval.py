"""What `telltale_gold.yaml` calls. This file travels with the dataset."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from telltale_gold import is_right, questions


def flatten(dataset: Any) -> Any:
    rows = [row for record in dataset for row in questions(record)]
    return type(dataset).from_list(rows)


def score(document: dict[str, Any], results: list[str]) -> dict[str, float]:
    return {"accuracy": float(is_right(document["attribute"], results[0], document["value"]))}
