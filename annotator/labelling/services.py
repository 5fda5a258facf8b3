"""Writes of the labelling page: save cards, skip, flag, record look-ups and time.

Browsers show every line break as one character, however it is stored. So look for evidence at its position in the
stored text first, then in the text as the page shows it. The marked text must match.
"""

import json
import re
from collections.abc import Iterable
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.core.evidence import EvidenceSpan, distinct_evidence
from annotator.core.sql import Rows
from annotator.labelling.cards import Card
from annotator.models import Assignment, AuditEntry, Draft, Flag, LookUp, SkipReason
from profiles.attributes import Attribute
from profiles.models import Comment
from profiles.spans import Span

LINE_BREAK = re.compile("\r\n?")
SLACK = 5  # seconds of tolerance for the duration of a request
UPSERT_TIME = """
    INSERT INTO annotator_sitting AS sitting (assignment_id, key, active_seconds, card_seconds, began_at, last_at)
    VALUES (%(assignment)s, %(key)s, least(%(active)s, %(slack)s), %(cards)s, now(), now())
    ON CONFLICT (assignment_id, key) DO UPDATE SET
        active_seconds = greatest(sitting.active_seconds,
            least(%(active)s, extract(epoch FROM now() - sitting.began_at)::int + %(slack)s)),
        card_seconds = CASE WHEN sitting.active_seconds <= %(active)s THEN %(cards)s ELSE sitting.card_seconds END,
        last_at = now()
"""
WRITABLE = Rows(  # same rule as `Assignment.objects.writable()`, with a lock
    """
    SELECT {columns} FROM annotator_assignment assignment
    JOIN annotator_batch batch ON batch.id = assignment.batch_id
    WHERE assignment.id = %(this)s AND assignment.annotator_id = %(person)s AND assignment.skipped_at IS NULL
        AND (assignment.submitted_at IS NULL AND assignment.claimed_at IS NOT NULL
             OR assignment.reopened_at IS NOT NULL)
        AND batch.started_at IS NOT NULL AND batch.closed_at IS NULL
    FOR NO KEY UPDATE OF assignment
    """,
    {"assignment": Assignment},
)


NOT_WRITABLE = (
    "This profile was submitted, skipped or taken back, or its batch was closed. What you typed isn’t saved; it’s "
    "still on this page."
)
CHANGED_ELSEWHERE = "This answer was changed elsewhere meanwhile. Nothing was overwritten."
EVIDENCE_GONE = "These words do not stand in the comment any more. Mark them again."
FOREIGN_COMMENT = "This comment is not one of this profile's."
SUBMITTED_BEFORE = "It was submitted before and cannot be skipped now. Nothing was changed."


class AssignmentClosed(Exception):
    """The assignment is submitted, skipped or not held by the annotator, or its batch is not open."""


class ChangedElsewhere(Exception):
    """Another tab or device changed the card first."""

    def __init__(self, draft: Draft | None) -> None:
        super().__init__(CHANGED_ELSEWHERE)
        self.draft = draft


class NotInTheComment(Exception):
    """Evidence does not match its comment, or the comment belongs to another profile."""


def save_card(assignment: Assignment, attribute: Attribute, card: Card, *, based_on: int) -> Draft:
    """Save a card as it is, finished or not. Saving the same card twice changes nothing.

    `based_on` is the version that the page showed, 0 for none. 3 queries, 4 with evidence.
    """
    with transaction.atomic():
        locked = lock_writable(assignment)
        draft = Draft.objects.filter(assignment=locked, attribute=attribute).first()
        fields = card.as_json() | {"evidence": [span.as_json() for span in locate_evidence(locked, card.evidence)]}
        if draft is not None and all(getattr(draft, name) == value for name, value in fields.items()):
            return draft
        if based_on != (draft.version if draft else 0):
            raise ChangedElsewhere(draft)
        return _save_draft(draft or Draft(assignment=locked, attribute=attribute, version=0), fields)


def _save_draft(draft: Draft, fields: dict[str, object]) -> Draft:
    is_new = draft.version == 0
    for name, value in fields.items():
        setattr(draft, name, value)
    draft.version, draft.saved_at = draft.version + 1, timezone.now()
    draft.save(force_insert=is_new, update_fields=None if is_new else [*fields, "version", "saved_at"])
    return draft


