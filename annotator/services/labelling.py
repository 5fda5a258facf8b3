"""What happens to an assignment while it is labelled."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotator.models import Assignment, Evidence, Judgement, SkipReason
from profiles.attributes import Attribute
from profiles.models import Comment


class AssignmentClosed(Exception):
    """Submitted, skipped, or not held: nothing more can be written to it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody says about one attribute. The empty answer says: looked, could not tell."""

    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a comment, `[start, end)` in code points."""

    comment: Comment
    start: int
    end: int


def record_judgement(
    assignment: Assignment,
    attribute: Attribute,
    answer: Answer,
    *,
    quotes: Iterable[Quote] = (),
    note: str = "",
    at: datetime | None = None,
) -> Judgement:
    """Keep what the annotator says now. Saying the same twice leaves one judgement."""
    said = {
        "value": answer.value.strip().lower(),
        "hardness": answer.hardness,
        "certainty": answer.certainty,
        "required_subreddit": answer.required_subreddit,
        "note": note,
        "judged_at": at or timezone.now(),
    }
    with transaction.atomic():
        _lock_held(assignment)
        judgement, _ = Judgement.objects.update_or_create(assignment=assignment, attribute=attribute, defaults=said)
        _replace_evidence(judgement, quotes)
    return judgement


def submit_assignment(assignment: Assignment, *, at: datetime | None = None) -> None:
    """Seal it. What was not judged is recorded as "could not tell": looking and finding nothing is data."""
    with transaction.atomic():
        locked = _lock_held(assignment)
        missing = set(Attribute.values) - set(locked.judgements.values_list("attribute", flat=True))
        now = at or timezone.now()
        Judgement.objects.bulk_create(
            Judgement(assignment=locked, attribute=attribute, judged_at=now) for attribute in sorted(missing)
        )
        locked.submitted_at = now
        locked.save(update_fields=["submitted_at"])


def skip_assignment(assignment: Assignment, reason: SkipReason, *, at: datetime | None = None) -> None:
    with transaction.atomic():
        locked = _lock_held(assignment)
        locked.skipped_at, locked.skip_reason = at or timezone.now(), reason
        locked.save(update_fields=["skipped_at", "skip_reason"])


def _lock_held(assignment: Assignment) -> Assignment:
    locked = Assignment.objects.held().select_for_update(no_key=True).filter(pk=assignment.pk).first()
    if locked is None:
        raise AssignmentClosed("This assignment was submitted or skipped, or is not held. Nothing was changed.")
    return locked


def _replace_evidence(judgement: Judgement, quotes: Iterable[Quote]) -> None:
    judgement.evidence.all().delete()
    Evidence.objects.bulk_create(
        Evidence(judgement=judgement, comment=q.comment, start=q.start, end=q.end, text=q.comment.body[q.start : q.end])
        for q in quotes
    )
