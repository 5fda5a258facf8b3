"""Another detector's spans over the comments of a corpus, read from its file and kept without any text.

Documents are named as in our spans export: the pseudonym, a slash, and the comment's number within the profile, or
Reddit's id. What is kept with a run are offsets and types by comment, which a takedown removes.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.core.formatting import number, plural
from annotator.exchange.export.reader import COMMENT_ORDER
from annotator.exchange.formats.records import format_reddit_id
from evaluation.defences.masking import NOT_IN_TAGS, MaskedSpan
from evaluation.llm.attempts import lock_profiles
from evaluation.models import DetectedComment, EvaluationRun
from evaluation.spans.problems import SENTENCES
from evaluation.spans.readers import Side, UnreadableSpans, read_spans
from evaluation.spans.records import Document, Problem, ProblemKind
from profiles.models import Comment, Corpus

MAX_TYPE = 40  # characters
MAX_NAMED = 3  # documents in a sentence
MAX_NAME = 60  # characters
BATCH_SIZE = 1_000  # comments that are stored together
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
class FileProblem:
    """What was wrong, and where. Places name accounts or whatever else the file calls its documents."""

    sentence: str
    places: Sequence[str]

    @property
    def counted(self) -> str:
        """Without places, so that it can be kept after a takedown."""
        return f"{self.sentence} {number(len(self.places))} in all."

    def __str__(self) -> str:
        """`Spans that lie outside their document. They were left out. 4: “profile-1/2”, …`"""
        names = ", ".join(f"“{place[:MAX_NAME]}”" for place in dict.fromkeys(self.places[:MAX_NAMED]))
        ellipsis = ", …" if len(self.places) > MAX_NAMED else ""
        return f"{self.sentence} {number(len(self.places))}: {names}{ellipsis}"


@dataclass(frozen=True, slots=True)
class DetectorFile:
    """`spans` has every comment that the file names, with or without spans."""

    name: str
    sha256: str
    format: str
    spans: Spans
    problems: Sequence[FileProblem] = ()

    def as_json(self) -> dict[str, Any]:
        counts = {"comments": len(self.spans), "spans": sum(map(len, self.spans.values()))}
        details = {"name": self.name, "sha256": self.sha256, "format": self.format}
        return details | counts | {"problems": [problem.counted for problem in self.problems]}

    def sentences(self) -> Iterator[str]:
        spans = plural(sum(map(len, self.spans.values())), "span")
        yield f"“{self.name}” marks {spans} in {plural(len(self.spans), 'comment')}."
        yield from map(str, self.problems)


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
    problems = [*_file_problems(file.problems, comments)]
    if others:
        problems.append(FileProblem(OTHER_DOCUMENTS, others))
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


def _file_problems(problems: Iterable[Problem], known: Mapping[str, Any]) -> Iterator[FileProblem]:
    """One for each kind of problem in known comments, and of records that couldn't be read."""
    places = defaultdict[ProblemKind, list[str]](list)
    for problem in problems:
        if problem.kind not in HARMLESS and (problem.document in known or not problem.document):
            places[problem.kind].append(problem.document or problem.detail)
    for kind in ProblemKind:
        if places[kind]:
            yield FileProblem(SENTENCES.get(kind, "Problems."), places[kind])


# ── What is kept ────────────────────────────────────────────────────────────


def store_detections(run: EvaluationRun, spans: Spans) -> None:
    """A row for each comment. The lock makes a later takedown wait and see them. 3 queries for every 1,000 comments."""
    comments = sorted(spans)
    for start in range(0, len(comments), BATCH_SIZE):
        rows = Comment.objects.filter(pk__in=comments[start : start + BATCH_SIZE])
        profiles = dict(rows.order_by("pk").values_list("pk", "profile_id"))
        present = lock_profiles(set(profiles.values()))
        DetectedComment.objects.bulk_create(
            DetectedComment(run=run, profile_id=profile, comment_id=comment, spans=_as_json(spans[comment]))
            for comment, profile in profiles.items()
            if profile in present
        )


def _as_json(spans: Iterable[MaskedSpan]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.type) for span in spans]


def stored_detections(run: EvaluationRun) -> dict[int, list[MaskedSpan]]:
    """By comment. 1 query."""
    rows = run.detected_comments.order_by("comment_id").values_list("comment_id", "spans")
    return {comment: [MaskedSpan(*span) for span in spans] for comment, spans in rows.iterator()}
