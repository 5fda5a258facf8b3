"""The formats, and how a file's own content tells which one it is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from evaluation.spans.readers import doccano, jsonl, label_studio, plain, presidio, study, tab, telltale
from evaluation.spans.readers.json_text import JsonText
from evaluation.spans.readers.raw import RawDocument, Record, RecordRefused, Side

SAMPLE = 100  # records that are looked at


def _no_details(_record: Record) -> dict[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class JsonFormat:
    """A format made of JSON objects. `read` yields the documents of one of them, and raises RecordRefused.

    `holds_predictions` tells, for formats that may hold both sides, whether an object has predictions. If none in a
    file has, its annotations are read on either side, so that one annotator can be scored against another.
    """

    key: str
    title: str
    recognises: Callable[[Record], bool]
    read: Callable[[Record, int, Side], Iterator[RawDocument]]
    holds_predictions: Callable[[Record], bool] | None = None
    read_details: Callable[[Record], dict[str, str]] = _no_details


JSON_FORMATS = (  # the first that recognises a record is taken, so the particular ones come before the general ones
    JsonFormat(
        "telltale", "Telltale's export of spans", telltale.recognises, telltale.read, read_details=telltale.read_details
    ),
    JsonFormat("tab", "Text Anonymization Benchmark", tab.recognises, tab.read),
    JsonFormat(
        "label-studio", "Label Studio (JSON)", label_studio.recognises_tasks, label_studio.read_task,
        label_studio.holds_predictions,
    ),
    JsonFormat(
        "echr-output", "output_presidio_eval.json of the ECHR study", study.holds_detections, study.read_output,
        study.holds_detections,
    ),
    JsonFormat(
        "echr-annotations", "annotations.json of the ECHR study", study.recognises_annotations, study.read_annotations
    ),
    JsonFormat("jsonl", "Telltale's JSON lines", jsonl.recognises, jsonl.read),
    JsonFormat(
        "label-studio-min", "Label Studio (JSON_MIN)", label_studio.recognises_minimal, label_studio.read_minimal
    ),
    JsonFormat("doccano", "doccano (JSON lines)", doccano.recognises, doccano.read),
    JsonFormat("presidio", "results of Presidio's analyser", presidio.recognises, presidio.read),
    JsonFormat("plain", "{document: [[start, end, label], …]}", plain.recognises, plain.read),
)  # fmt: skip


def as_record(value: object, number: int) -> Record:
    """An object as it is; a list as the spans of a document that has its number for an id. Raises RecordRefused."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(number): value}
    raise RecordRefused("It is not a JSON object.")


def recognise(parsed: JsonText) -> JsonFormat | None:
    values = islice((item for item in parsed.values if isinstance(item[1], dict | list)), SAMPLE)
    sample = [as_record(value, number) for number, value in values]
    return next((form for form in JSON_FORMATS if any(form.recognises(record) for record in sample)), None)
