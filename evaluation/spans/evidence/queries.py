"""The evidence of a scope with the detections over it, streamed from the database."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.db import connection

from annotator.core.sql import named_sql
from annotator.models import Assignment, GoldRecord
from evaluation.spans.evidence.records import CoveredSpan, DetectionCount, EvidenceRecord, Skip
from evaluation.spans.evidence.scopes import Scope, Source
from evaluation.spans.records import LabelledSpan
from profiles.models import Unanalysed

CHUNK_SIZE = 2_000  # rows
SKIPS = {Unanalysed.Reason.LANGUAGE.value: Skip.LANGUAGE, "": None, "waiting": Skip.NOT_ANALYSED, "gone": Skip.GONE}

# A row for each span of evidence, or one without a span for a record that has none.
GOLD_SPANS = """
    SELECT record.id, record.profile_id, record.attribute, record.hardness, span.comment,
           span.start, span."end", span.text
    FROM ({records}) record
    LEFT JOIN LATERAL
        jsonb_to_recordset(record.evidence) AS span(comment bigint, start int, "end" int, text text) ON true
    WHERE record.value <> ''
"""
JUDGEMENT_SPANS = """
    SELECT record.id, counted.profile_id, record.attribute, record.hardness, span.comment_id AS comment,
           span.start, span."end", span.text
    FROM ({records}) counted
    JOIN annotator_judgement record ON record.assignment_id = counted.id AND record.value <> ''
    LEFT JOIN annotator_evidence span ON span.judgement_id = record.id
"""
MARKED_SPANS = {Source.GOLD: GOLD_SPANS, Source.JUDGEMENTS: JUDGEMENT_SPANS}
COVERED = """
    SELECT marked.*,
        CASE
            WHEN comment.id IS NULL
                OR substr(comment.body, marked.start + 1, marked."end" - marked.start) <> marked.text THEN 'gone'
            WHEN unanalysed.reason IS NOT NULL THEN unanalysed.reason
            WHEN NOT EXISTS (
                SELECT FROM profiles_detectionchunk chunk
                WHERE chunk.run_id = %(run)s AND chunk.done_at IS NOT NULL
                    AND marked.comment BETWEEN chunk.first_comment AND chunk.last_comment
            ) THEN 'waiting'
            ELSE ''
        END,
        (
            SELECT array_agg(ARRAY[detection.start::text, detection."end"::text, detection.entity_type])
            FROM profiles_detection detection
            WHERE detection.comment_id = marked.comment AND detection.run_id = %(run)s
                AND detection.start < marked."end" AND detection."end" > marked.start
        )
    FROM ({spans}) marked
    LEFT JOIN profiles_comment comment ON comment.id = marked.comment AND comment.profile_id = marked.profile_id
    LEFT JOIN profiles_unanalysed unanalysed
        ON unanalysed.run_id = %(run)s AND unanalysed.comment_id = marked.comment
    ORDER BY marked.profile_id, marked.id, marked.comment, marked.start, marked."end"
"""
DETECTIONS = """
    SELECT comment.profile_id, detection.entity_type, count(*)
    FROM (SELECT DISTINCT profile_id FROM ({records}) record) scored
    JOIN profiles_comment comment ON comment.profile_id = scored.profile_id
    JOIN profiles_detection detection ON detection.comment_id = comment.id AND detection.run_id = %(run)s
    GROUP BY 1, 2 ORDER BY 1, 2
"""


def evidence_records(scope: Scope) -> Iterator[EvidenceRecord]:
    """Records that have a value, with their evidence, one profile after another. 1 query, streamed."""
    statement = COVERED.format(spans=MARKED_SPANS[scope.source])
    rows = _stream(statement, scope)
    for (record, profile, attribute, hardness), spans in groupby(rows, key=lambda row: row[:4]):
        evidence = tuple(_span(span[4:]) for span in spans if span[4] is not None)
        yield EvidenceRecord(record, profile, attribute, hardness, evidence)


def detection_counts(scope: Scope) -> Iterator[DetectionCount]:
    """Detections in all comments of the profiles that were labelled, even if nothing was inferred. 1 query."""
    return (DetectionCount(*row) for row in _stream(DETECTIONS, scope))


def _stream(statement: str, scope: Scope) -> Iterator[tuple[Any, ...]]:
    records, values = scoped_records(scope)
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement.format(records=records), values | {"run": scope.run.pk})
        while rows := cursor.fetchmany(CHUNK_SIZE):
            yield from rows


def scoped_records(scope: Scope) -> tuple[str, dict[str, Any]]:
    """Gold records or counted assignments as SQL: the same rules as everywhere else."""
    if scope.source is Source.JUDGEMENTS:
        return named_sql(Assignment.objects.counted_in(scope.corpus, scope.batch).values("id", "profile_id"))
    records = GoldRecord.objects.filter(profile__corpus=scope.corpus)
    if scope.batch is not None:
        records = records.filter(batch_ids__contains=[scope.batch.pk])
    return named_sql(records.values("id", "profile_id", "attribute", "hardness", "value", "evidence"))


def _span(row: tuple[Any, ...]) -> CoveredSpan:
    comment, start, end, text, state, detections = row
    marks = tuple(LabelledSpan(int(first), int(last), label) for first, last, label in detections or ())
    return CoveredSpan(start, end, comment, text, marks, SKIPS.get(state, Skip.FAILED))
