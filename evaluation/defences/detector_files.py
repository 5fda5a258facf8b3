"""Another detector's spans over the comments of a corpus, read from its file and kept without any text.

Documents are named as in our spans export: the pseudonym, a slash, and the comment's number within the profile, or
Reddit's id. What is kept with a run are numbers of comments, offsets and types.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.core.formatting import number, plural
from annotator.exchange.export.reader import COMMENT_ORDER
from annotator.exchange.formats.records import format_reddit_id
from evaluation.defences.masking import NOT_IN_TAGS, MaskedSpan
from evaluation.spans.problems import SENTENCES
from evaluation.spans.readers import Side, UnreadableSpans, read_spans
from evaluation.spans.records import Document, Problem, ProblemKind
from profiles.models import Comment, Corpus

MAX_TYPE = 40  # characters
MAX_NAMED = 3  # documents in a sentence
MAX_NAME = 60  # characters
CHUNK_SIZE = 500  # profiles whose comments are read together
HARMLESS = {ProblemKind.DUPLICATE, ProblemKind.OVERLAPPING, ProblemKind.SCORE_DROPPED}  # to a mask
NOTHING_KNOWN = (
    "“{name}” has {documents}, but none of them is a comment of “{corpus}”; the first is called “{first}”. "
    "Name documents “pseudonym/number”, as the spans export does."
)
NO_SPANS = "“{name}” marks nothing in the comments of “{corpus}”, so there is nothing to mask.{problems}"
OTHER_DOCUMENTS = "Documents that aren’t comments of this corpus. They were left out."

Spans = Mapping[int, Sequence[MaskedSpan]]  # by comment


class UnreadableDetections(ValueError):
    """The file can't be used, with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class DetectorFile:
    """`spans` has every comment that the file names, with or without spans. `problems` are sentences."""

    name: str
    sha256: str
    format: str
    spans: Spans
    problems: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        counts = {"comments": len(self.spans), "spans": sum(map(len, self.spans.values()))}
        details = {"name": self.name, "sha256": self.sha256, "format": self.format}
        return details | counts | {"problems": list(self.problems)}

    def sentences(self) -> Iterator[str]:
        spans = plural(sum(map(len, self.spans.values())), "span")
        yield f"“{self.name}” marks {spans} in {plural(len(self.spans), 'comment')}."
        yield from self.problems


def read_detector_file(path: Path, name: str, corpus: Corpus) -> DetectorFile:
    """Check the spans against the comments. What can't be used is counted. Raises UnreadableDetections."""
    try:
        named = read_spans(path, side=Side.PREDICTIONS).documents
        comments = _comments_named(corpus, named)
        texts = {key: body for key, (_, body) in comments.items()}
        file = read_spans(path, texts=texts, side=Side.PREDICTIONS)
    except UnreadableSpans as refusal:
        raise UnreadableDetections(f"{name}: {refusal}") from refusal
    if not comments:
        documents, first = plural(len(named), "document"), next(iter(named))[:MAX_NAME]
        raise UnreadableDetections(
            NOTHING_KNOWN.format(documents=documents, name=name, corpus=corpus.name, first=first)
        )
    others = [key for key in file.documents if key not in comments]
    problems = [*_sentences(file.problems, comments), *_counted(OTHER_DOCUMENTS, others)]
    spans = _spans_by_comment(file.documents, comments)
    if not any(spans.values()):
        raise UnreadableDetections(
            NO_SPANS.format(name=name, corpus=corpus.name, problems="".join(f" {problem}" for problem in problems))
        )
    return DetectorFile(name, file.sha256, file.format, spans, problems)


def _spans_by_comment(documents: Mapping[str, Document], comments: Mapping[str, tuple[int, str]]) -> Spans:
    """A comment that the file names twice, by its number and by Reddit's id, has the spans of both."""
    spans: dict[int, list[MaskedSpan]] = {}
    for key, document in documents.items():
        if key in comments:
            spans.setdefault(comments[key][0], []).extend(
                MaskedSpan(span.start, span.end, _type(span.label)) for span in document.all_spans
            )
    return spans


def _type(label: str) -> str:
    """Nothing but a type, whatever a file writes into its labels."""
    return NOT_IN_TAGS.sub("_", label.upper())[:MAX_TYPE] or "MASKED"


# ── Which comment a document is ─────────────────────────────────────────────


def _comments_named(corpus: Corpus, keys: Iterable[str]) -> dict[str, tuple[int, str]]:
    """The id and text of the comment that each key names. A query for every 500 profiles."""
    names = defaultdict[str, set[str]](set)
    for key in keys:
        pseudonym, _, comment = key.rpartition("/")
        names[pseudonym].add(comment)
    pseudonyms = sorted(names)
    by_number: dict[str, tuple[int, str]] = {}
    by_reddit: dict[str, tuple[int, str]] = {}
    for start in range(0, len(pseudonyms), CHUNK_SIZE):
        for pseudonym, place, reddit_id, pk, body in _comments(corpus, pseudonyms[start : start + CHUNK_SIZE]):
            for comments, name in ((by_number, place), (by_reddit, reddit_id)):
                if name in names[pseudonym]:
                    comments[f"{pseudonym}/{name}"] = pk, body
    return by_reddit | by_number


def _comments(corpus: Corpus, pseudonyms: Sequence[str]) -> Iterator[tuple[str, str, str, int, str]]:
    """All comments of the profiles: pseudonym, number and Reddit's id as in exports, our id and the text."""
    rows = Comment.objects.filter(profile__corpus=corpus, profile__pseudonym__in=pseudonyms)
    numbers = Counter[str]()
    columns = ("profile__pseudonym", "reddit_id", "copy_number", "pk", "body")
    for pseudonym, reddit_id, copy, pk, body in rows.order_by(*COMMENT_ORDER).values_list(*columns).iterator():
        numbers[pseudonym] += 1
        yield pseudonym, str(numbers[pseudonym]), format_reddit_id(reddit_id, copy), pk, body


# ── What was wrong ──────────────────────────────────────────────────────────


def _sentences(problems: Iterable[Problem], known: Mapping[str, Any]) -> Iterator[str]:
    """One for each kind of problem in known comments, and of records that couldn't be read."""
    places = defaultdict[ProblemKind, list[str]](list)
    for problem in problems:
        if problem.kind not in HARMLESS and (problem.document in known or not problem.document):
            places[problem.kind].append(problem.document or problem.detail)
    for kind in ProblemKind:
        yield from _counted(SENTENCES.get(kind, "Problems."), places[kind])


def _counted(sentence: str, places: Sequence[str]) -> Iterator[str]:
    """`Spans that lie outside their document. They were left out. 4, the first in “profile-1/2”.`"""
    if places:
        names = ", ".join(f"“{place[:MAX_NAME]}”" for place in dict.fromkeys(places[:MAX_NAMED]))
        yield f"{sentence} {number(len(places))}: {names}{', …' if len(places) > MAX_NAMED else ''}"


# ── What is kept ────────────────────────────────────────────────────────────


def write_detections(path: Path, spans: Spans) -> None:
    """A line for each comment: its number, and `[start, end, type]` for each span."""
    rows = ([comment, [[span.start, span.end, span.type] for span in members]] for comment, members in spans.items())
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def read_detections(path: Path) -> dict[int, list[MaskedSpan]]:
    with path.open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return {comment: [MaskedSpan(*span) for span in members] for comment, members in rows}
