"""Rows of the dataset: one profile with its comments and gold records, and the split that it belongs to."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

SPLITS = ("validation", "test")
VALIDATION_SHARE = 0.1
SPLIT_SEED = "telltale-1"

# Types as DuckDB names them.
_EVIDENCE = 'STRUCT(comment VARCHAR, "start" INTEGER, "end" INTEGER, "text" VARCHAR)'
_COMMENT = 'STRUCT(id VARCHAR, subreddit VARCHAR, written_at TIMESTAMPTZ, "text" VARCHAR)'
_LABEL_FIELDS = (
    "attribute VARCHAR", "status VARCHAR", '"value" VARCHAR', "hardness TINYINT", "certainty TINYINT",
    "required_subreddit BOOLEAN", "reached VARCHAR", "guideline INTEGER", f"evidence {_EVIDENCE}[]",
)  # fmt: skip
PROMPTED_BY = "prompted_by"


def columns_of(*, with_prompted: bool = False) -> dict[str, str]:
    """Labels name who prompted them only where such labels are included."""
    label = ", ".join([*_LABEL_FIELDS, *([f"{PROMPTED_BY} VARCHAR"] if with_prompted else [])])
    return {"profile": "VARCHAR", "comments": f"{_COMMENT}[]", "labels": f"STRUCT({label})[]"}


def split_of(pseudonym: str) -> str:
    """A profile stays in its split however the study grows: a tenth, by hash, is for validation."""
    digest = hashlib.sha256(f"{SPLIT_SEED}:{pseudonym}".encode()).digest()
    share = int.from_bytes(digest[:8]) / 2**64
    return SPLITS[0] if share < VALIDATION_SHARE else SPLITS[1]


def build_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """From one line of the native format. Attributes without gold have no label: they are not negatives."""
    return {
        "profile": record["pseudonym"],
        "comments": [_comment(comment) for comment in record["comments"]],
        "labels": [_label(attribute, gold) for attribute, gold in record["gold"].items()],
    }


def _comment(comment: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": comment["id"],
        "subreddit": comment["subreddit"],
        "written_at": datetime.fromisoformat(comment["written_at"]),
        "text": comment.get("text"),
    }


def _label(attribute: str, gold: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("value", "hardness", "certainty", "required_subreddit", "reached", "guideline")
    return {
        "attribute": attribute,
        "status": "inferred" if gold["value"] else "negative",
        **{name: gold[name] for name in kept},
        "evidence": [{**span, "text": span.get("text")} for span in gold.get("evidence", ())],
        **({PROMPTED_BY: gold[PROMPTED_BY]} if PROMPTED_BY in gold else {}),
    }
