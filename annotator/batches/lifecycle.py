"""The life cycle of a batch: draw and start, pause, resume, extend, rename, close, reopen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Q
from django.http import HttpRequest
from django.utils import timezone

from annotator.batches.changes import (
    lock_assignments,
    lock_batch,
    require_open,
    require_unclosed,
    save_change,
)
from annotator.batches.drafts import create_assignments, draw_draft
from annotator.batches.drawing.candidates import Population
from annotator.batches.drawing.draw import draw
from annotator.batches.drawing.plan import DrawOptions, Plan
from annotator.batches.drawing.shares import Share, shares_from_json
from annotator.batches.refusals import (
    AlreadyStarted,
    BatchNameTaken,
    BatchRefused,
    ImportedBatch,
    NobodyLeft,
    NotClosed,
    NotDrawn,
    NothingToPlant,
)
from annotator.core.formatting import plural
from annotator.detection.priorities import prefer
from annotator.models import Annotator, Batch, GuidelineVersion, SkipReason
from annotator.models.batches import AssignmentQuerySet
from annotator.quality.services.planted_profiles import PlantingRefused, plant
from profiles.models import Corpus, Recipe


@dataclass(frozen=True, slots=True)
class OpenWork:
    """What annotators have open in a batch."""

    people: int
    profiles: int
    with_answers: int

    @property
    def in_words(self) -> str:
        who, what = plural(self.people, "person has", "people have"), plural(self.profiles, "profile")
        return f"{who} {what} open, {self.with_answers or 'none'} of them with unsubmitted answers"


class HasOpenWork(BatchRefused):
    """Annotators have profiles open, and nobody has confirmed that they may be withdrawn."""

    def __init__(self, open_work: OpenWork) -> None:
        super().__init__(f"{open_work.in_words}. The batch was not closed. Wait for them, or withdraw the profiles.")
        self.open_work = open_work


def draw_batch(
    *,
    name: str,
    corpus: Corpus,
    guideline: GuidelineVersion,
    size: int,
    seed: int,
    overlap: int = 1,
    recipe: Recipe | None = None,
    annotators: Sequence[Annotator] = (),
    created_by: Annotator | None = None,
) -> Batch:
    """Draw from the whole corpus and start at once, for these annotators or for a shared pool."""
    plan = Plan(
        name=name, corpus=corpus, guideline=guideline, size=size, seed=seed, overlap=overlap,
        recipe=recipe or corpus.runs.newest_recipe(), people=tuple(Share(annotator.pk) for annotator in annotators),
    )  # fmt: skip
    return draw_and_start(plan, by=created_by)


def draw_and_start(plan: Plan, *, by: Annotator | None = None) -> Batch:
    """Draw and start in one transaction, so that a batch that cannot be started is not drawn either."""
    with transaction.atomic():
        return start(draw_draft(plan, by=by), by=by)


def start(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> Batch:
    """Freeze the batch and hand it out. Plant its known profiles, and let Presidio analyse its profiles first."""
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        require_unclosed(locked)
        if locked.started_at:
            raise AlreadyStarted(f"“{locked.name}” has already been started.")
        locked.started_at = timezone.now()
        save_change(locked, "started_at", by=by, request=request, started=True)
        prefer(locked)
        _plant(locked, by, request)
    return locked


def _plant(batch: Batch, by: Annotator | None, request: HttpRequest | None) -> None:
    count = batch.draw.get("planted", 0)
    if not count:
        return
    try:
        plant(batch, count=count, seed=batch.draw["seed"], by=by, request=request)
    except PlantingRefused as refusal:
        raise NothingToPlant(f"{refusal} “{batch.name}” was not started.") from refusal


def pause(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> Batch:
    """Stop handing out profiles. Annotators may finish what they hold."""
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        require_open(locked)
        if not locked.paused_at:
            locked.paused_at = timezone.now()
            save_change(locked, "paused_at", by=by, request=request, paused=True)
    return locked


def resume(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> Batch:
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        require_open(locked)
        if locked.paused_at:
            locked.paused_at = None
            save_change(locked, "paused_at", by=by, request=request, paused=False)
    return locked


def close(
    batch: Batch,
    *,
    withdraw: bool = False,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """End labelling. Raise HasOpenWork while people have profiles open, unless `withdraw` takes them back.

    Drafts are kept. Reopened assignments count as they were last submitted.
    """
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        require_open(locked)
        lock_assignments(locked.assignments.none())
        work = open_work(locked)
        if work.profiles and not withdraw:
            raise HasOpenWork(work)
        withdraw_held(locked.assignments.all(), is_handed_over=False)
        locked.assignments.filter(reopened_at__isnull=False).update(reopened_at=None)
        locked.closed_at = timezone.now()
        save_change(locked, "closed_at", by=by, request=request, closed=True, withdrawn=work.profiles)
    return locked


def open_work(batch: Batch) -> OpenWork:
    """Count what annotators have open. 1 query."""
    counts: Mapping[str, int] = batch.assignments.in_hand().aggregate(
        people=Count("annotator", distinct=True),
        profiles=Count("pk", distinct=True),
        with_answers=Count("pk", distinct=True, filter=Q(drafts__isnull=False)),
    )
    return OpenWork(**counts)


def withdraw_held(assignments: AssignmentQuerySet, *, is_handed_over: bool) -> int:
    """Take held assignments back, with their drafts kept. Handed over: somebody else gets one in its place."""
    now = timezone.now()
    handled_at = now if is_handed_over else None
    return int(assignments.held().update(skipped_at=now, skip_reason=SkipReason.WITHDRAWN, handled_at=handled_at))


def reopen(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> Batch:
    """Let a closed batch be labelled again. People get back what closing took from them, with their drafts.

    Gold that was built stays until profiles that are open again have been judged.
    """
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        _require_reopenable(locked)
        given_back = locked.assignments.closed_over().update(skipped_at=None, skip_reason="")
        locked.closed_at = None
        save_change(locked, "closed_at", by=by, request=request, reopened=True, given_back=given_back)
    return locked


def _require_reopenable(batch: Batch) -> None:
    if not batch.closed_at:
        raise NotClosed(f"“{batch.name}” is not closed. Nothing was changed.")
    if batch.is_imported:
        raise ImportedBatch(f"“{batch.name}” was imported, so it can’t be labelled here. Nothing was changed.")


def rename(
    batch: Batch,
    *,
    name: str,
    due_at: datetime | None,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """Change the name and the due date, the only fields that may change at any time."""
    try:
        with transaction.atomic():
            locked = lock_batch(batch, based_on)
            if (locked.name, locked.due_at) != (name, due_at):
                locked.name, locked.due_at = name, due_at
                due = due_at.isoformat() if due_at else None
                save_change(locked, "name", "due_at", by=by, request=request, due_at=due)
    except IntegrityError as error:
        raise BatchNameTaken(f"There is already a batch called “{name}”. Nothing was changed.") from error
    return locked


def extend(
    batch: Batch,
    size: int,
    *,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """Draw further profiles by the same criteria and weights, with the next seed, and append them.

    They are shared out evenly among the batch's active annotators: quotas applied to the first draw only.
    """
    if "seed" not in batch.draw:
        raise NotDrawn(f"“{batch.name}” was not drawn at random, so it can’t be extended. Nothing was changed.")
    original = DrawOptions.from_json(batch.draw)
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        require_open(locked)
        options = replace(original, size=size, seed=original.seed + len(locked.extensions) + 1)
        population = Population(locked.corpus, locked.recipe, ignored_batch=locked.pk)
        drawn = draw(population, options, exclude=locked.assignments.values("profile"))
        last = locked.assignments.aggregate(last=Max("position"))["last"]
        first_position = 0 if last is None else last + 1
        create_assignments(locked, drawn.profiles, _active_shares(locked), first_position=first_position)
        locked.extensions = [*locked.extensions, drawn.as_json(options, drawn_at=timezone.now().isoformat())]
        save_change(locked, "extensions", by=by, request=request, extended=size, seed=options.seed)
        prefer(locked)
    return locked


def _active_shares(batch: Batch) -> list[Share]:
    """The batch's people who can still label, without quotas."""
    people = [share.person for share in shares_from_json(batch.people)]
    active = set(Annotator.objects.active_evaluators().filter(pk__in=people).values_list("pk", flat=True))
    if people and not active:
        raise NobodyLeft(f"Nobody in “{batch.name}” can label any more. Reassign their profiles first.")
    return [Share(person) for person in people if person in active]
