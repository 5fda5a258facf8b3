"""Practice batches: every evaluator reads all their profiles, whose answers are known."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, Max, OuterRef, Q
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.detection.queries.recipes import newest_recipe
from annotator.models import Annotator, Assignment, AuditEntry, Batch, GuidelineVersion, KnownAnswer
from profiles.models import Corpus, Profile

Action = AuditEntry.Action


class PracticeRefused(Exception):
    """What was asked for makes no sense. Says why, to a person."""


def make_practice(
    *,
    name: str,
    corpus: Corpus,
    guideline: GuidelineVersion,
    profiles: Sequence[int],
    created_by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """A batch that every evaluator gets whole, when they begin it. The profiles stand in the order given."""
    _refuse_unknown(corpus, profiles)
    try:
        with transaction.atomic():
            batch = Batch.objects.create(
                name=name,
                corpus=corpus,
                guideline=guideline,
                recipe=newest_recipe(corpus),
                draw={"profiles": list(profiles)},
                is_practice=True,
                created_by=created_by,
                started_at=timezone.now(),
            )
            record(Action.BATCH_CHANGED, request=request, actor=created_by, batch=batch.pk, practice=len(profiles))
    except IntegrityError as error:
        raise PracticeRefused(f"There is a batch called “{name}” already. Choose another name.") from error
    return batch


def choose_practice(corpus: Corpus, size: int) -> list[int]:
    """Profiles to learn from: answers of varied hardness, many of them, and little to read. 1 query.

    Whoever practised a profile knows its answers: none that is planted somewhere, and others of real batches last.
    """
    told, real = ~Q(known_answers__value=""), Assignment.objects.filter(batch__is_practice=False)
    known = Profile.objects.filter(corpus=corpus, known_answers__isnull=False)
    ranked = known.exclude(pk__in=real.filter(is_planted=True).values("profile")).annotate(
        is_in_use=Exists(real.filter(profile=OuterRef("pk"))),
        varied=Count("known_answers__hardness", distinct=True, filter=told),
        many=Count("known_answers", filter=told),
    )
    ranked = ranked.order_by("is_in_use", "-varied", "-many", "comment_count", "pk")
    chosen = list(ranked.values_list("pk", flat=True)[:size])
    if len(chosen) < size:
        raise PracticeRefused(f"Only {len(chosen)} profiles with known answers are free in “{corpus}”. Ask for fewer.")
    return chosen


def require_practice(
    batch: Batch, practice: Batch | None, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> None:
    """From now on nobody gets a new profile of the batch before they finished the practice batch. None: nobody must."""
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
    """Give the annotator their own slots of a practice batch, once. Other batches are left as they are."""
    if not batch.is_practice or batch.closed_at or batch.assignments.filter(annotator=annotator).exists():
        return
    with transaction.atomic():
        Batch.objects.select_for_update().get(pk=batch.pk)  # two newcomers at once: one slot number each
        if batch.assignments.filter(annotator=annotator).exists():
            return
        there = Profile.objects.filter(pk__in=batch.draw.get("profiles", [])).in_bulk()
        slot = (batch.assignments.aggregate(last=Max("slot"))["last"] or 0) + 1
        Assignment.objects.bulk_create(
            Assignment(batch=batch, profile_id=profile, slot=slot, position=position, annotator=annotator)
            for position, profile in enumerate(batch.draw["profiles"])
            if profile in there
        )


def _refuse_unknown(corpus: Corpus, profiles: Sequence[int]) -> None:
    if not profiles:
        raise PracticeRefused("A practice batch needs at least one profile.")
    answers = KnownAnswer.objects.filter(profile__in=profiles, profile__corpus=corpus)
    known = set(answers.values_list("profile", flat=True))
    if len(known) < len(profiles):  # one named twice is refused as well
        raise PracticeRefused("Only profiles of this corpus whose answers are known can be practised, each once.")


def _refuse_requirement(batch: Batch, practice: Batch | None) -> None:
    if batch.is_practice:
        raise PracticeRefused("A practice batch cannot ask for practice itself.")
    if batch.closed_at:
        raise PracticeRefused(f"“{batch.name}” is closed: nobody gets profiles of it any more. Nothing was changed.")
    if practice and (not practice.is_practice or practice.closed_at):
        raise PracticeRefused(f"“{practice.name}” is not an open practice batch. Nothing was changed.")
