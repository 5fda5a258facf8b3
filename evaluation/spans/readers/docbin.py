"""spaCy's DocBin: its named entities, or where it has none, its span groups.

The id of a document is `doc_id` or `id` of its user data, or of an extension attribute; otherwise its number.
"""

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evaluation.spans.readers.contents import MAX_BYTES
from evaluation.spans.readers.raw import RawDocument, RawSpan, UnreadableSpans

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

ZLIB = b"\x78"
REFUSED = "The file looks like a spaCy DocBin, but spaCy can't read it. Write it again with the installed spaCy 3."


def recognises(data: bytes) -> bool:
    """A DocBin is a packed msgpack object, whose first key is `version`."""
    try:
        return data.startswith(ZLIB) and b"version" in zlib.decompressobj().decompress(data, 64)
    except zlib.error:
        return False


def read(data: bytes) -> Iterator[RawDocument]:
    """Raises UnreadableSpans."""
    # spaCy takes seconds to import, and only this format needs it.
    from spacy.tokens import DocBin  # noqa: PLC0415
    from spacy.vocab import Vocab  # noqa: PLC0415

    _check_size(data)
    try:
        documents = list(DocBin(store_user_data=True).from_bytes(data).get_docs(Vocab()))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, zlib.error):
        raise UnreadableSpans(REFUSED) from None
    for number, document in enumerate(documents, 1):
        yield RawDocument(_id(document, number), [_span(span) for span in _marked(document)], document.text)


def _check_size(data: bytes) -> None:
    unpacker = zlib.decompressobj()
    try:
        unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        raise UnreadableSpans(REFUSED) from None
    if unpacker.unconsumed_tail:
        raise UnreadableSpans(
            f"Decompressed, the file is larger than {MAX_BYTES >> 30} GB. Split it into smaller files."
        )
    if not unpacker.eof:
        raise UnreadableSpans("The file ends in the middle of a spaCy DocBin. Copy or write it again.")


def _id(document: "Doc", number: int) -> object:
    data: Any = document.user_data
    keys = ("doc_id", "id", ("._.", "doc_id", None, None), ("._.", "id", None, None))
    return next((data[key] for key in keys if data.get(key) is not None), number)


def _marked(document: "Doc") -> list["Span"]:
    return list(document.ents) or [span for group in document.spans.values() for span in group]


def _span(span: "Span") -> RawSpan:
    return RawSpan(span.start_char, span.end_char, span.label_)
