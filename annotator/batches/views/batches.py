"""The list of batches, the pages of one batch, and every change that an admin makes to it."""

from collections.abc import Callable
from datetime import UTC, date
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotator.batches import lifecycle, moves
from annotator.batches.drafts import discard_draft
from annotator.batches.drawing.candidates import DrawRefused
from annotator.batches.forms import ChangeForm, CloseForm, ExtendForm, HandOutForm, ReassignForm, RenameForm
from annotator.batches.lifecycle import HasOpenWork, OpenWork
from annotator.batches.queries.own_progress import own_progress
from annotator.batches.queries.progress import assignments_of, labellable_batches
from annotator.batches.queries.setup import BATCH_COLUMNS, Setup, batches_page, setup_of
from annotator.batches.refusals import BatchRefused
from annotator.core.access import admin_required
from annotator.core.formatting import number
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.models import Assignment, Batch

Change = Callable[[AnnotatorRequest, Batch, Any], str]


@admin_required
@require_safe
def batches(request: AnnotatorRequest) -> HttpResponse:
    sorting = Sorting.read(request.GET, BATCH_COLUMNS, default="state")
    context = {"page": batches_page(sorting, request.GET.get("page", "1")), "sorting": sorting}
    return render(request, "annotator/batches/batches.html", context)


@login_required
@require_safe
def batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """The annotator's own profiles in a batch, or that there are none yet; 404 for a batch they can't label."""
    shown = get_object_or_404(labellable_batches(request.user).select_related("corpus"), pk=batch_id)
    progress = own_progress(request.user, [shown])[shown.pk]
    context = {"batch": shown, "progress": progress, "assignments": assignments_of(request.user, shown)}
    return render(request, "annotator/batches/batch.html", context)


