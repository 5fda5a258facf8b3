"""Label Studio's exports: JSON with whole tasks, and JSON_MIN with one object per annotation.

The id of a document is `doc_id` or `id` of the task's data, otherwise the task's own number. Annotators are layers;
cancelled annotations are left out. A region with two labels is two spans.
"""

from collections.abc import Iterator
from typing import Any

from evaluation.spans.readers.raw import RawDocument, RawSpan, Record, RecordRefused, Side, read_id, read_list

ID_KEYS = ("doc_id", "document_id", "id")
NOT_AN_OBJECT = "An annotation is not an object."


# ── Whole tasks ─────────────────────────────────────────────────────────────


def recognises_tasks(record: Record) -> bool:
    return isinstance(record.get("data"), dict) and any(
        isinstance(record.get(key), list) for key in ("annotations", "completions", "predictions")
    )


def holds_predictions(record: Record) -> bool:
    return bool(record.get("predictions"))


def read_task(record: Record, _number: int, side: Side) -> Iterator[RawDocument]:
    data = record.get("data")
    if not isinstance(data, dict):
        raise RecordRefused("It has no object “data”.")
    layers = list(_annotations(record, side))
    good = [(name, results) for name, results in layers if results is not None]
    yield RawDocument(
        next((data[key] for key in ID_KEYS if data.get(key) is not None), record.get("id")),
        [span for name, results in good for result in results for span in _result_spans(result, name)],
        _longest_text(data),
        layers=tuple(name for name, _ in good),
        defects=tuple(NOT_AN_OBJECT for _, results in layers if results is None),
    )


def _annotations(record: Record, side: Side) -> Iterator[tuple[str, list[Any] | None]]:
    """The name and the results of each annotation; None for the results if there is nothing to read."""
    key = "predictions" if side == Side.PREDICTIONS else "annotations" if "annotations" in record else "completions"
    for number, annotation in enumerate(read_list(record, key), 1):
        results = annotation.get("result") if isinstance(annotation, dict) else None
        if not isinstance(results, list):
            yield "", None
        elif not annotation.get("was_cancelled"):
            yield _annotator(annotation.get("completed_by")) or f"annotation {number}", results


def _annotator(person: object) -> str:
    if isinstance(person, dict):
        person = person.get("email") or person.get("id")
    return "" if person is None else str(person)


def _result_spans(result: object, layer: str) -> Iterator[RawSpan]:
    """Choices, ratings and relations have no labelled region, and yield nothing."""
    if not isinstance(result, dict):
        yield RawSpan(defect="A result is not an object.", layer=layer)
    elif isinstance(result.get("value"), dict):
        yield from _region_spans(result["value"], layer, result.get("score"))


def _region_spans(value: Record, layer: str, score: object = None) -> Iterator[RawSpan]:
    labels = value.get("labels", value.get("hypertextlabels"))
    offsets = value.get("globalOffsets")  # in HTML, start and end are paths
    place = offsets if isinstance(offsets, dict) else value
    for label in labels if isinstance(labels, list) else ():
        yield RawSpan(place.get("start"), place.get("end"), label, value.get("text"), score, layer=layer)


def _longest_text(data: Record) -> object:
    texts = [value for value in data.values() if isinstance(value, str)]
    return data.get("text", max(texts, key=len, default=None))


# ── JSON_MIN ────────────────────────────────────────────────────────────────


def recognises_minimal(record: Record) -> bool:
    return any(_is_region_list(value) for value in record.values())


def read_minimal(record: Record, _number: int, _side: Side) -> Iterator[RawDocument]:
    """Regions stand under the name that the project gave them, so all lists of regions are read."""
    layer = _annotator(record.get("annotator"))
    regions = [item for value in record.values() if _is_region_list(value) for item in value]
    yield RawDocument(
        read_id(record, *ID_KEYS),
        [span for item in regions for span in _region_spans(item, layer)],
        record.get("text"),
        layers=(layer,),
        is_part=True,
    )


def _is_region_list(value: object) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(item, dict) and isinstance(item.get("labels"), list) for item in value)
