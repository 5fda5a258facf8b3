"""Stream profiles with their labels from Postgres, a few hundred at a time. Call it inside `snapshot()`."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from annotator.core.sql import named_sql
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.selection import selected_gold
from annotator.exchange.formats.records import (
    Answer,
    CitedSpan,
    ExportedComment,
    Gold,
    LabelledProfile,
    Review,
    format_reddit_id,
)
from annotator.models import Assignment, Batch, SourceRecord
from profiles.attributes import Attribute
from profiles.encryption import unseal
from profiles.models import AccountName, Comment, Corpus, Detection, Profile
from profiles.spans import EntitySpan

MAX_CHUNK_PROFILES, MAX_CHUNK_COMMENTS = 250, 20_000
REVIEWS = """
    SELECT assignment.id, assignment.profile_id, person.code, batch.name, guideline.number,
           assignment.submitted_at, assignment.active_seconds
    FROM ({counted}) assignment
    JOIN annotator_annotator person ON person.id = assignment.annotator_id
    JOIN annotator_batch batch ON batch.id = assignment.batch_id
    JOIN annotator_guidelineversion guideline ON guideline.id = batch.guideline_id
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
    SELECT evidence.judgement_id, comment.reddit_id, comment.copy_number, evidence.start, evidence."end", evidence.text
    FROM annotator_judgement judgement
    JOIN annotator_evidence evidence ON evidence.judgement_id = judgement.id
    JOIN profiles_comment comment ON comment.id = evidence.comment_id
    WHERE judgement.assignment_id = ANY(%s)
    ORDER BY evidence.judgement_id, comment.id, evidence.start, evidence."end"
"""
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


def labelled_profiles(request: ReadRequest, profiles: QuerySet[Profile]) -> Iterator[LabelledProfile]:
    """Keep the order of the profiles. At most 8 queries per chunk."""
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
        _add_comments(profiles, keys, with_text=request.options.with_text)
    if Part.GOLD in request.parts:
        _add_gold(request, profiles, keys)
    if Part.REVIEWS in request.parts:
        _add_reviews(request, profiles, keys)
    if Part.SOURCES in request.parts:
        _add_sources(profiles, keys)
    if Part.DETECTIONS in request.parts and request.run:
        _add_detections(request.run, profiles, keys)
    yield from profiles.values()


def _add_names(profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    for pk, sealed in AccountName.objects.filter(profile__in=keys).values_list("profile", "sealed"):
        profiles[pk].account = unseal(bytes(sealed))


def _add_comments(profiles: dict[int, LabelledProfile], keys: list[int], *, with_text: bool) -> None:
    fields = ["profile_id", "pk", "reddit_id", "copy_number", "subreddit__name", "written_at"]
    rows = Comment.objects.filter(profile__in=keys).order_by("written_at", "reddit_id", "copy_number")
    for row in rows.values_list(*fields, *(["body"] if with_text else [])):
        profile, pk, reddit_id, copy, subreddit, at = row[:6]
        text = row[6] if with_text else ""
        profiles[profile].comments.append(ExportedComment(pk, format_reddit_id(reddit_id, copy), subreddit, at, text))


def _add_gold(request: ReadRequest, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    fields = (
        "profile_id attribute value hardness certainty required_subreddit evidence reached rule reason "
        "decided_by__code decided_at guideline__number"
    ).split()
    rows = list(selected_gold(request.options, request.batch).filter(profile__in=keys).values_list(*fields))
    ids = _comment_ids(profiles, [span["comment"] for row in rows for span in row[6]])
    with_text = request.options.with_text
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
    ) in sorted(rows, key=lambda row: ORDER[row[1]]):
        spans = [_span(ids[span["comment"]], span, with_text) for span in evidence if span["comment"] in ids]
        words = reason if with_text else ""
        profiles[profile].gold[attribute] = Gold(
            value, hardness, certainty, required, spans, reached, rule, words, by or "", at, number
        )


def _comment_ids(profiles: dict[int, LabelledProfile], needed: Sequence[int]) -> dict[int, str]:
    """Ids by row, from comments read already or else with a query."""
    known = {comment.pk: comment.id for profile in profiles.values() for comment in profile.comments}
    if known or not needed:
        return known
    rows = Comment.objects.filter(pk__in=needed).values_list("pk", "reddit_id", "copy_number")
    return {pk: format_reddit_id(reddit_id, copy) for pk, reddit_id, copy in rows}


def _span(comment: str, evidence: dict[str, Any], with_text: bool) -> CitedSpan:
    return CitedSpan(evidence["start"], evidence["end"], comment, evidence["text"] if with_text else "")


def _add_reviews(request: ReadRequest, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    statement, values = named_sql(Assignment.objects.counted_in(request.corpus, request.batch))
    parameters = {**values, "profiles": keys, "annotator": request.annotator}
    assignments = _rows(REVIEWS.format(counted=statement), parameters)
    answers = _answers(request, profiles, {assignment: profile for assignment, profile, *_ in assignments})
    for assignment, profile, code, batch, guideline, at, seconds in assignments:
        if answers[assignment] or not request.options.filters_gold:
            review = Review(code, batch, guideline, at, seconds, answers[assignment])
            profiles[profile].reviews.append(review)


def _answers(
    request: ReadRequest, profiles: dict[int, LabelledProfile], assignments: dict[int, int]
) -> defaultdict[int, dict[str, Answer]]:
    """Answers by assignment. With filters on gold, only attributes whose gold record is exported."""
    options, evidence = request.options, _evidence(list(assignments), with_text=request.options.with_text)
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


def _evidence(assignments: list[int], *, with_text: bool) -> dict[int, list[CitedSpan]]:
    evidence: defaultdict[int, list[CitedSpan]] = defaultdict(list)
    for judgement, reddit_id, copy, start, end, text in _rows(EVIDENCE, [assignments]):
        evidence[judgement].append(CitedSpan(start, end, format_reddit_id(reddit_id, copy), text if with_text else ""))
    return evidence


def _add_sources(profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    for pk, contents in SourceRecord.objects.filter(profile__in=keys).values_list("profile", "contents"):
        profiles[pk].source = contents


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
