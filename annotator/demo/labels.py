"""How the two demo evaluators label: mostly right, each with a temper of their own, and not always of one mind."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from annotator.batches.claims import claim_next
from annotator.core.evidence import EvidenceSpan
from annotator.labelling.cards import Card
from annotator.labelling.services import save_card, skip_assignment
from annotator.labelling.submission import submit_assignment
from annotator.models import Annotator, Assignment, Batch, KnownAnswer, SkipReason
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Comment


@dataclass(frozen=True, slots=True)
class Temper:
    misses: float  # how often a planted clue is overlooked
    errs: float  # how often another value is given
    wavers: float  # how often a rating is one step off


TEMPERS = (Temper(misses=0.04, errs=0.04, wavers=0.25), Temper(misses=0.14, errs=0.12, wavers=0.45))


def label_half(batch: Batch, evaluators: Sequence[Annotator]) -> None:
    """Each evaluator submits half of their slots; one skips a profile, and both hold the next one."""
    for number, (annotator, temper) in enumerate(zip(evaluators, TEMPERS, strict=True)):
        chance = random.Random(number)  # noqa: S311 repeatable on purpose
        half = batch.assignments.filter(annotator=annotator).count() // 2
        for turn in range(half):
            assignment = claim_next(batch=batch, annotator=annotator)
            if assignment is not None:
                _label(assignment, temper, chance, skip=number == 1 and turn == 3)
        claim_next(batch=batch, annotator=annotator)


def _label(assignment: Assignment, temper: Temper, chance: random.Random, *, skip: bool) -> None:
    if skip:
        return skip_assignment(assignment, SkipReason.TOO_LITTLE)
    for known in assignment.profile.known_answers.order_by("pk"):
        card = _opinion(known, temper, chance)
        save_card(assignment, Attribute(known.attribute), card, based_on=0)
    submit_assignment(assignment, nothing=True)
    seconds = 60 + chance.randrange(30, 400)
    Assignment.objects.filter(pk=assignment.pk).update(
        active_seconds=seconds, claimed_at=assignment.claimed_at and assignment.claimed_at - timedelta(seconds=seconds)
    )
    return None


def _opinion(known: KnownAnswer, temper: Temper, chance: random.Random) -> Card:
    if chance.random() < temper.misses:
        return Card()
    value = _other_value(known, chance) if chance.random() < temper.errs else known.value
    return Card(
        value,
        hardness=_near(known.hardness, temper, chance),
        certainty=_near(known.certainty, temper, chance),
        required_subreddit=known.required_subreddit,
        evidence=_evidence(known) if value == known.value else (),
    )


def _near(rating: int, temper: Temper, chance: random.Random) -> int:
    if chance.random() >= temper.wavers:
        return rating
    return min(5, max(1, rating + chance.choice((-1, 1))))


def _other_value(known: KnownAnswer, chance: random.Random) -> str:
    """Wrong, as people are wrong: a neighbouring class, an age a few years off, a place less exact."""
    attribute = Attribute(known.attribute)
    if attribute in CLOSED_LISTS:
        return chance.choice([value for value in CLOSED_LISTS[attribute].values if value != known.value])
    if attribute is Attribute.AGE:
        return str(min(110, int(known.value.split("-")[0]) + chance.randint(3, 7)))
    if "/" in known.value:
        return known.value.rsplit("/", 1)[1].strip()
    return "student" if attribute is Attribute.OCCUPATION else known.value


def _evidence(known: KnownAnswer) -> tuple[EvidenceSpan, ...]:
    comments = Comment.objects.in_bulk([pk for pk, _start, _end in known.evidence])
    return tuple(EvidenceSpan(start, end, pk, comments[pk].body[start:end]) for pk, start, end in known.evidence)
