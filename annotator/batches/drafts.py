"""Drawing batches: a draft with its slots laid out, changed as often as it takes, until it is started."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.batches.changes import (
    BatchRefused,
    evaluators_among,
    keep_change,
    lock_batch,
    tell_postgres_how_many,
)
from annotator.batches.drawing.candidates import DrawRefused
from annotator.batches.drawing.draw import Drawn, Wish, as_recipe, draw
from annotator.batches.drawing.people import active_evaluators
from annotator.batches.drawing.plan import Plan, as_people
from annotator.batches.drawing.shares import CannotShare, Share, share_out
from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Batch
from profiles.models import Profile

GONE = "A profile that was drawn has been removed meanwhile. Nothing was changed. Draw again."


def draw_draft(plan: Plan, *, by: Annotator | None = None, request: HttpRequest | None = None) -> Batch:
    """Draw by the plan and lay out the slots. Nobody gets any of them before the batch is started."""
    wish = plan.wish
    drawn = draw(plan.ground(), wish)
    batch = Batch(corpus=plan.corpus, created_by=by)
    try:
        with transaction.atomic():
            _fill(batch, plan, wish, drawn)
            batch.save()
            lay_out(batch, drawn.profiles, plan.people)
            record(
                AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=batch.pk, drawn=plan.size,
                eligible=drawn.eligible, seed=plan.seed,
            )  # fmt: skip
    except IntegrityError as error:
        raise BatchRefused(f"There is a batch called “{plan.name}” already. Choose another name.") from error
    return batch


def redraw_draft(
    batch: Batch,
    plan: Plan,
    *,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """Draw a draft anew by a changed plan: its slots are laid out once more. Not once it was started."""
    wish = plan.wish
    drawn = draw(plan.ground(apart_from=batch.pk), wish)
    try:
        with transaction.atomic():
            locked = _locked_draft(batch, based_on)
            locked.assignments.all().delete()
            _fill(locked, plan, wish, drawn)
            fields = ["name", "corpus", "guideline", "recipe", "draw", "overlap", "hints_shown", "people", "due_at"]
            keep_change(locked, *fields, by=by, request=request, drawn=plan.size, eligible=drawn.eligible)
            lay_out(locked, drawn.profiles, plan.people)
    except IntegrityError as error:
        raise BatchRefused(f"There is a batch called “{plan.name}” already. Choose another name.") from error
    return locked


def discard_draft(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> None:
    """Its profiles are free for other draws again. What was started is closed, never removed."""
    with transaction.atomic():
        locked = _locked_draft(batch, based_on)
        record(AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=locked.pk, discarded=True)
        locked.assignments.all().delete()
        locked.delete()


def lay_out(batch: Batch, drawn: Sequence[int], people: Sequence[Share], *, position: int = 0) -> None:
    """A slot for each reader of each profile, in the drawn order from a position on. Named people get theirs now."""
    _refuse_gone(drawn)
    readers = _readers(batch, drawn, people)
    Assignment.objects.bulk_create(
        (
            Assignment(batch=batch, profile_id=profile, slot=slot, position=position + place, annotator_id=reader)
            for place, profile in enumerate(drawn)
            for slot, reader in enumerate(readers[place])
        ),
        batch_size=1000,
    )
    tell_postgres_how_many()


def _fill(batch: Batch, plan: Plan, wish: Wish, drawn: Drawn) -> None:
    more = {"planted": plan.planted} if plan.planted else {}
    batch.name, batch.corpus, batch.guideline, batch.recipe = plan.name, plan.corpus, plan.guideline, plan.recipe
    batch.overlap, batch.hints_shown, batch.due_at = plan.overlap, plan.hints_shown, plan.due_at
    batch.people = as_people(plan.people)
    batch.draw = as_recipe(wish, drawn, drawn_at=timezone.now().isoformat(), **more)


def _locked_draft(batch: Batch, based_on: int | None) -> Batch:
    locked = lock_batch(batch, based_on)
    if locked.started_at:
        raise BatchRefused(
            f"“{locked.name}” has been started: what was drawn stands. Nothing was changed. Extend it, or draw another."
        )
    return locked


def _refuse_gone(drawn: Sequence[int]) -> None:
    """Whoever removes an account waits until the slots are there, and removes them as well."""
    held = Profile.objects.filter(pk__in=drawn).select_for_update(no_key=True, of=("self",)).order_by("pk")
    if len(held.values_list("pk", flat=True)) < len(drawn):
        raise DrawRefused(GONE)


def _readers(batch: Batch, drawn: Sequence[int], people: Sequence[Share]) -> Sequence[Sequence[int | None]]:
    never = _labelled_by(drawn) if batch.draw.get("criteria", {}).get("relabel") else {}
    if not people:
        _refuse_small_pool(batch.overlap, relabel=bool(never))
        return [[None] * batch.overlap] * len(drawn)
    evaluators_among([share.person for share in people])
    try:
        return share_out(len(drawn), batch.overlap, people, never)
    except CannotShare as error:
        raise BatchRefused(str(error)) from error


def _labelled_by(drawn: Sequence[int]) -> Mapping[int, set[int]]:
    """By the place of a profile in the draw, who has submitted it in some batch: they do not get it again."""
    places = {profile: place for place, profile in enumerate(drawn)}
    never: dict[int, set[int]] = defaultdict(set)
    submitted = Assignment.objects.submitted().filter(profile__in=drawn, annotator__isnull=False)
    for profile, annotator in submitted.values_list("profile", "annotator"):
        never[places[profile]].add(annotator or 0)
    return never


def _refuse_small_pool(overlap: int, *, relabel: bool) -> None:
    """In a pool everybody may read; whoever labelled a profile before does not get it again."""
    there = active_evaluators().count() - relabel
    if overlap > max(there, 0 if relabel else 1):  # one reader may still be invited
        raise BatchRefused(
            f"{overlap} people are to read each profile, and {max(there, 0)} evaluators can. Invite more, or lower the "
            "overlap."
        )
