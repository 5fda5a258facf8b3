"""Stream profiles with their labels from Postgres, a few hundred at a time. Call it inside `snapshot()`."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Flag, auto
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from annotator.core.sql import named_sql
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.selection import selected_gold, selected_prompted
from annotator.exchange.formats.records import (
    Answer,
    CitedSpan,
    ExportedComment,
    Gold,
    LabelledProfile,
    Review,
    Status,
    format_reddit_id,
)
from annotator.exchange.formats.sources import with_ids, without_reddit_ids
from annotator.models import MODEL_PROMPTED, Assignment, Batch, Dispute, GoldRecord, Judgement, SourceRecord
from profiles.attributes import Attribute
from profiles.encryption import unseal
from profiles.models import AccountName, Corpus, Detection, Profile
from profiles.spans import EntitySpan

MAX_CHUNK_PROFILES, MAX_CHUNK_COMMENTS = 250, 20_000
COMMENT_ORDER = ("written_at", "reddit_id", "copy_number")
# Times as numbers: Django's loader of times would take as long as everything else about a comment.
COMMENTS = """
    SELECT comment.profile_id, comment.id, comment.reddit_id, comment.copy_number, subreddit.name,
           extract(epoch FROM comment.written_at)::float8, CASE WHEN %(with_text)s THEN comment.body ELSE '' END
    FROM profiles_comment comment JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    WHERE comment.profile_id = ANY(%(profiles)s)
    ORDER BY {order}
"""
NUMBERS = """
    SELECT id, reddit_id, copy_number, number FROM (
        SELECT id, reddit_id, copy_number, row_number() OVER (PARTITION BY profile_id ORDER BY {order}) AS number
        FROM profiles_comment WHERE profile_id IN (SELECT profile_id FROM profiles_comment WHERE id = ANY(%(cited)s))
    ) numbered
    WHERE id = ANY(%(cited)s)
"""
REVIEWS = """
    SELECT assignment.id, assignment.profile_id, person.code, batch.name,
           coalesce(guideline.number, (batch.draw ->> 'guideline')::int), assignment.submitted_at,
           assignment.active_seconds, guideline.number IS NOT NULL
    FROM ({counted}) assignment
    JOIN annotator_annotator person ON person.id = assignment.annotator_id
    JOIN annotator_batch batch ON batch.id = assignment.batch_id
    LEFT JOIN annotator_guidelineversion guideline ON guideline.id = batch.guideline_id
    WHERE assignment.profile_id = ANY(%(profiles)s)
      AND (%(annotator)s::bigint IS NULL OR assignment.annotator_id = %(annotator)s)
    ORDER BY person.code COLLATE "C", assignment.id
"""
ANSWERS = """
    SELECT assignment_id, id, attribute, value, hardness, certainty, required_subreddit, note, geoname_id,
           active_seconds
    FROM annotator_judgement WHERE assignment_id = ANY(%s)
"""
EVIDENCE = """
    SELECT evidence.judgement_id, evidence.comment_id, evidence.start, evidence."end", evidence.text
    FROM annotator_judgement judgement
    JOIN annotator_evidence evidence ON evidence.judgement_id = judgement.id
    WHERE judgement.assignment_id = ANY(%s)
    ORDER BY evidence.judgement_id, evidence.comment_id, evidence.start, evidence."end"
