"""Rows of the dataset: one profile with its comments and gold records, and the split that it belongs to."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pyarrow as pa

SPLITS = ("validation", "test")
VALIDATION_SHARE = 0.1
SPLIT_SEED = "telltale-1"

_EVIDENCE = pa.struct([("comment", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("text", pa.string())])
_COMMENT = pa.struct([
    ("id", pa.string()), ("subreddit", pa.string()), ("written_at", pa.timestamp("us", tz="UTC")),
    ("text", pa.string()),
])  # fmt: skip
_LABEL_FIELDS = [
    ("attribute", pa.string()), ("status", pa.string()), ("value", pa.string()), ("hardness", pa.int8()),
    ("certainty", pa.int8()), ("required_subreddit", pa.bool_()), ("reached", pa.string()), ("guideline", pa.int32()),
    ("evidence", pa.list_(_EVIDENCE)),
]  # fmt: skip
PROMPTED_BY = "prompted_by"


def schema_of(*, with_prompted: bool = False) -> pa.Schema:
    """Labels name who prompted them only where such labels are included."""
    more = [(PROMPTED_BY, pa.string())] if with_prompted else []
    label = pa.struct([*_LABEL_FIELDS, *more])
    return pa.schema([("profile", pa.string()), ("comments", pa.list_(_COMMENT)), ("labels", pa.list_(label))])


SCHEMA = schema_of()


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
