"""Telltale's own `spans` export: one comment a line. Evidence is gold, Presidio's detections are predictions.

The id of a document is `profile/comment`. Its spans have a `source`.
"""

from collections.abc import Iterator

from evaluation.spans.readers.plain import item_span
from evaluation.spans.readers.raw import RawDocument, Record, RecordRefused, Side, read_list

SOURCES = {Side.GOLD: "evidence", Side.PREDICTIONS: "presidio"}


def recognises(record: Record) -> bool:
    return {"profile", "comment", "spans"} <= set(record)


def read(record: Record, _number: int, side: Side) -> Iterator[RawDocument]:
    if not recognises(record):
        raise RecordRefused("It lacks “profile”, “comment” or “spans”.")
    spans = [item_span(item) for item in read_list(record, "spans") if _source(item) in (None, SOURCES[side])]
    yield RawDocument(_id(record), spans, record.get("text"))


def read_details(record: Record) -> dict[str, str]:
    """The recipe of its detections."""
    spans = record.get("spans")
    items = [item for item in spans if isinstance(item, dict)] if isinstance(spans, list) else []
    recipes = [str(item["recipe"]) for item in items if item.get("recipe")]
    return {"recipe": recipes[0]} if recipes else {}


def _source(item: object) -> object:
    """None if it isn't an object, so that it is reported on both sides."""
    return item.get("source", "") if isinstance(item, dict) else None


def _id(record: Record) -> str:
    profile, comment = record["profile"], record["comment"]
    if not isinstance(profile, str) or not isinstance(comment, str | int):
        raise RecordRefused("“profile” and “comment” are not names.")
    return f"{profile}/{comment}"