"""
SECOND_LOOK = "second-look/1"  # the rule of prompted answers
ORDER = {attribute: at for at, attribute in enumerate(Attribute.values)}


class Part(Flag):
    """The parts of a profile that a format needs."""

    COMMENTS = auto()
    GOLD = auto()
    REVIEWS = auto()
    SOURCES = auto()
    DETECTIONS = auto()


@dataclass(frozen=True, slots=True)
class ReadRequest:
    corpus: Corpus
    options: ExportOptions
    parts: Part
    batch: Batch | None = None
    run: int | None = None  # the source of detections
    annotator: int | None = None  # only this annotator's reviews
    outdated: Collection[int] = ()  # profiles without their gold, which is older than their judgements


def labelled_profiles(request: ReadRequest, profiles: QuerySet[Profile]) -> Iterator[LabelledProfile]:
    """Read the profiles with their labels, in the given order. At most 11 queries per chunk."""
    rows = profiles.values_list("pk", "pseudonym", "comment_count").iterator(chunk_size=2000)
    for chunk in _chunks(rows):
        yield from _read(request, chunk)


def _chunks(rows: Iterator[tuple[int, str, int]]) -> Iterator[dict[int, str]]:
    """Chunks whose comments fit into memory; a very large profile is a chunk of its own."""
    chunk: dict[int, str] = {}
    weight = 0
    for pk, pseudonym, comments in rows:
        if chunk and (len(chunk) == MAX_CHUNK_PROFILES or weight + comments > MAX_CHUNK_COMMENTS):
            yield chunk
            chunk, weight = {}, 0
        chunk[pk] = pseudonym
        weight += comments
    if chunk:
        yield chunk


def _read(request: ReadRequest, chunk: dict[int, str]) -> Iterator[LabelledProfile]:
    profiles = {pk: LabelledProfile(pseudonym, request.corpus.name) for pk, pseudonym in chunk.items()}
    keys = list(profiles)
    if request.options.with_names:
        _add_names(profiles, keys)
    if Part.COMMENTS in request.parts:
        _add_comments(request.options, profiles, keys)
    if Part.GOLD in request.parts:
        _add_gold(request, profiles, keys)
        if request.options.with_prompted:
            _add_prompted(request, profiles, keys)
        _add_missing(request, profiles, keys)
    if Part.REVIEWS in request.parts:
        _add_reviews(request, profiles, keys)
    if Part.SOURCES in request.parts:
        _add_sources(request.options, profiles, keys)
    if Part.DETECTIONS in request.parts and request.run:
        _add_detections(request.run, profiles, keys)
    yield from profiles.values()


def _add_names(profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    for pk, sealed in AccountName.objects.filter(profile__in=keys).values_list("profile", "sealed"):
        profiles[pk].account = unseal(bytes(sealed))


def _add_comments(options: ExportOptions, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    values = {"profiles": keys, "with_text": options.with_text}
    for profile, pk, reddit_id, copy, subreddit, at, text in _rows(_ordered(COMMENTS), values):
        comments = profiles[profile].comments
        shown_id = format_reddit_id(reddit_id, copy) if options.with_names else str(len(comments) + 1)
        written_at = datetime.fromtimestamp(at, UTC)
        comments.append(ExportedComment(pk, shown_id, subreddit, written_at, text, reddit_id, copy))


def _ordered(statement: str) -> str:
    return statement.format(order=", ".join(COMMENT_ORDER))


def _add_gold(request: ReadRequest, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    fields = (
        "profile_id attribute value hardness certainty required_subreddit evidence reached rule reason "
        "decided_by__code decided_at guideline__number batch_ids"
    ).split()
    rows = list(
        selected_gold(request.options, request.batch, request.outdated).filter(profile__in=keys).values_list(*fields)
    )
    ids = _comment_ids(request.options, profiles, [row[6] for row in rows])
    with_text, imported = request.options.with_text, _imported_guidelines(request.corpus)
    for (
        profile,
        attribute,
        value,
        hardness,
        certainty,
        required,
        evidence,
        reached,
        rule,
        reason,
        by,
        at,
        number,
        batches,
    ) in sorted(rows, key=lambda row: ORDER[row[1]]):
        spans = [_span(ids[span["comment"]], span, with_text) for span in evidence if span["comment"] in ids]
        words = reason if with_text else ""
        profiles[profile].gold[attribute] = Gold(
            value, hardness, certainty, required, spans, reached, rule, words, by or "", at,
            number or max((imported[pk] for pk in batches if pk in imported), default=None), number is not None,
        )  # fmt: skip


def _add_prompted(request: ReadRequest, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    """Answers that people confirmed after a model had claimed them, in place of the negatives. 1 or 2 queries."""
    fields = (
        "profile_id attribute value hardness certainty required_subreddit evidence prompted_by decided_by__code "
        "decided_at"
    ).split()
    answers = selected_prompted(request.options, request.batch, request.outdated).filter(profile__in=keys)
    rows = list(answers.values_list(*fields))
    ids = _comment_ids(request.options, profiles, [row[6] for row in rows])
    for profile, attribute, value, hardness, certainty, required, evidence, prompted_by, by, at in rows:
        cited = [span for span in evidence if span["comment"] in ids]
        spans = [_span(ids[span["comment"]], span, request.options.with_text) for span in cited]
        profiles[profile].gold[attribute] = Gold(
            value, hardness, certainty, required, spans, MODEL_PROMPTED, SECOND_LOOK, "", by, at, None,
            prompted_by=prompted_by,
        )  # fmt: skip
    for profile in profiles.values():
        profile.gold = {name: profile.gold[name] for name in sorted(profile.gold, key=ORDER.__getitem__)}


def _imported_guidelines(corpus: Corpus) -> dict[int, int]:
    """The guideline version of another study that imported judgements were made by, by batch."""
    batches = Batch.objects.filter(corpus=corpus, guideline=None, draw__guideline__isnull=False)
    return {pk: draw["guideline"] for pk, draw in batches.values_list("pk", "draw") if draw["guideline"]}


def _add_missing(request: ReadRequest, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    """Record why attributes have no gold in this export. The first reason found counts. 1 to 3 queries."""
    options, left_out = request.options, [name for name in Attribute.values if not request.options.keeps(name)]
    _mark(profiles, ((pk, name) for pk in profiles for name in left_out), Status.LEFT_OUT)
    if options.leaves_out:
        gold = GoldRecord.objects.filter(profile__in=keys).values_list("profile", "attribute")
        _mark(profiles, gold, Status.LEFT_OUT)
    _mark(profiles, Dispute.objects.filter(profile__in=keys).values_list("profile", "attribute"), Status.DISPUTED)
    if unexplained := [pk for pk, profile in profiles.items() if len(profile.gold | profile.missing) < len(ORDER)]:
        counted = Assignment.objects.counted_in(request.corpus, request.batch).filter(profile__in=unexplained)
        judged = Judgement.objects.filter(assignment__in=counted)
        _mark(profiles, judged.values_list("assignment__profile", "attribute").distinct(), Status.WAITING)


def _mark(profiles: dict[int, LabelledProfile], rows: Iterable[tuple[int, str]], status: Status) -> None:
    for pk, attribute in rows:
        if attribute not in profiles[pk].gold:
            profiles[pk].missing.setdefault(attribute, status)


def _comment_ids(
    options: ExportOptions, profiles: dict[int, LabelledProfile], evidence: Iterable[list[dict[str, Any]]]
) -> dict[int, str]:
    """The ids that the file shows, by primary key. Without comments in the file, only of those that are cited."""
    read = {comment.pk: comment.id for profile in profiles.values() for comment in profile.comments}
    cited = {span["comment"] for spans in evidence for span in spans}
    if read or not cited:
        return read
    return {
        pk: format_reddit_id(reddit_id, copy) if options.with_names else str(number)
        for pk, reddit_id, copy, number in _rows(_ordered(NUMBERS), {"cited": list(cited)})
    }


def _span(comment: str, evidence: dict[str, Any], with_text: bool) -> CitedSpan:
    return CitedSpan(evidence["start"], evidence["end"], comment, evidence["text"] if with_text else "")


def _add_reviews(request: ReadRequest, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    statement, values = named_sql(Assignment.objects.counted_in(request.corpus, request.batch))
    parameters = {**values, "profiles": keys, "annotator": request.annotator}
    assignments = _rows(REVIEWS.format(counted=statement), parameters)
    answers = _answers(request, profiles, {assignment: profile for assignment, profile, *_ in assignments})
    for assignment, profile, code, batch, guideline, at, seconds, is_ours in assignments:
        if answers[assignment] or not request.options.filters_gold:
            review = Review(code, batch, guideline, at, seconds, answers[assignment], is_ours)
            profiles[profile].reviews.append(review)


def _answers(
    request: ReadRequest, profiles: dict[int, LabelledProfile], assignments: dict[int, int]
) -> defaultdict[int, dict[str, Answer]]:
    """Answers by assignment. With filters on gold, only attributes whose gold record is exported."""
    options, evidence = request.options, _evidence(request.options, profiles, assignments)
    answers: defaultdict[int, dict[str, Answer]] = defaultdict(dict)
    rows = _rows(ANSWERS, [list(assignments)])
    rows.sort(key=lambda row: ORDER[row[2]])
    for assignment, pk, attribute, value, hardness, certainty, required, note, geoname, seconds in rows:
        if not options.keeps(attribute) or (
            options.filters_gold and attribute not in profiles[assignments[assignment]].gold
        ):
            continue
        words, spans = note if options.with_text else "", evidence.get(pk, [])
        answers[assignment][attribute] = Answer(value, hardness, certainty, required, spans, words, geoname, seconds)
    return answers


def _evidence(
    options: ExportOptions, profiles: dict[int, LabelledProfile], assignments: dict[int, int]
) -> dict[int, list[CitedSpan]]:
    evidence: defaultdict[int, list[CitedSpan]] = defaultdict(list)
    ids = {comment.pk: comment.id for profile in profiles.values() for comment in profile.comments}
    for judgement, comment, start, end, text in _rows(EVIDENCE, [list(assignments)]):
        evidence[judgement].append(CitedSpan(start, end, ids[comment], text if options.with_text else ""))
    return evidence


def _add_sources(options: ExportOptions, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    for pk, contents in SourceRecord.objects.filter(profile__in=keys).values_list("profile", "contents"):
        ids = {comment.stored_id: comment.id for comment in profiles[pk].comments}
        profiles[pk].source = with_ids(contents if options.with_names else without_reddit_ids(contents), ids)


def _add_detections(run: int, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    rows = Detection.objects.filter(run=run, comment__profile__in=keys)
    fields = ("comment__profile_id", "comment_id", "start", "end", "entity_type", "score")
    for profile, comment, *span in rows.values_list(*fields):
        profiles[profile].detections.setdefault(comment, []).append(EntitySpan(*span))


def _rows(statement: str, values: dict[str, Any] | list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
