"""Documents to run a detector on: any gold file that has texts, JSON lines with texts, or a folder of text files."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.spans.readers import UnreadableSpans, read_spans
from evaluation.spans.records import ONLY_LAYER, Document, Problem, ProblemKind, SpanFile

FOLDER, LINES = "text-files", "texts"
MISSING = "There is no file or folder {path}. Check its name."
NO_FILES = "The folder {path} has no .txt files."
NOT_UTF_8 = "{name} is not UTF-8. Convert it, and run the command again."
NO_TEXTS = "{path} has no texts, so nothing can be detected in it. Give a file with texts."
NO_TEXT = "The document has no text."
NOT_A_DOCUMENT = 'Line {line} isn\'t an object with "id" and "text".'
REPEATED = "Line {line} repeats a document. The first one is kept."


class DocumentsUnusable(Exception):
    """The documents can't be read. The message says what to do."""


def read_documents(path: Path) -> SpanFile:
    """Read documents, with gold spans if the file has some. Raises DocumentsUnusable."""
    try:
        return _with_texts_only(_read(path), path)
    except (UnreadableSpans, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DocumentsUnusable(f"{path} can't be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise DocumentsUnusable(NOT_UTF_8.format(name=path)) from error


def texts_of(documents: SpanFile) -> dict[str, str]:
    return {document.id: document.text for document in documents.documents.values() if document.text is not None}


def _read(path: Path) -> SpanFile:
    if path.is_dir():
        return _read_folder(path)
    if not path.exists():
        raise DocumentsUnusable(MISSING.format(path=path))
    return _read_lines(path) if _has_plain_lines(path) else read_spans(path)


def _with_texts_only(documents: SpanFile, path: Path) -> SpanFile:
    """Leave out documents without a text, and name them."""
    without = [document.id for document in documents.documents.values() if document.text is None]
    if len(without) == len(documents.documents):
        raise DocumentsUnusable(NO_TEXTS.format(path=path))
    problems = tuple(Problem(ProblemKind.NOT_ANALYSED, document, NO_TEXT) for document in without)
    kept = {key: document for key, document in documents.documents.items() if document.text is not None}
    return _replace(documents, kept, documents.problems + problems)


def _replace(file: SpanFile, documents: dict[str, Document], problems: tuple[Problem, ...]) -> SpanFile:
    return SpanFile(documents, file.format, file.sha256, file.name, problems, file.details)


def _read_folder(folder: Path) -> SpanFile:
    """A document for each .txt file, also in folders below, named by its path without the ending."""
    paths = sorted(path for path in folder.rglob("*.txt") if path.is_file())
    if not paths:
        raise DocumentsUnusable(NO_FILES.format(path=folder))
    documents = [_read_text(path, folder) for path in paths]
    digest = hashlib.sha256(b"".join(_digest(document) for document in documents)).hexdigest()
    return SpanFile({document.id: document for document in documents}, FOLDER, digest, folder.name)


def _read_text(path: Path, folder: Path) -> Document:
    """Line ends stay as they are: offsets count them."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise DocumentsUnusable(NOT_UTF_8.format(name=path)) from error
    return Document(path.relative_to(folder).with_suffix("").as_posix(), {ONLY_LAYER: ()}, text)


def _digest(document: Document) -> bytes:
    return hashlib.sha256(f"{document.id}\0{document.text}".encode()).digest()


def _has_plain_lines(path: Path) -> bool:
    """Whether the first line is a document without spans."""
    with path.open("rb") as file:
        line = next((line for line in file if line.strip()), b"")
    fields = _parse(line)
    return fields is not None and not {"spans", "annotations"} & set(fields)


def _parse(line: bytes) -> dict[str, Any] | None:
    """The fields of a document, or None."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_document = (
        isinstance(fields, dict) and isinstance(fields.get("id"), str | int) and isinstance(fields.get("text"), str)
    )
    return fields if is_document else None


def _read_lines(path: Path) -> SpanFile:
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    content = path.read_bytes()
    for number, fields in _numbered_lines(content):
        if fields is None:
            problems.append(Problem(ProblemKind.UNREADABLE, detail=NOT_A_DOCUMENT.format(line=number)))
        elif str(fields["id"]) in documents:
            problems.append(Problem(ProblemKind.DOCUMENT_REPEATED, detail=REPEATED.format(line=number)))
        else:
            documents[str(fields["id"])] = Document(str(fields["id"]), {ONLY_LAYER: ()}, fields["text"])
    return SpanFile(documents, LINES, hashlib.sha256(content).hexdigest(), path.name, tuple(problems))


def _numbered_lines(content: bytes) -> Iterator[tuple[int, dict[str, Any] | None]]:
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            yield number, _parse(line)
