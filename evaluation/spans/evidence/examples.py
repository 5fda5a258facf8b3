"""Evidence that Presidio would have left readable, read from current rows whenever a page shows it.

Reports store no text, so an account that is removed disappears from the examples, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from annotator.detection.queries.entity_types import shorten_after, shorten_before
from evaluation.spans.evidence.coverage import Masking, measure_coverage
from evaluation.spans.evidence.queries import MARKED_SPANS, scoped_records
from evaluation.spans.evidence.records import CoveredSpan
from evaluation.spans.evidence.scopes import Scope
from evaluation.spans.records import LabelledSpan
from profiles.attributes import Attribute
from profiles.highlights import Highlight, Segment, layered
from profiles.spans import EntitySpan

PER_ATTRIBUTE = 3
CONTEXT = 81  # one more than pages show, to see whether the text goes on
MAX_LENGTH = 300  # characters of a span

# Evidence that no single detection covers, some of each attribute, always the same ones. A span that two people
# marked is there once. What several detections cover together is dropped afterwards.
MISSED = """
    WITH marked AS (
        SELECT DISTINCT ON (attribute, comment, start, "end") * FROM ({spans}) spans
        ORDER BY attribute, comment, start, "end", id
    ), missed AS (
        SELECT marked.*, row_number() OVER (
            PARTITION BY marked.attribute ORDER BY hashint8extended(marked.comment, marked.start), marked.id
        ) AS place
        FROM marked
        WHERE EXISTS (
            SELECT FROM profiles_detectionchunk chunk
            WHERE chunk.run_id = %(run)s AND chunk.done_at IS NOT NULL
                AND marked.comment BETWEEN chunk.first_comment AND chunk.last_comment
        ) AND NOT EXISTS (
            SELECT FROM profiles_detection detection
            WHERE detection.comment_id = marked.comment AND detection.run_id = %(run)s
                AND detection.start <= marked.start AND detection."end" >= marked."end"
        ) AND NOT EXISTS (
            SELECT FROM profiles_unanalysed unanalysed
            WHERE unanalysed.run_id = %(run)s AND unanalysed.comment_id = marked.comment
        )
    )
    SELECT missed.attribute, missed.hardness, missed.start, missed."end", missed.text, comment.id, comment.body,
           profile.id, profile.pseudonym, subreddit.name,
           (
               SELECT array_agg(ARRAY[detection.start::text, detection."end"::text, detection.entity_type,
                                      detection.score::text])
               FROM profiles_detection detection
               WHERE detection.comment_id = missed.comment AND detection.run_id = %(run)s
           )
    FROM missed
    JOIN profiles_comment comment ON comment.id = missed.comment AND comment.profile_id = missed.profile_id
    JOIN profiles_profile profile ON profile.id = missed.profile_id
    JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    WHERE missed.place <= %(limit)s
        AND substr(comment.body, missed.start + 1, missed."end" - missed.start) = missed.text
    ORDER BY array_position(%(attributes)s::text[], missed.attribute::text), missed.hardness, missed.place
"""


@dataclass(frozen=True, slots=True)
class MissedEvidence:
    """A span of evidence that Presidio leaves readable, fully or in part, with the words around it."""

    attribute: str
    hardness: int
    comment: int
    profile: int
    pseudonym: str
    subreddit: str
    masking: Masking
    before: str
    segments: list[Segment]
    after: str

    @property
    def label(self) -> str:
        return str(Attribute(self.attribute).label)


def missed_evidence(scope: Scope, *, per_attribute: int = PER_ATTRIBUTE) -> list[MissedEvidence]:
    """Some of the evidence of each attribute that isn't fully masked. 1 query."""
    records, values = scoped_records(scope)
    statement = MISSED.format(spans=MARKED_SPANS[scope.source]).format(records=records)
    with connection.cursor() as cursor:
        names = {"attributes": Attribute.values, "run": scope.run.pk, "limit": per_attribute}
        cursor.execute(statement, values | names)
        examples = [_example(row) for row in cursor.fetchall()]
    return [example for example in examples if example.masking is not Masking.FULL]


def _example(row: Sequence[Any]) -> MissedEvidence:
    attribute, hardness, start, end, text, comment, body, profile, pseudonym, subreddit, detections = row
    marks = [EntitySpan(int(first), int(last), label, float(score)) for first, last, label, score in detections or ()]
    labelled = tuple(LabelledSpan(mark.start, mark.end, mark.entity_type) for mark in marks)
    return MissedEvidence(
        attribute, hardness, comment, profile, pseudonym, subreddit,
        measure_coverage(CoveredSpan(start, end, comment, text, labelled)).masking,
        shorten_before(body[max(0, start - CONTEXT) : start]),
        _marked(attribute, start, text[:MAX_LENGTH], marks),
        shorten_after(body[end : end + CONTEXT]),
    )  # fmt: skip


def _marked(attribute: str, start: int, text: str, marks: Sequence[EntitySpan]) -> list[Segment]:
    """The span as evidence, with what Presidio marked of it."""
    inside = [
        EntitySpan(max(mark.start - start, 0), min(mark.end - start, len(text)), mark.entity_type, mark.score)
        for mark in marks
        if mark.start < start + len(text) and mark.end > start
    ]
    return layered(text, inside, [Highlight(0, len(text), attribute)])
