"""Writes of the labelling page: save cards, skip, flag, record look-ups and time.

Browsers show every line break as one character, however it is stored. So look for evidence at its position in the
stored text first, then in the text as the page shows it. The marked text must match.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.core.evidence import EvidenceSpan, distinct_evidence
from annotator.core.sql import Rows
from annotator.labelling.cards import Card, card_from
from annotator.labelling.draft_sql import FIRST_DRAFT, LOCKED, NEXT_DRAFT
from annotator.models import Assignment, AuditEntry, Draft, Flag, LookUp, SkipReason
from profiles.attributes import Attribute
from profiles.models import Comment
from profiles.spans import Span
from profiles.statements import prepared_cursor

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
WRITABLE = Rows(f"SELECT {{columns}} {LOCKED}", {"assignment": Assignment})
FIRST_WRITE, NEXT_WRITE = Rows(FIRST_DRAFT, {"draft": Draft}), Rows(NEXT_DRAFT, {"draft": Draft})

NOT_WRITABLE = (
    "This profile was submitted, skipped or taken back, or its batch was closed. What you typed isn’t saved, "
    "but it’s still on this page."
)
CHANGED_ELSEWHERE = "This answer has been changed elsewhere. Nothing was overwritten."
EVIDENCE_GONE = "These words are no longer in the comment. Mark them again."
FOREIGN_COMMENT = "This comment doesn’t belong to this profile."
SUBMITTED_BEFORE = "This profile was submitted before, so it can’t be skipped. Nothing was changed."


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

    `based_on` is the version that the page showed, 0 for none. 1 query; with evidence, a transaction of 3.
    """
    if not card.evidence:
        return _write_card(assignment, attribute, card, based_on)
    with transaction.atomic():
        locked = lock_writable(assignment)
        located = tuple(locate_evidence(locked, card.evidence))
        return _write_card(assignment, attribute, replace(card, evidence=located), based_on)


def _write_card(assignment: Assignment, attribute: Attribute, card: Card, based_on: int) -> Draft:
    """Write the card if the assignment is writable and nobody changed the card since. Otherwise find out why not."""
    fields = card.as_json() | {"evidence": json.dumps([span.as_json() for span in card.evidence])}
    values = fields | {"this": assignment.pk, "person": assignment.annotator_id, "attribute": attribute.value}
    row = (NEXT_WRITE if based_on else FIRST_WRITE).first(values | {"based_on": based_on, "saved_at": timezone.now()})
    return row[0] if row else _unchanged_draft(assignment, attribute, card)


def _unchanged_draft(assignment: Assignment, attribute: Attribute, card: Card) -> Draft:
    """The draft that says the same already. Raises what kept the card from being written. 4 queries."""
    with transaction.atomic():
        draft = Draft.objects.filter(assignment=lock_writable(assignment), attribute=attribute).first()
    if draft is None or card_from(vars(draft)) != card:
        raise ChangedElsewhere(draft)
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
    with prepared_cursor() as cursor:
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
