"""CoNLL files: a token a line with its tag in the last column, in IOB1, IOB2 or BIOES.

Columns are parted by tabs or spaces, sentences by empty lines, documents by `-DOCSTART-` lines. If such a line names an
id (`-DOCSTART- (case-7) O`), that is the document's; otherwise documents are numbered. Without such lines the file is
one document.

Such files have no text. Tokens joined by spaces, and sentences by line breaks, stand for it; offsets count in that. If
the text is given, tokens are found in it one after another.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from evaluation.spans.readers.raw import RawDocument, RawSpan

DOCUMENT_START = "-DOCSTART-"
TAG = re.compile(r"O|(?P<prefix>[BIESLU])(?:-(?P<label>\S.*))?")
COMMENT = re.compile(r"#\s")
FILLERS = {"O", "-X-", "_", "-"}
REACH = 200  # characters that may stand between two tokens of a text
SPELLINGS = {  # as treebanks write what stands in a text
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip


@dataclass(slots=True)
class TaggedDocument:
    """`sentences` are lists of tokens and tags; lines without a tag are in `defects`."""

    id: str
    sentences: list[list[tuple[str, str]]] = field(default_factory=lambda: [[]])
    defects: list[str] = field(default_factory=list)

    @property
    def has_tokens(self) -> bool:
        return any(self.sentences)


def recognises(text: str) -> bool:
    """Whether nearly all of the first lines end in a tag, and there is more than one column."""
    lines = [line for line in text[:100_000].split("\n")[:200] if line.strip() and not COMMENT.match(line)]
    rows = [_columns(line) for line in lines]
    good = [row for row in rows if len(row) > 1 and TAG.fullmatch(row[-1])]
    return bool(good) and len(good) >= 0.9 * len(rows)


def read(text: str, texts: Mapping[str, str]) -> Iterator[RawDocument]:
    documents = list(_documents(text))
    keys = list(texts) if len(texts) == len(documents) else []
    for number, document in enumerate(documents):
        given = texts.get(document.id)
        key = document.id
        if given is None and keys and document.id == str(number + 1):
            key, given = keys[number], texts[keys[number]]
        yield _aligned(document, key, given)


def _columns(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("\r").split("\t")] if "\t" in line else line.split()


def _documents(text: str) -> Iterator[TaggedDocument]:
    document = TaggedDocument("1")
    count = 1
    for number, line in enumerate(text.split("\n"), 1):
        row = _columns(line)
        if row[:1] == [DOCUMENT_START]:
            if document.has_tokens:
                yield document
                count += 1
            document = TaggedDocument(_start_id(row) or str(count))
        else:
            _add_row(document, row, number, is_comment=COMMENT.match(line) is not None)
    if document.has_tokens:
        yield document


def _start_id(row: list[str]) -> str:
    names = [cell.strip("()") for cell in row[1:] if cell not in FILLERS]
    return names[0] if names else ""


def _add_row(document: TaggedDocument, row: list[str], number: int, *, is_comment: bool) -> None:
    if not any(row):
        document.sentences.append([])
    elif len(row) > 1 and TAG.fullmatch(row[-1]):
        document.sentences[-1].append((row[0], row[-1]))
    elif not is_comment:
        document.sentences[-1].append((row[0], "O"))
        document.defects.append(f"Line {number:,} has no tag, so its token counts as O.")


# ── Offsets ─────────────────────────────────────────────────────────────────


Place = tuple[int, int] | None


def _aligned(document: TaggedDocument, key: str, given: str | None) -> RawDocument:
    sentences = [sentence for sentence in document.sentences if sentence]
    text = "\n".join(" ".join(token for token, _ in sentence) for sentence in sentences) if given is None else given
    places = _places((token for sentence in sentences for token, _ in sentence), text)
    spans = [span for sentence in sentences for span in _spans([tag for _, tag in sentence], places)]
    return RawDocument(key, spans, text, defects=tuple(document.defects))


def _places(tokens: Iterable[str], text: str) -> Iterator[Place]:
    """Where each token stands in the text; None for a token that isn't there."""
    cursor = 0
    for token in tokens:
        place = _place(token, text, cursor)
        yield place
        cursor = place[1] if place else cursor


def _place(token: str, text: str, cursor: int) -> Place:
    for spelling in filter(None, (token, SPELLINGS.get(token))):
        start = text.find(spelling, cursor, cursor + REACH + len(spelling))
        if start >= 0:
            return start, start + len(spelling)
    return None


def _spans(tags: list[str], places: Iterator[Place]) -> Iterator[RawSpan]:
    own = list(islice(places, len(tags)))
    for label, first, last in chunks(tags):
        start, end = own[first], own[last]
        if start is None or end is None:
            yield RawSpan(defect="Its tokens are nowhere near in the text of the document.")
        else:
            yield RawSpan(start[0], end[1], label)


def chunks(tags: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Label, first and last token of each span.

    B, S and U begin a span; I, E and L continue one of the same label, or begin one (as in IOB1); E, L, S and U end it.
    """
    label, first, last = "", -1, -1  # first is -1 while no span is open
    for number, (prefix, name) in enumerate(map(_prefix_and_label, tags)):
        if first >= 0 and (prefix in "OBSU" or name != label):
            yield label, first, last
            first = -1
        if prefix != "O":
            label, first, last = name, number if first < 0 else first, number
        if prefix in "ELSU":
            yield label, first, last
            first = -1
    if first >= 0:
        yield label, first, last


def _prefix_and_label(tag: str) -> tuple[str, str]:
    match = TAG.fullmatch(tag)
    return (match["prefix"] or "O", match["label"] or "") if match else ("O", "")
