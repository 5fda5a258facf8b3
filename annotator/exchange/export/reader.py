"""Profiles with all that is said about them, streamed from Postgres: a few hundred in memory at a time.

Called inside `snapshot()`.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Flag, auto
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from annotator.exchange.export.options import Asked
from annotator.exchange.export.selection import chosen_gold
from annotator.exchange.formats.records import (
    Answer,
    CitedSpan,
    ExportedComment,
    Gold,
    LabelledProfile,
    Review,
    format_reddit_id,
)
from annotator.gold.counted import counted
from annotator.models import Batch, SourceRecord
from profiles.attributes import Attribute
from profiles.encryption import unseal
from profiles.models import AccountName, Comment, Corpus, Detection, Profile
from profiles.spans import EntitySpan

PROFILES_AT_ONCE, COMMENTS_AT_ONCE = 250, 20_000
REVIEWS = """
    SELECT slot.id, slot.profile_id, person.code, batch.name, guideline.number, slot.submitted_at, slot.active_seconds
    FROM ({counted}) slot
    JOIN annotator_annotator person ON person.id = slot.annotator_id
    JOIN annotator_batch batch ON batch.id = slot.batch_id
    JOIN annotator_guidelineversion guideline ON guideline.id = batch.guideline_id
    WHERE slot.profile_id = ANY(%(profiles)s) AND (%(annotator)s::bigint IS NULL OR slot.annotator_id = %(annotator)s)
    ORDER BY person.code COLLATE "C", slot.id
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
    """What a format needs to know."""

    COMMENTS = auto()
    GOLD = auto()
    REVIEWS = auto()
    SOURCES = auto()
    DETECTIONS = auto()


@dataclass(frozen=True, slots=True)
class Reading:
    """What is to be read, and of what."""

    corpus: Corpus
    asked: Asked
    parts: Part
    batch: Batch | None = None
    run: int | None = None  # whose detections
    annotator: int | None = None  # whose reviews alone


def labelled_profiles(reading: Reading, chosen: QuerySet[Profile]) -> Iterator[LabelledProfile]:
    """In the order chosen. For each some hundred profiles at most 8 queries."""
    rows = chosen.values_list("pk", "pseudonym", "comment_count").iterator(chunk_size=2000)
    for chunk in _chunks(rows):
        yield from _read(reading, chunk)


def _chunks(rows: Iterator[tuple[int, str, int]]) -> Iterator[dict[int, str]]:
    """Few enough that their comments fit well into memory; a giant stands alone."""
    chunk: dict[int, str] = {}
    weight = 0
    for pk, pseudonym, comments in rows:
        if chunk and (len(chunk) == PROFILES_AT_ONCE or weight + comments > COMMENTS_AT_ONCE):
            yield chunk
            chunk, weight = {}, 0
        chunk[pk] = pseudonym
        weight += comments
    if chunk:
        yield chunk


def _read(reading: Reading, chunk: dict[int, str]) -> Iterator[LabelledProfile]:
    profiles = {pk: LabelledProfile(pseudonym, reading.corpus.name) for pk, pseudonym in chunk.items()}
    keys = list(profiles)
    if reading.asked.with_names:
        _add_names(profiles, keys)
    if Part.COMMENTS in reading.parts:
        _add_comments(profiles, keys, with_text=reading.asked.with_text)
    if Part.GOLD in reading.parts:
        _add_gold(reading, profiles, keys)
    if Part.REVIEWS in reading.parts:
        _add_reviews(reading, profiles, keys)
    if Part.SOURCES in reading.parts:
        _add_sources(profiles, keys)
    if Part.DETECTIONS in reading.parts and reading.run:
        _add_detections(reading.run, profiles, keys)
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


def _add_gold(reading: Reading, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    fields = (
        "profile_id attribute value hardness certainty required_subreddit evidence reached rule reason "
        "decided_by__code decided_at guideline__number"
    ).split()
    rows = list(chosen_gold(reading.asked, reading.batch).filter(profile__in=keys).values_list(*fields))
    ids = _comment_ids(profiles, [one["comment"] for row in rows for one in row[6]])
    with_text = reading.asked.with_text
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
        spans = [_span(ids[one["comment"]], one, with_text) for one in evidence if one["comment"] in ids]
        words = reason if with_text else ""
        profiles[profile].gold[attribute] = Gold(
            value, hardness, certainty, required, spans, reached, rule, words, by or "", at, number
        )


def _comment_ids(profiles: dict[int, LabelledProfile], wanted: Sequence[int]) -> dict[int, str]:
    """By row, from what was read already or with a query of its own."""
    known = {comment.pk: comment.id for profile in profiles.values() for comment in profile.comments}
    if known or not wanted:
        return known
    rows = Comment.objects.filter(pk__in=wanted).values_list("pk", "reddit_id", "copy_number")
    return {pk: format_reddit_id(reddit_id, copy) for pk, reddit_id, copy in rows}


def _span(comment: str, evidence: dict[str, Any], with_text: bool) -> CitedSpan:
    return CitedSpan(evidence["start"], evidence["end"], comment, evidence["text"] if with_text else "")


def _add_reviews(reading: Reading, profiles: dict[int, LabelledProfile], keys: list[int]) -> None:
    statement, values = counted(reading.corpus, reading.batch.pk if reading.batch else None)
    about = {**values, "profiles": keys, "annotator": reading.annotator}
    slots = _rows(REVIEWS.format(counted=statement), about)
    answers = _answers(reading, profiles, {slot: profile for slot, profile, *_ in slots})
    for slot, profile, code, batch, guideline, at, seconds in slots:
        if answers[slot] or not reading.asked.filters_gold:
            review = Review(code, batch, guideline, at, seconds, answers[slot])
            profiles[profile].reviews.append(review)


def _answers(
    reading: Reading, profiles: dict[int, LabelledProfile], slots: dict[int, int]
) -> defaultdict[int, dict[str, Answer]]:
    """By slot. Where something is asked of the gold, only of attributes whose gold record is in."""
    asked, evidence = reading.asked, _evidence(list(slots), with_text=reading.asked.with_text)
    answers: defaultdict[int, dict[str, Answer]] = defaultdict(dict)
    rows = _rows(ANSWERS, [list(slots)])
    rows.sort(key=lambda row: ORDER[row[2]])
    for slot, pk, attribute, value, hardness, certainty, required, note, geoname, seconds in rows:
        if not asked.keeps(attribute) or (asked.filters_gold and attribute not in profiles[slots[slot]].gold):
            continue
        words, spans = note if asked.with_text else "", evidence.get(pk, [])
        answers[slot][attribute] = Answer(value, hardness, certainty, required, spans, words, geoname, seconds)
    return answers


def _evidence(slots: list[int], *, with_text: bool) -> dict[int, list[CitedSpan]]:
    evidence: defaultdict[int, list[CitedSpan]] = defaultdict(list)
    for judgement, reddit_id, copy, start, end, text in _rows(EVIDENCE, [slots]):
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
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def seen_at() -> datetime:
    """The moment of the snapshot, by the database's clock."""
    at: datetime = _rows("SELECT now()", [])[0][0]
    return at
