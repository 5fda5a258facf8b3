"""What happens to an assignment while it is labelled: cards are kept, time is counted, things are reported."""

import json
from collections.abc import Iterable
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.core.evidence import EvidenceSpan, distinct_evidence
from annotator.core.sql import Rows
from annotator.labelling.cards import Card
from annotator.labelling.quotes import locate
from annotator.models import Assignment, AuditEntry, Draft, Flag, LookUp, SkipReason
from profiles.attributes import Attribute
from profiles.models import Comment

SLACK = 5  # seconds that a message may take
COUNTED = """
    INSERT INTO annotator_sitting AS kept (assignment_id, key, active_seconds, card_seconds, began_at, last_at)
    VALUES (%(assignment)s, %(key)s, least(%(active)s, %(slack)s), %(cards)s, now(), now())
    ON CONFLICT (assignment_id, key) DO UPDATE SET
        active_seconds = greatest(kept.active_seconds,
            least(%(active)s, extract(epoch FROM now() - kept.began_at)::int + %(slack)s)),
        card_seconds = CASE WHEN kept.active_seconds <= %(active)s THEN %(cards)s ELSE kept.card_seconds END,
        last_at = now()
"""
WRITABLE = Rows(  # as `Assignment.objects.writable()`, locked
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


class AssignmentClosed(Exception):
    """Submitted, skipped, not held, or its batch is closed: nothing more can be written to it."""


class ChangedElsewhere(Exception):
    """The card is not as it was when the person began to change it: another tab or device was first."""

    def __init__(self, draft: Draft | None) -> None:
        super().__init__("This answer was changed elsewhere meanwhile. Nothing was overwritten.")
        self.draft = draft


class NotInTheComment(Exception):
    """Words marked as evidence that do not stand in the comment, or a comment of another profile."""


def save_card(assignment: Assignment, attribute: Attribute, card: Card, *, based_on: int) -> Draft:
    """Keep a card as it stands, finished or not. Saving the same twice changes nothing.

    `based_on` is the version the person saw, 0 for none. 4 queries, one more with evidence.
    """
    with transaction.atomic():
        locked = lock_writable(assignment)
        kept = Draft.objects.filter(assignment=locked, attribute=attribute).first()
        said = card.as_json() | {"evidence": [span.as_json() for span in settle(locked, card.evidence)]}
        if kept is not None and all(getattr(kept, name) == value for name, value in said.items()):
            return kept
        if based_on != (kept.version if kept else 0):
            raise ChangedElsewhere(kept)
        return _keep(locked, attribute, said, kept)


def _keep(assignment: Assignment, attribute: Attribute, said: dict[str, object], kept: Draft | None) -> Draft:
    draft = kept or Draft(assignment=assignment, attribute=attribute, version=0)
    for name, value in said.items():
        setattr(draft, name, value)
    draft.version, draft.saved_at = draft.version + 1, timezone.now()
    draft.save(force_insert=kept is None, update_fields=None if kept is None else [*said, "version", "saved_at"])
    return draft


def settle(assignment: Assignment, evidence: Iterable[EvidenceSpan]) -> list[EvidenceSpan]:
    """The evidence where it stands in this profile's comments, each once, in order. 1 query where there is any."""
    spans = list(evidence)
    if not spans:
        return []
    comments = Comment.objects.filter(profile=assignment.profile_id, pk__in={span.comment for span in spans})
    bodies = dict(comments.values_list("pk", "body"))
    return distinct_evidence(_located(span, bodies.get(span.comment, "")) for span in spans)


def _located(evidence: EvidenceSpan, body: str) -> EvidenceSpan:
    span = locate(body, evidence, evidence.text)
    if span is None:
        raise NotInTheComment("These words do not stand in the comment any more. Mark them again.")
    return EvidenceSpan(span.start, span.end, evidence.comment, span.text_of(body))


def skip_assignment(
    assignment: Assignment, reason: SkipReason, *, remark: str = "", request: HttpRequest | None = None
) -> None:
    """Give the slot back to the admin. What was written on the cards is kept."""
    with transaction.atomic():
        locked = lock_writable(assignment)
        if locked.submitted_at:
            raise AssignmentClosed("It was submitted before and cannot be skipped now. Nothing was changed.")
        locked.skipped_at, locked.skip_reason, locked.skip_remark = timezone.now(), reason, remark
        locked.save(update_fields=["skipped_at", "skip_reason", "skip_remark"])
        record(
            AuditEntry.Action.PROFILE_SKIPPED, request=request, actor=assignment.annotator, assignment=locked.pk,
            reason=reason,
        )  # fmt: skip


def flag(
    assignment: Assignment, remark: str, *, comment: int | None = None, request: HttpRequest | None = None
) -> Flag:
    """Ask an admin to look. Saying the same of the same twice leaves one flag."""
    about = assignment.profile.comments.filter(pk=comment).first() if comment else None
    if comment and about is None:
        raise NotInTheComment("This comment is not one of this profile's.")
    raised, is_new = Flag.objects.get_or_create(assignment=assignment, comment=about, remark=remark)
    if is_new:
        record(AuditEntry.Action.PROFILE_FLAGGED, request=request, actor=assignment.annotator, flag=raised.pk)
    return raised


def remember_look_up(assignment: Assignment, service: LookUp.Service, words: str) -> LookUp:
    return LookUp.objects.create(assignment=assignment, service=service, words=words[:300])


def count_time(assignment: Assignment, key: UUID, active: int, by_card: dict[str, int]) -> None:
    """Keep how long a page was in use so far. Totals only grow, and never faster than the clock. 1 query."""
    values: dict[str, str | int] = {
        "assignment": assignment.pk,
        "key": str(key),
        "active": active,
        "cards": json.dumps(by_card),
        "slack": SLACK,
    }
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, values)


def lock_writable(assignment: Assignment) -> Assignment:
    """Held until the transaction ends, so that two tabs write one after the other. 1 query."""
    locked = WRITABLE.first({"this": assignment.pk, "person": assignment.annotator_id})
    if locked is None:
        raise AssignmentClosed(
            "This profile was submitted or skipped, or its batch is closed. Nothing was changed; what you typed is "
            "still on this page."
        )
    found: Assignment = locked[0]
    return found
