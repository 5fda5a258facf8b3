"""Submit and reopen assignments."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.labelling.cards import Card, card_from, problem_of
from annotator.labelling.services import (
    AssignmentClosed,
    ChangedElsewhere,
    NotInTheComment,
    locate_evidence,
    lock_writable,
)
from annotator.models import Assignment, AuditEntry, Draft, Evidence, Judgement, Submission
from profiles.answers import parse_answer
from profiles.attributes import Attribute

JUDGEMENT_FIELDS = [
    "value",
    "hardness",
    "certainty",
    "required_subreddit",
    "note",
    "geoname_id",
    "judged_at",
    "active_seconds",
]


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
        drafts = {draft.attribute: draft for draft in locked.drafts.all()}
        _refuse_changed(drafts, shown_versions)
        cards = {attribute: _card(drafts.get(attribute)) for attribute in Attribute}
        _refuse_incomplete(cards, nothing=nothing)
        now = at or timezone.now()
        active, by_card = _time_spent(locked)
        judgements = _save_judgements(locked, cards, now, by_card)
        submission = _save_submission(locked, judgements, cards, (now, active))
        locked.submitted_at, locked.reopened_at, locked.active_seconds = now, None, active
        locked.save(update_fields=["submitted_at", "reopened_at", "active_seconds"])
        record(
            AuditEntry.Action.PROFILE_SUBMITTED, request=request, actor=assignment.annotator,
            assignment=locked.pk, submission=submission.number,
        )  # fmt: skip
    return submission


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


def _time_spent(assignment: Assignment) -> tuple[int, dict[str, int]]:
    """Active seconds in total and by card, summed over all sittings. 1 query."""
    total, by_card = 0, dict.fromkeys(Attribute.values, 0)
    for active, cards in assignment.sittings.values_list("active_seconds", "card_seconds"):
        total += active
        for attribute, seconds in cards.items():
            by_card[attribute] = by_card.get(attribute, 0) + min(seconds, active)
    return total, by_card


def _save_judgements(
    assignment: Assignment, cards: dict[Attribute, Card], now: datetime, by_card: dict[str, int]
) -> list[Judgement]:
    """Save the judgements with their evidence, replacing those of an earlier submission.

    1 query, 3 with evidence, 1 more if it was submitted before.
    """
    judgements = [_judgement(assignment, attribute, card, now, by_card) for attribute, card in cards.items()]
    Judgement.objects.bulk_create(
        judgements, update_conflicts=True, unique_fields=["assignment", "attribute"], update_fields=JUDGEMENT_FIELDS
    )
    if assignment.submitted_at:
        Evidence.objects.filter(judgement__in=judgements).delete()
    _add_evidence(assignment, judgements, cards)
    return judgements


def _judgement(
    assignment: Assignment, attribute: Attribute, card: Card, now: datetime, by_card: dict[str, int]
) -> Judgement:
    answer = parse_answer(attribute, card.value)
    return Judgement(
        assignment=assignment,
        attribute=attribute,
        value=answer.value,
        hardness=card.hardness,
        certainty=card.certainty,
        required_subreddit=card.required_subreddit,
        note=card.note,
        geoname_id=answer.geoname_id,
        judged_at=now,
        active_seconds=by_card[attribute],
    )


def _add_evidence(assignment: Assignment, judgements: list[Judgement], cards: dict[Attribute, Card]) -> None:
    evidence = [
        (judgement, span) for judgement in judgements for span in cards[Attribute(judgement.attribute)].evidence
    ]
    try:
        locate_evidence(assignment, (span for _, span in evidence))
    except NotInTheComment as missing:
        raise Incomplete(_stale_evidence(assignment, cards)) from missing
    Evidence.objects.bulk_create(
        Evidence(judgement=judgement, comment_id=span.comment, start=span.start, end=span.end, text=span.text)
        for judgement, span in evidence
    )


def _stale_evidence(assignment: Assignment, cards: dict[Attribute, Card]) -> dict[Attribute, str]:
    problems = {}
    for attribute, card in cards.items():
        try:
            locate_evidence(assignment, card.evidence)
        except NotInTheComment:
            problems[attribute] = STALE_EVIDENCE
    return problems


def _save_submission(
    assignment: Assignment, judgements: list[Judgement], cards: dict[Attribute, Card], when: tuple[datetime, int]
) -> Submission:
    answers: list[dict[str, Any]] = [
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
        answers=answers,
        active_seconds=active,
    )