def locate_evidence(assignment: Assignment, evidence: Iterable[EvidenceSpan]) -> list[EvidenceSpan]:
    """Locate the evidence in this profile's comments, without duplicates, in order. 1 query, none without evidence.

    Raises NotInTheComment.
    """
    spans = list(evidence)
    if not spans:
        return []
    comments = Comment.objects.filter(profile=assignment.profile_id, pk__in={span.comment for span in spans})
    bodies = dict(comments.values_list("pk", "body"))
    return distinct_evidence(_locate(span, bodies.get(span.comment, "")) for span in spans)


def _locate(evidence: EvidenceSpan, body: str) -> EvidenceSpan:
    span = locate(body, evidence, evidence.text)
    if span is None:
        raise NotInTheComment(EVIDENCE_GONE)
    return EvidenceSpan(span.start, span.end, evidence.comment, span.text_of(body))


def locate(body: str, span: Span, text: str) -> Span | None:
    """The span of the marked text in the body, or None if it isn't there."""
    if not text or span.length <= 0 or not Span(0, len(body)).covers(span):
        return None
    if span.text_of(body) == text:
        return span
    if span.text_of(LINE_BREAK.sub("\n", body)) == LINE_BREAK.sub("\n", text):
        return Span(_position_in_body(body, span.start), _position_in_body(body, span.end))
    return None


def _position_in_body(body: str, position: int) -> int:
    """Convert a position in the shown text to one in the body, where every CR LF before it is one character longer."""
    pairs = [match.start() for match in LINE_BREAK.finditer(body) if match.end() - match.start() == 2]
    for pair in pairs:
        if pair >= position:
            break
        position += 1
    return position


def skip_assignment(
    assignment: Assignment, reason: SkipReason, *, remark: str = "", request: HttpRequest | None = None
) -> None:
    """Return the assignment to the admins. The drafts are kept."""
    with transaction.atomic():
        locked = lock_writable(assignment)
        if locked.submitted_at:
            raise AssignmentClosed(SUBMITTED_BEFORE)
        locked.skipped_at, locked.skip_reason, locked.skip_remark = timezone.now(), reason, remark
        locked.save(update_fields=["skipped_at", "skip_reason", "skip_remark"])
        record(
            AuditEntry.Action.PROFILE_SKIPPED, request=request, actor=assignment.annotator, assignment=locked.pk,
            reason=reason,
        )  # fmt: skip


def flag(
    assignment: Assignment, remark: str, *, comment: int | None = None, request: HttpRequest | None = None
) -> Flag:
    """Ask an admin to look at a comment, or at the profile. Repeating the same remark doesn't add a second flag."""
    subject = assignment.profile.comments.filter(pk=comment).first() if comment else None
    if comment and subject is None:
        raise NotInTheComment(FOREIGN_COMMENT)
    new_flag, is_new = Flag.objects.get_or_create(assignment=assignment, comment=subject, remark=remark)
    if is_new:
        record(AuditEntry.Action.PROFILE_FLAGGED, request=request, actor=assignment.annotator, flag=new_flag.pk)
    return new_flag


def record_look_up(assignment: Assignment, service: LookUp.Service, words: str, *, attribute: str = "") -> LookUp:
    """Record a look-up for the card that was open. The card then suggests hardness 4 or 5, unless it was translated."""
    return LookUp.objects.create(assignment=assignment, service=service, words=words[:300], attribute=attribute)


def count_time(assignment: Assignment, key: UUID, active: int, by_card: dict[str, int]) -> None:
    """Save how long a page has been in use. Totals never shrink, and never grow faster than the clock. 1 query."""
    values: dict[str, str | int] = {
        "assignment": assignment.pk,
        "key": str(key),
        "active": active,
        "cards": json.dumps(by_card),
        "slack": SLACK,
    }
    with connection.cursor() as cursor:
        cursor.execute(UPSERT_TIME, values)


def lock_writable(assignment: Assignment) -> Assignment:
    """Lock the assignment until the transaction ends, so that two tabs write one after the other. 1 query.

    Raises AssignmentClosed.
    """
    row = WRITABLE.first({"this": assignment.pk, "person": assignment.annotator_id})
    if row is None:
        raise AssignmentClosed(NOT_WRITABLE)
    locked: Assignment = row[0]
    return locked
