"""From a path to checked documents: open, recognise, read, check, collect."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from evaluation.spans.readers import conll, docbin, spreadsheet
from evaluation.spans.readers.checks import check_document
from evaluation.spans.readers.contents import NOT_UTF_8, checked, decode, read_contents
from evaluation.spans.readers.formats import JSON_FORMATS, JsonFormat, as_record, recognise
from evaluation.spans.readers.json_text import WRONG_ENCODING, JsonText, parse_json
from evaluation.spans.readers.raw import RawDocument, Record, RecordRefused, Side, UnreadableSpans
from evaluation.spans.readers.values import to_id
from evaluation.spans.records import Document, Problem, ProblemKind, SpanFile

FORMAT_TITLES = {form.key: form.title for form in JSON_FORMATS} | {
    "spreadsheet": "spreadsheet (.xlsx)",
    "docbin": "spaCy's DocBin",
    "conll": "CoNLL (IOB or BIOES tags)",
}
Item = tuple[str, RawDocument | str]  # where it stands in the file; and the document, or why it is none


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose format is known, and what can be read in it."""

    format: str
    items: Iterator[Item]
    details: Mapping[str, str] = field(default_factory=dict)


def read_spans(
    path: Path | str,
    *,
    format: str | None = None,  # noqa: A002  # the word that everybody who calls it uses
    texts: Mapping[str, str] | None = None,
    side: Side | str = Side.GOLD,
) -> SpanFile:
    """Read a file of gold or predicted spans. Its content tells the format, unless `format` names one.

    `texts` are the documents' texts by id, to check files against that have none. Raises UnreadableSpans if nothing
    can be read; what can't be read in part is in the file's `problems`.
    """
    path, side = Path(path), Side(side)
    _check_format(format)
    contents = read_contents(path)
    opened = _open(contents.data, format, texts or {}, side)
    collection = Collection(texts or {}, side)
    for place, item in opened.items:
        collection.add(place, item)
    collection.check_any()
    problems = tuple(collection.problems)
    return SpanFile(collection.documents, opened.format, contents.sha256, path.name, problems, opened.details)


def _check_format(key: str | None) -> None:
    if key is not None and key not in FORMAT_TITLES:
        raise UnreadableSpans(f"There is no format “{key}”. Choose one of: {', '.join(FORMAT_TITLES)}.")


def _open(data: bytes, key: str | None, texts: Mapping[str, str], side: Side) -> Opened:
    """Recognise what is no text first; then JSON, then CoNLL."""
    if key == "spreadsheet" or (key is None and spreadsheet.recognises(data)):
        return Opened("spreadsheet", spreadsheet.read(data))
    if key == "docbin" or (key is None and docbin.recognises(data)):
        return Opened("docbin", _number(docbin.read(data)))
    text = decode(data)
    parsed = parse_json(text) if key != "conll" else None
    if parsed is not None:
        return _open_json(parsed, key, side)
    if key == "conll" or (key is None and conll.recognises(text)):
        return Opened("conll", _number(conll.read(checked(text), texts)))
    raise UnreadableSpans(_unknown())


def _number(documents: Iterable[RawDocument]) -> Iterator[Item]:
    return ((f"document {number}", document) for number, document in enumerate(documents, 1))


def _open_json(parsed: JsonText, key: str | None, side: Side) -> Opened:
    form = next((form for form in JSON_FORMATS if form.key == key), None) or recognise(parsed)
    wrong = sum(reason == WRONG_ENCODING for _, reason in parsed.defects)
    if wrong and (form is None or wrong > len(parsed.values)):  # not just a broken byte here and there
        raise UnreadableSpans(NOT_UTF_8)
    if form is None:
        raise UnreadableSpans(_unknown())
    records = [value for _, value in parsed.values if isinstance(value, dict)]
    if side == Side.PREDICTIONS and form.holds_predictions and not any(map(form.holds_predictions, records)):
        side = Side.GOLD
    return Opened(form.key, _read_json(parsed, form, side), _details(form, records))


def _details(form: JsonFormat, records: Iterable[Record]) -> dict[str, str]:
    """What the records say about their maker; several answers stand beside each other."""
    answers: dict[str, dict[str, None]] = {}
    for record in records:
        for name, value in form.read_details(record).items():
            answers.setdefault(name, {})[value] = None
    return {name: ", ".join(values) for name, values in answers.items()}


def _read_json(parsed: JsonText, form: JsonFormat, side: Side) -> Iterator[Item]:
    for number, reason in parsed.defects:
        yield f"{parsed.unit} {number}", reason
    for number, value in parsed.values:
        place = f"{parsed.unit} {number}"
        try:
            yield from ((place, raw) for raw in form.read(as_record(value, number), number, side))
        except RecordRefused as refused:
            yield place, str(refused)


def _unknown() -> str:
    titles = "; ".join(FORMAT_TITLES.values())
    return f"The file isn't in any supported format: {titles}. Export it again in one of them."


@dataclass(slots=True)
class Collection:
    """The documents of a file, and what was wrong with it."""

    texts: Mapping[str, str]
    side: Side
    documents: dict[str, Document] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def add(self, place: str, item: RawDocument | str) -> None:
        try:
            self._add(item if isinstance(item, RawDocument) else _refuse(item))
        except RecordRefused as refused:
            self.problems.append(Problem(ProblemKind.UNREADABLE, detail=f"{place.capitalize()}: {refused}"))

    def _add(self, raw: RawDocument) -> None:
        key = to_id(raw.id)
        before = self.documents.get(key)
        if before is not None and not _is_new_part(raw, before):
            detail = "Its id appears in the file more than once; the first one counts."
            self.problems.append(Problem(ProblemKind.DOCUMENT_REPEATED, key, detail))
            return
        given = self.texts.get(key) if before is None else before.text
        document, problems = check_document(raw, given, self.side)
        self.documents[key] = document if before is None else _combine(before, document)
        self.problems += problems

    def check_any(self) -> None:
        """Raises UnreadableSpans if there is no document."""
        if not self.documents:
            reason = f" {self.problems[0].detail}" if self.problems else ""
            raise UnreadableSpans(f"No document in the file can be read.{reason} Export it again and check the format.")


def _refuse(reason: str) -> NoReturn:
    raise RecordRefused(reason)


def _is_new_part(raw: RawDocument, document: Document) -> bool:
    """Whether it brings another annotator. Predictions name none, so their parts are all new."""
    return raw.is_part and not (set(raw.layers) & set(document.layers))


def _combine(first: Document, second: Document) -> Document:
    """The spans of the second part follow those of the first."""
    offset = sum(map(len, first.layers.values()))
    later = {
        name: tuple(replace(span, position=span.position + offset) for span in spans)
        for name, spans in second.layers.items()
    }
    layers = {name: (*first.layers.get(name, ()), *later.get(name, ())) for name in {**first.layers, **later}}
    return Document(first.id, layers, first.text if first.text is not None else second.text)
