"""Practice batches: every annotator labels all of their profiles, whose answers are known."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, Max, OuterRef, Q
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Batch, GuidelineVersion, KnownAnswer
from profiles.models import Corpus, Profile

Action = AuditEntry.Action

NO_PROFILES = "A practice batch needs at least one profile."
UNKNOWN_PROFILES = "Practice needs different profiles of this corpus that have known answers."
NAME_TAKEN = "There is already a batch called “{name}”. Choose another name."
TOO_FEW_KNOWN = "Only {count} profiles with known answers are free in “{corpus}”. Ask for fewer."
IS_PRACTICE_ITSELF = "A practice batch can’t require practice itself."
IS_CLOSED = "“{name}” is closed, so nobody can practise with it. Nothing was changed."
NOT_OPEN_PRACTICE = "“{name}” is not an open practice batch. Nothing was changed."


class PracticeRefused(Exception):
    """The request can't be fulfilled. The message says why."""


def make_practice(
    *,
    name: str,
    corpus: Corpus,
    guideline: GuidelineVersion,
    profiles: Sequence[int],
    created_by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """Create a practice batch. Whoever starts it gets all of its profiles, in this order."""
    _refuse_unknown(corpus, profiles)
    try:
        with transaction.atomic():
            batch = Batch.objects.create(
                name=name,
                corpus=corpus,
                guideline=guideline,
                recipe=corpus.runs.newest_recipe(),
                draw={"profiles": list(profiles)},
                is_practice=True,
                created_by=created_by,
                started_at=timezone.now(),
            )
            record(Action.BATCH_CHANGED, request=request, actor=created_by, batch=batch.pk, practice=len(profiles))
    except IntegrityError as error:
        raise PracticeRefused(NAME_TAKEN.format(name=name)) from error
    return batch


def choose_practice(corpus: Corpus, size: int) -> list[int]:
    """Profiles to learn from: many answers of varied hardness, and little to read. 1 query.

    Whoever practises a profile learns its answers, so exclude planted profiles and take those of real batches last.
    """
    answered, real = ~Q(known_answers__value=""), Assignment.objects.filter(batch__is_practice=False)
    known = Profile.objects.filter(corpus=corpus, known_answers__isnull=False)
    ranked = known.exclude(pk__in=real.filter(is_planted=True).values("profile")).annotate(
        is_in_use=Exists(real.filter(profile=OuterRef("pk"))),
        varied=Count("known_answers__hardness", distinct=True, filter=answered),
        many=Count("known_answers", filter=answered),
    )
    ranked = ranked.order_by("is_in_use", "-varied", "-many", "comment_count", "pk")
    chosen = list(ranked.values_list("pk", flat=True)[:size])
    if len(chosen) < size:
        raise PracticeRefused(TOO_FEW_KNOWN.format(count=len(chosen), corpus=corpus))
    return chosen


def require_practice(
    batch: Batch, practice: Batch | None, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> None:
    """Hand out profiles of the batch only to people who finished the practice batch. None lifts the requirement."""
    with transaction.atomic():
        locked = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        _refuse_requirement(locked, practice)
        if locked.after_practice_id != (practice.pk if practice else None):
            locked.after_practice = practice
            locked.save(update_fields=["after_practice"])
            record(
                Action.BATCH_CHANGED, request=request, actor=by, batch=locked.pk,
                after_practice=practice.pk if practice else None,
            )  # fmt: skip


def start_practice(batch: Batch, annotator: Annotator) -> None:
    """Create the annotator's own assignments in a practice batch, once. Do nothing for other batches."""
    if not batch.is_practice or batch.closed_at or batch.assignments.filter(annotator=annotator).exists():
        return
    with transaction.atomic():
        Batch.objects.select_for_update().get(pk=batch.pk)  # two people who start together get different slots
        if batch.assignments.filter(annotator=annotator).exists():
            return
        existing = Profile.objects.filter(pk__in=batch.draw.get("profiles", [])).in_bulk()
        slot = (batch.assignments.aggregate(last=Max("slot"))["last"] or 0) + 1
        Assignment.objects.bulk_create(
            Assignment(batch=batch, profile_id=profile, slot=slot, position=position, annotator=annotator)
            for position, profile in enumerate(batch.draw["profiles"])
            if profile in existing
        )


def _refuse_unknown(corpus: Corpus, profiles: Sequence[int]) -> None:
    if not profiles:
        raise PracticeRefused(NO_PROFILES)
    answers = KnownAnswer.objects.filter(profile__in=profiles, profile__corpus=corpus)
    known = set(answers.values_list("profile", flat=True))
    if len(known) < len(profiles):  # also refuses duplicates
        raise PracticeRefused(UNKNOWN_PROFILES)


def _refuse_requirement(batch: Batch, practice: Batch | None) -> None:
    if batch.is_practice:
        raise PracticeRefused(IS_PRACTICE_ITSELF)
    if batch.closed_at:
        raise PracticeRefused(IS_CLOSED.format(name=batch.name))
    if practice and (not practice.is_practice or practice.closed_at):
        raise PracticeRefused(NOT_OPEN_PRACTICE.format(name=practice.name))
