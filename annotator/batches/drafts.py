"""Draft batches: draw one by a plan, create its assignments, redraw or discard it until it is started."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from django.db import IntegrityError, connection, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.batches.changes import lock_batch, save_change
from annotator.batches.drawing.candidates import DrawRefused, Population, draw_weights
from annotator.batches.drawing.draw import Draw, draw
from annotator.batches.drawing.plan import DrawOptions, Plan, relabels
from annotator.batches.drawing.shares import CannotShare, Share, share_out, shares_as_json
from annotator.batches.refusals import AlreadyStarted, BatchNameTaken, NotEvaluators, TooFewEvaluators
from annotator.core.audit import record
from annotator.core.formatting import plural
from annotator.models import Annotator, Assignment, AuditEntry, Batch
from profiles.models import Profile

PLANNED_FIELDS = ["name", "corpus", "guideline", "recipe", "draw", "overlap", "hints_shown", "people", "due_at"]
PROFILE_REMOVED = "One of the drawn profiles has just been removed. Nothing was changed. Draw again."
NOT_EVALUATORS = "Only active evaluators can get profiles, and someone you chose isn’t one. Choose others."


def draw_draft(plan: Plan, *, by: Annotator | None = None, request: HttpRequest | None = None) -> Batch:
    """Draw by the plan and create the assignments. Nobody gets one before the batch is started."""
    options = plan.options(draw_weights(plan.corpus, prefer_thin=plan.prefer_thin))
    drawn = draw(Population(plan.corpus, plan.recipe), options)
    batch = Batch(corpus=plan.corpus, created_by=by)
    try:
        with transaction.atomic():
            _apply_plan(batch, plan, options, drawn)
            batch.save()
            create_assignments(batch, drawn.profiles, plan.people)
            record(
                AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=batch.pk, drawn=plan.size,
                eligible=drawn.eligible, seed=plan.seed,
            )  # fmt: skip
    except IntegrityError as error:
        raise BatchNameTaken(_name_taken(plan)) from error
    return batch


def redraw_draft(
    batch: Batch,
    plan: Plan,
    *,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """Redraw a draft by a changed plan and replace its assignments. Refuse if it has been started."""
    options = plan.options(draw_weights(plan.corpus, prefer_thin=plan.prefer_thin))
    drawn = draw(Population(plan.corpus, plan.recipe, ignored_batch=batch.pk), options)
    try:
        with transaction.atomic():
            locked = _lock_draft(batch, based_on)
            locked.assignments.all().delete()
            _apply_plan(locked, plan, options, drawn)
            save_change(locked, *PLANNED_FIELDS, by=by, request=request, drawn=plan.size, eligible=drawn.eligible)
            create_assignments(locked, drawn.profiles, plan.people)
    except IntegrityError as error:
        raise BatchNameTaken(_name_taken(plan)) from error
    return locked


def discard_draft(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> None:
    """Delete a draft, so that its profiles can be drawn again. A started batch is closed, never deleted."""
    with transaction.atomic():
        locked = _lock_draft(batch, based_on)
        record(AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=locked.pk, discarded=True)
        locked.assignments.all().delete()
        locked.delete()


def create_assignments(
    batch: Batch, profiles: Sequence[int], people: Sequence[Share], *, first_position: int = 0
) -> None:
    """Create `overlap` assignments per profile in drawn order, for the people named or for a shared pool."""
    _lock_profiles(profiles)
    annotators = _annotators_by_profile(batch, profiles, people)
    Assignment.objects.bulk_create(
        (
            Assignment(
                batch=batch, profile_id=profile, slot=slot, position=first_position + index, annotator_id=annotator
            )
            for index, profile in enumerate(profiles)
            for slot, annotator in enumerate(annotators[index])
        ),
        batch_size=1000,
    )
    _analyze_assignments()


def require_evaluators(ids: Collection[int]) -> None:
    """Refuse people who cannot be given profiles. 1 query."""
    evaluators = Annotator.objects.active_evaluators().filter(pk__in=ids).values_list("pk", flat=True)
    if set(ids) - set(evaluators):
        raise NotEvaluators(NOT_EVALUATORS)


def _apply_plan(batch: Batch, plan: Plan, options: DrawOptions, drawn: Draw) -> None:
    planted = {"planted": plan.planted} if plan.planted else {}
    batch.name, batch.corpus, batch.guideline, batch.recipe = plan.name, plan.corpus, plan.guideline, plan.recipe
    batch.overlap, batch.hints_shown, batch.due_at = plan.overlap, plan.hints_shown, plan.due_at
    batch.people = shares_as_json(plan.people)
    batch.draw = drawn.as_json(options, drawn_at=timezone.now().isoformat(), **planted)


def _name_taken(plan: Plan) -> str:
    return f"There is already a batch called “{plan.name}”. Choose another name."


def _lock_draft(batch: Batch, based_on: int | None) -> Batch:
    locked = lock_batch(batch, based_on)
    if locked.started_at:
        raise AlreadyStarted(
            f"“{locked.name}” has started, so its draw is fixed. Nothing was changed. Extend it, or draw another."
        )
    return locked


def _lock_profiles(profiles: Sequence[int]) -> None:
    """Make a takedown wait until the assignments exist, so that it removes them too."""
    locked = Profile.objects.filter(pk__in=profiles).select_for_update(no_key=True, of=("self",)).order_by("pk")
    if len(locked.values_list("pk", flat=True)) < len(profiles):
        raise DrawRefused(PROFILE_REMOVED)


def _annotators_by_profile(
    batch: Batch, profiles: Sequence[int], people: Sequence[Share]
) -> Sequence[Sequence[int | None]]:
    excluded = _previous_annotators(profiles) if relabels(batch) else {}
    if not people:
        _refuse_small_pool(batch.overlap, relabel=bool(excluded))
        return [[None] * batch.overlap] * len(profiles)
    require_evaluators([share.person for share in people])
    try:
        return share_out(len(profiles), batch.overlap, people, excluded)
    except CannotShare as error:
        raise TooFewEvaluators(str(error)) from error


def _previous_annotators(profiles: Sequence[int]) -> Mapping[int, set[int]]:
    """By index in the draw: the annotators who must not get the profile again, having submitted it in any batch."""
    indexes = {profile: index for index, profile in enumerate(profiles)}
    annotators: dict[int, set[int]] = defaultdict(set)
    submitted = Assignment.objects.submitted().filter(profile__in=profiles, annotator__isnull=False)
    for profile, annotator in submitted.values_list("profile", "annotator"):
        annotators[indexes[profile]].add(annotator or 0)
    return annotators


def _refuse_small_pool(overlap: int, *, relabel: bool) -> None:
    """Refuse an overlap above the number of evaluators. When relabelling, each profile rules out one of them."""
    evaluators = Annotator.objects.active_evaluators().count() - relabel
    if overlap > max(evaluators, 0 if relabel else 1):  # the first evaluator may still be invited
        raise TooFewEvaluators(
            f"Each profile needs {plural(overlap, 'evaluator')}, but only {max(evaluators, 0)} can label it. "
            "Invite more, or ask for fewer evaluators per profile."
        )


def _analyze_assignments() -> None:
    """Update the planner's statistics: without them, Postgres scans the whole batch for each claim."""
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {connection.ops.quote_name(Assignment._meta.db_table)}")