@admin_required
@require_safe
def batch_setup(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    return _setup_page(request, _batch(batch_id))


def change(form_class: type[ChangeForm]) -> Callable[[Change], Callable[..., HttpResponse]]:
    """Turn a function that makes one change and returns a message into a POST view. Show refusals on the page."""

    def decorate(action: Change) -> Callable[..., HttpResponse]:
        @wraps(action)
        def view(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
            batch = _batch(batch_id)
            form = form_class(request.POST, **_known_values(form_class, batch))
            if not form.is_valid():
                return _setup_page(request, batch, refused_form=form)
            return _apply(request, batch, lambda: action(request, batch, form))

        return admin_required(require_POST(view))

    return decorate


def _known_values(form_class: type[ChangeForm], batch: Batch) -> dict[str, Any]:
    """What a form needs to know about the batch: whom to choose from, which due date is there already."""
    if form_class is ReassignForm:
        return {"annotators": batch.assignments.values("annotator")}
    return {"initial": {"due_on": due_day(batch)}} if form_class is RenameForm else {}


def _apply(request: AnnotatorRequest, batch: Batch, action: Callable[[], str]) -> HttpResponse:
    setup = redirect("annotator:batch_setup", batch.pk)
    try:
        message = action()
    except HasOpenWork as refusal:
        return _setup_page(request, _batch(batch.pk), open_work=refusal.open_work)
    except (BatchRefused, DrawRefused) as refusal:
        messages.error(request, str(refusal))
        return setup
    messages.success(request, message)
    return setup


def _context(request: AnnotatorRequest, form: ChangeForm) -> dict[str, Any]:
    return {"based_on": form.cleaned_data["version"], "by": request.user, "request": request}


@change(ChangeForm)
def start_batch(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    lifecycle.start(batch, **_context(request, form))
    return f"“{batch.name}” has started. Its evaluators see it on their home page."


@change(ChangeForm)
def pause_batch(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    lifecycle.pause(batch, **_context(request, form))
    return f"“{batch.name}” is paused. People can finish the profile they have open, but get no new ones."


@change(ChangeForm)
def resume_batch(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    lifecycle.resume(batch, **_context(request, form))
    return f"“{batch.name}” has resumed."


@change(CloseForm)
def close_batch(request: AnnotatorRequest, batch: Batch, form: CloseForm) -> str:
    lifecycle.close(batch, withdraw=form.cleaned_data["withdraw"], **_context(request, form))
    return f"“{batch.name}” is closed. Everything submitted is kept."


@change(ChangeForm)
def reopen_batch(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    reopened = lifecycle.reopen(batch, **_context(request, form))
    paused = " It is still paused." if reopened.paused_at else ""
    return f"“{batch.name}” is open again. People have back the profiles they had open when it was closed.{paused}"


@change(ExtendForm)
def extend_batch(request: AnnotatorRequest, batch: Batch, form: ExtendForm) -> str:
    size = form.cleaned_data["size"]
    lifecycle.extend(batch, size, **_context(request, form))
    return f"“{batch.name}” has {number(size)} more profiles."


@change(RenameForm)
def rename_batch(request: AnnotatorRequest, batch: Batch, form: RenameForm) -> str:
    lifecycle.rename(batch, name=form.cleaned_data["name"], due_at=form.due_at, **_context(request, form))
    return "Name and due date saved."


@change(ReassignForm)
def reassign_batch(request: AnnotatorRequest, batch: Batch, form: ReassignForm) -> str:
    person, to = form.cleaned_data["person"], list(form.cleaned_data["to"])
    result = moves.reassign(batch, person, to, **_context(request, form))
    names = ", ".join(taker.display_name for taker in to) or "the shared pool"
    moved = f"Profiles reassigned from {person.display_name} to {names}: {number(result.moved)}."
    stayed = f" Not reassigned, because everyone you chose already has them: {result.stayed}." if result.stayed else ""
    return moved + stayed


@change(ChangeForm)
def take_back(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    return f"Assignments returned to the pool: {number(moves.release_prepared(batch, **_context(request, form)))}."


@admin_required
@require_POST
def discard_batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    batch, form = _batch(batch_id), ChangeForm(request.POST)
    if not form.is_valid():
        return _setup_page(request, batch, refused_form=form)
    try:
        discard_draft(batch, **_context(request, form))
    except BatchRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("annotator:batch_setup", batch.pk)
    messages.success(request, f"The draft “{batch.name}” was discarded. Its profiles can be drawn again.")
    return redirect("annotator:batches")


@admin_required
@require_POST
def hand_out_again(request: AnnotatorRequest, batch_id: int, assignment_id: int) -> HttpResponse:
    skipped, form = _skipped_assignment(batch_id, assignment_id), HandOutForm(request.POST)
    if not form.is_valid():
        return _setup_page(request, skipped.batch, refused_form=form)

    def hand_out() -> str:
        to = form.cleaned_data["to"]
        moves.hand_out_again(skipped, to, **_context(request, form))
        return f"{skipped.profile.pseudonym} was reassigned to {to.display_name if to else 'the shared pool'}."

    return _apply(request, skipped.batch, hand_out)


def _batch(batch_id: int) -> Batch:
    return get_object_or_404(Batch.objects.select_related("corpus", "guideline", "recipe"), pk=batch_id)


def due_day(batch: Batch) -> date | None:
    return batch.due_at.astimezone(UTC).date() if batch.due_at else None


def _skipped_assignment(batch_id: int, assignment_id: int) -> Assignment:
    skipped = Assignment.objects.skipped().filter(batch=batch_id)
    return get_object_or_404(skipped.select_related("batch", "profile"), pk=assignment_id)


def _setup_page(
    request: AnnotatorRequest,
    batch: Batch,
    *,
    refused_form: ChangeForm | None = None,
    open_work: OpenWork | None = None,
) -> HttpResponse:
    """`open_work` is what people still have open in a batch to be closed: the page asks whether to withdraw it."""
    setup, version = setup_of(batch), {"version": batch.version}
    due_on = due_day(batch)
    annotators = [row.annotator.pk for row in setup.annotators if row.waiting]
    forms: dict[str, ChangeForm] = {
        "extend_form": ExtendForm(initial=version),
        "rename_form": RenameForm(initial=version | {"name": batch.name, "due_on": due_on}),
        "reassign_form": ReassignForm(initial=version, annotators=annotators, auto_id="reassign_%s"),
    }
    if refused_form:
        forms = {name: refused_form if type(refused_form) is type(form) else form for name, form in forms.items()}
    context = forms | {
        "batch": batch, "setup": setup, "open_work": open_work, "refused_form": refused_form,
        "hand_out_choices": _hand_out_choices(setup),
    }  # fmt: skip
    status = 422 if refused_form or open_work else 200
    return render(request, "annotator/batches/batch_setup.html", context, status=status)


def _hand_out_choices(setup: Setup) -> list[tuple[object, str]]:
    """Load the choices once, however many skips there are."""
    return list(HandOutForm()["to"].field.choices) if setup.skipped else []  # type: ignore[attr-defined]
