"""How the two demo evaluators label: mostly right, each with their own error rates, not always in agreement."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from annotator.batches.claims import claim_next
from annotator.core.evidence import EvidenceSpan
from annotator.labelling.cards import Card
from annotator.labelling.services import save_card, skip_assignment
from annotator.labelling.submission import submit_assignment
from annotator.models import Annotator, Assignment, Batch, KnownAnswer, Sitting, SkipReason
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Comment


@dataclass(frozen=True, slots=True)
class ErrorRates:
    missed: float  # a clue is overlooked
    wrong: float  # another value is given
    off_by_one: float  # a rating is one step off


ERROR_RATES = (
    ErrorRates(missed=0.04, wrong=0.04, off_by_one=0.25),
    ErrorRates(missed=0.14, wrong=0.12, off_by_one=0.45),
)


def label_half(batch: Batch, evaluators: Sequence[Annotator]) -> None:
    """Each evaluator submits half of their assignments; one skips a profile, and both hold the next one."""
    for number, (annotator, rates) in enumerate(zip(evaluators, ERROR_RATES, strict=True)):
        rng = random.Random(number)  # noqa: S311 repeatable on purpose
        half = batch.assignments.filter(annotator=annotator).count() // 2
        for turn in range(half):
            assignment = claim_next(batch=batch, annotator=annotator)
            if assignment is not None:
                _label(assignment, rates, rng, skip=number == 1 and turn == 3)
        claim_next(batch=batch, annotator=annotator)


def _label(assignment: Assignment, rates: ErrorRates, rng: random.Random, *, skip: bool) -> None:
    if skip:
        return skip_assignment(assignment, SkipReason.TOO_LITTLE)
    for known in assignment.profile.known_answers.order_by("pk"):
        card = _card(known, rates, rng)
        save_card(assignment, Attribute(known.attribute), card, based_on=0)
    submit_assignment(assignment, nothing=True)
    seconds = 60 + rng.randrange(30, 400)
    Sitting.objects.create(assignment=assignment, key=uuid4(), active_seconds=seconds, last_at=timezone.now())
    Assignment.objects.filter(pk=assignment.pk).update(
        active_seconds=seconds, claimed_at=assignment.claimed_at and assignment.claimed_at - timedelta(seconds=seconds)
    )
    return None


def _card(known: KnownAnswer, rates: ErrorRates, rng: random.Random) -> Card:
    if rng.random() < rates.missed:
        return Card()
    value = _other_value(known, rng) if rng.random() < rates.wrong else known.value
    return Card(
        value,
        hardness=_rating(known.hardness, rates, rng),
        certainty=_rating(known.certainty, rates, rng),
        required_subreddit=known.required_subreddit,
        evidence=_evidence(known) if value == known.value else (),
    )


def _rating(rating: int, rates: ErrorRates, rng: random.Random) -> int:
    if rng.random() >= rates.off_by_one:
        return rating
    return min(5, max(1, rating + rng.choice((-1, 1))))


def _other_value(known: KnownAnswer, rng: random.Random) -> str:
    """A plausible mistake: another class, an age a few years off, a less precise place."""
    attribute = Attribute(known.attribute)
    if attribute in CLOSED_LISTS:
        return rng.choice([value for value in CLOSED_LISTS[attribute].values if value != known.value])
    if attribute is Attribute.AGE:
        return str(min(110, int(known.value.split("-")[0]) + rng.randint(3, 7)))
    if "/" in known.value:
        return known.value.rsplit("/", 1)[1].strip()
    return "student" if attribute is Attribute.OCCUPATION else known.value


def _evidence(known: KnownAnswer) -> tuple[EvidenceSpan, ...]:
    comments = Comment.objects.in_bulk([pk for pk, _start, _end in known.evidence])
    return tuple(EvidenceSpan(start, end, pk, comments[pk].body[start:end]) for pk, start, end in known.evidence)
