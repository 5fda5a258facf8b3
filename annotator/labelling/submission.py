"""Submit and reopen assignments."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import client_address, record
from annotator.core.sql import history_values
from annotator.labelling.cards import Card, card_from, problem_of
from annotator.labelling.services import (
    AssignmentClosed,
    ChangedElsewhere,
    NotInTheComment,
    locate_evidence,
    lock_writable,
)
from annotator.labelling.submission_sql import SUBMIT, WORK
from annotator.models import Assignment, AuditEntry, Draft, Evidence, Submission
from profiles.answers import parse_answer
from profiles.attributes import Attribute
from profiles.statements import prepared_cursor

INCOMPLETE = "Some answers are incomplete. Nothing was submitted, and everything is kept."
NOTHING_INFERRED = "All cards are empty. Can nothing be inferred from this profile?"
STALE_EVIDENCE = "Some evidence no longer matches its comment. Remove it, or mark it again."
NOT_REOPENED = "This profile can’t be reopened: its batch is closed, or it was never submitted."


class Incomplete(Exception):
    """Some cards can't be submitted. `problems` says which and why."""

    def __init__(self, problems: dict[Attribute, str]) -> None:
        super().__init__(INCOMPLETE)
        self.problems = problems


class NothingInferred(Exception):
    """All cards are empty, and the annotator has not confirmed that nothing can be inferred."""


def submit_assignment(
    assignment: Assignment,
    *,
    nothing: bool = False,
    shown_versions: Mapping[str, int] | None = None,
    at: datetime | None = None,
    request: HttpRequest | None = None,
) -> Submission:
    """Turn the drafts into judgements. Record empty cards as "could not tell": finding nothing is data, too.

    `nothing` confirms that nothing can be inferred. `shown_versions` are the versions of the cards on the page.
    """
    with transaction.atomic():
        locked = lock_writable(assignment)
        drafts, sittings = _read_work(locked)
        _refuse_changed(drafts, shown_versions)
        cards = {attribute: _card(drafts.get(attribute)) for attribute in Attribute}
        _refuse_incomplete(cards, nothing=nothing)
        _refuse_stale_evidence(locked, cards)
        values = _values(cards, sittings) | {"now": at or timezone.now(), "assignment": locked.pk}
        values |= {"actor": assignment.annotator_id, "address": client_address(request) if request else None}
        return _save(locked, cards, values)


def reopen_assignment(assignment: Assignment, *, request: HttpRequest | None = None) -> Assignment:
    """Let the annotator change a submission until the batch closes. The judgements stay until it is submitted again."""
    with transaction.atomic():
        submitted = Assignment.objects.submitted().filter(batch__closed_at=None).select_related("annotator")
        locked = submitted.select_for_update(no_key=True, of=("self",)).filter(pk=assignment.pk).first()
        if locked is None:
            raise AssignmentClosed(NOT_REOPENED)
        if locked.reopened_at is None:
            locked.reopened_at = timezone.now()
            locked.save(update_fields=["reopened_at"])
            record(AuditEntry.Action.PROFILE_REOPENED, request=request, actor=locked.annotator, assignment=locked.pk)
    return locked


def _card(draft: Draft | None) -> Card:
    return card_from(vars(draft)) if draft else Card()


def _refuse_changed(drafts: dict[str, Draft], shown_versions: Mapping[str, int] | None) -> None:
    """Refuse to submit cards that another tab changed and this page never showed."""
    if shown_versions is None:
        return
    for attribute, draft in drafts.items():
        if shown_versions.get(attribute, 0) != draft.version:
            raise ChangedElsewhere(draft)


def _refuse_incomplete(cards: dict[Attribute, Card], *, nothing: bool) -> None:
    problems = {attribute: problem_of(attribute, card) for attribute, card in cards.items()}
    if any(problems.values()):
        raise Incomplete({attribute: problem for attribute, problem in problems.items() if problem})
    if not nothing and all(card.is_empty for card in cards.values()):
        raise NothingInferred(NOTHING_INFERRED)


def _refuse_stale_evidence(assignment: Assignment, cards: dict[Attribute, Card]) -> None:
    """1 query, none without evidence."""
    try:
        locate_evidence(assignment, (span for card in cards.values() for span in card.evidence))
    except NotInTheComment as missing:
        raise Incomplete(_stale_evidence(assignment, cards)) from missing


def _stale_evidence(assignment: Assignment, cards: dict[Attribute, Card]) -> dict[Attribute, str]:
    problems = {}
    for attribute, card in cards.items():
        try:
            locate_evidence(assignment, card.evidence)
        except NotInTheComment:
            problems[attribute] = STALE_EVIDENCE
    return problems


def _read_work(assignment: Assignment) -> tuple[dict[str, Draft], list[tuple[int, dict[str, int]]]]:
    """The drafts by attribute, and the active seconds of each sitting, in total and by card. 1 query."""
    with prepared_cursor() as cursor:
        cursor.execute(WORK, {"assignment": assignment.pk})
        drafts, sittings = cursor.fetchone()
    return {draft["attribute"]: Draft(assignment=assignment, **draft) for draft in drafts}, sittings


def _time_spent(sittings: list[tuple[int, dict[str, int]]]) -> tuple[int, dict[str, int]]:
    """Active seconds in total and by card, summed over all sittings."""
    total, by_card = 0, dict.fromkeys(Attribute.values, 0)
    for active, cards in sittings:
        total += active
        for attribute, seconds in cards.items():
            by_card[attribute] = by_card.get(attribute, 0) + min(seconds, active)
    return total, by_card


def _values(cards: dict[Attribute, Card], sittings: list[tuple[int, dict[str, int]]]) -> dict[str, Any]:
    """The values of `SUBMIT` that follow from the answers."""
    answers = [_answer(attribute, card) for attribute, card in cards.items()]
    active, by_card = _time_spent(sittings)
    return {
        "answers": json.dumps(answers), "nothing": not any(answer["value"] for answer in answers), "active": active,
        "seconds": json.dumps(by_card), "action": AuditEntry.Action.PROFILE_SUBMITTED.value,
    }  # fmt: skip


def _answer(attribute: Attribute, card: Card) -> dict[str, Any]:
    answer = parse_answer(attribute, card.value)
    return card.as_json() | {"attribute": attribute.value, "value": answer.value, "geoname_id": answer.geoname_id}


def _save(assignment: Assignment, cards: dict[Attribute, Card], values: dict[str, Any]) -> Submission:
    """Save the judgements with their evidence, replacing those of an earlier submission, and the submission.

    1 query, 1 more with evidence, 1 or 2 more if it was submitted before.
    """
    if assignment.submitted_at:
        Evidence.objects.filter(judgement__assignment=assignment).delete()
    with prepared_cursor() as cursor:
        cursor.execute(SUBMIT, values | history_values())
        pk, number, judgements = cursor.fetchone()
    _add_evidence(judgements, cards)
    return Submission(
        pk=pk, assignment=assignment, number=number, submitted_at=values["now"], nothing_inferred=values["nothing"],
        answers=json.loads(values["answers"]), active_seconds=values["active"],
    )  # fmt: skip


def _add_evidence(judgements: dict[str, int], cards: dict[Attribute, Card]) -> None:
    Evidence.objects.bulk_create(
        Evidence(
            judgement_id=judgements[attribute.value], comment_id=span.comment, start=span.start, end=span.end,
            text=span.text,
        )
        for attribute, card in cards.items() for span in card.evidence
    )  # fmt: skip
