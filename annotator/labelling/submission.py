"""Sealing what was said about a profile, and opening it once more."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.labelling.cards import Card, card_from, problem_of
from annotator.labelling.services import AssignmentClosed, ChangedElsewhere, NotInTheComment, lock_writable, settle
from annotator.models import Assignment, AuditEntry, Draft, Evidence, Judgement, Submission
from profiles.answers import parse_answer
from profiles.attributes import Attribute

CONCLUDED = [
    "value",
    "hardness",
    "certainty",
    "required_subreddit",
    "note",
    "geoname_id",
    "judged_at",
    "active_seconds",
]


class Incomplete(Exception):
    """Cards that cannot be sealed as they stand, and why."""

    def __init__(self, problems: dict[Attribute, str]) -> None:
        super().__init__("Some answers are not complete. Nothing was submitted; everything is kept.")
        self.problems = problems


class NothingSaid(Exception):
    """All cards are empty, and nobody confirmed that nothing can be inferred."""


def submit_assignment(
    assignment: Assignment,
    *,
    nothing: bool = False,
    seen: Mapping[str, int] | None = None,
    at: datetime | None = None,
    request: HttpRequest | None = None,
) -> Submission:
    """Seal it. What was left empty is recorded as "could not tell": looking and finding nothing is data.

    `nothing` confirms that nothing can be inferred; `seen` are the versions of the cards that the person saw.
    """
    with transaction.atomic():
        locked = lock_writable(assignment)
        drafts = {draft.attribute: draft for draft in locked.drafts.all()}
        _refuse_unseen(drafts, seen)
        cards = {attribute: _card(drafts.get(attribute)) for attribute in Attribute}
        _refuse_incomplete(cards, nothing=nothing)
        now = at or timezone.now()
        active, by_card = _time_spent(locked)
        judgements = _seal(locked, cards, now, by_card)
        submission = _keep_version(locked, judgements, cards, (now, active))
        locked.submitted_at, locked.reopened_at, locked.active_seconds = now, None, active
        locked.save(update_fields=["submitted_at", "reopened_at", "active_seconds"])
        record(
            AuditEntry.Action.PROFILE_SUBMITTED, request=request, actor=assignment.annotator,
            assignment=locked.pk, submission=submission.number,
        )  # fmt: skip
    return submission


def reopen_assignment(assignment: Assignment, *, request: HttpRequest | None = None) -> Assignment:
    """Let its annotator change what was submitted, until the batch closes. What was sealed stays until then."""
    with transaction.atomic():
        submitted = Assignment.objects.submitted().filter(batch__closed_at=None).select_related("annotator")
        locked = submitted.select_for_update(no_key=True, of=("self",)).filter(pk=assignment.pk).first()
        if locked is None:
            raise AssignmentClosed("It cannot be reopened: its batch is closed, or it was never submitted.")
        if locked.reopened_at is None:
            locked.reopened_at = timezone.now()
            locked.save(update_fields=["reopened_at"])
            record(AuditEntry.Action.PROFILE_REOPENED, request=request, actor=locked.annotator, assignment=locked.pk)
    return locked


def _card(draft: Draft | None) -> Card:
    return card_from(vars(draft)) if draft else Card()


def _refuse_unseen(drafts: dict[str, Draft], seen: Mapping[str, int] | None) -> None:
    """Nobody seals what another tab wrote and they never saw."""
    for attribute, draft in drafts.items() if seen is not None else ():
        if seen is not None and seen.get(attribute, 0) != draft.version:
            raise ChangedElsewhere(draft)


def _refuse_incomplete(cards: dict[Attribute, Card], *, nothing: bool) -> None:
    problems = {attribute: problem_of(attribute, card) for attribute, card in cards.items()}
    if any(problems.values()):
        raise Incomplete({attribute: problem for attribute, problem in problems.items() if problem})
    if not nothing and all(card.is_empty for card in cards.values()):
        raise NothingSaid("Nothing was said about this profile. Can nothing be inferred from it?")


def _time_spent(assignment: Assignment) -> tuple[int, dict[str, int]]:
    """In all, and by card, over every page it was open in. 1 query."""
    total, by_card = 0, dict.fromkeys(Attribute.values, 0)
    for active, cards in assignment.sittings.values_list("active_seconds", "card_seconds"):
        total += active
        for attribute, seconds in cards.items():
            by_card[attribute] = by_card.get(attribute, 0) + min(seconds, active)
    return total, by_card


def _seal(
    assignment: Assignment, cards: dict[Attribute, Card], now: datetime, by_card: dict[str, int]
) -> list[Judgement]:
    """Judgements in place of those of an earlier submission, with their evidence. 1 query, 3 with evidence."""
    judgements = [_judgement(assignment, attribute, card, now, by_card) for attribute, card in cards.items()]
    Judgement.objects.bulk_create(
        judgements, update_conflicts=True, unique_fields=["assignment", "attribute"], update_fields=CONCLUDED
    )
    if assignment.submitted_at:
        Evidence.objects.filter(judgement__in=judgements).delete()
    _add_evidence(assignment, judgements, cards)
    return judgements


def _judgement(
    assignment: Assignment, attribute: Attribute, card: Card, now: datetime, by_card: dict[str, int]
) -> Judgement:
    read = parse_answer(attribute, card.value)
    return Judgement(
        assignment=assignment,
        attribute=attribute,
        value=read.value,
        hardness=card.hardness,
        certainty=card.certainty,
        required_subreddit=card.required_subreddit,
        note=card.note,
        geoname_id=read.geoname_id,
        judged_at=now,
        active_seconds=by_card[attribute],
    )


def _add_evidence(assignment: Assignment, judgements: list[Judgement], cards: dict[Attribute, Card]) -> None:
    evidence = [(one, span) for one in judgements for span in cards[Attribute(one.attribute)].evidence]
    try:
        settle(assignment, (span for _, span in evidence))
    except NotInTheComment as gone:
        raise Incomplete(_stale(assignment, cards)) from gone
    Evidence.objects.bulk_create(
        Evidence(judgement=judgement, comment_id=span.comment, start=span.start, end=span.end, text=span.text)
        for judgement, span in evidence
    )


def _stale(assignment: Assignment, cards: dict[Attribute, Card]) -> dict[Attribute, str]:
    problems = {}
    for attribute, card in cards.items():
        try:
            settle(assignment, card.evidence)
        except NotInTheComment:
            problems[attribute] = "Some evidence does not match its comment any more. Remove it, or mark it again."
    return problems


def _keep_version(
    assignment: Assignment, judgements: list[Judgement], cards: dict[Attribute, Card], when: tuple[datetime, int]
) -> Submission:
    said: list[dict[str, Any]] = [
        cards[Attribute(judgement.attribute)].as_json()
        | {"attribute": judgement.attribute, "value": judgement.value, "geoname_id": judgement.geoname_id}
        for judgement in judgements
    ]
    now, active = when
    return Submission.objects.create(
        assignment=assignment,
        number=assignment.submissions.count() + 1 if assignment.submitted_at else 1,
        submitted_at=now,
        nothing_inferred=all(not judgement.value for judgement in judgements),
        answers=said,
        active_seconds=active,
    )
