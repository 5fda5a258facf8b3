"""All batches, how one is set up, and what an admin does with it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotator.batches import lifecycle, moves
from annotator.batches.changes import BatchRefused
from annotator.batches.drafts import discard_draft
from annotator.batches.drawing.candidates import DrawRefused
from annotator.batches.forms import ChangeForm, CloseForm, ExtendForm, HandOutForm, ReassignForm, RenameForm
from annotator.batches.lifecycle import DraftsOpen, InHand
from annotator.batches.queries.progress import own_assignments
from annotator.batches.queries.setup import Setup, all_batches, setup_of
from annotator.core.access import admin_required
from annotator.core.formatting import number
from annotator.core.http import AnnotatorRequest
from annotator.models import Assignment, Batch

Change = Callable[[AnnotatorRequest, Batch, Any], str]


@admin_required
@require_safe
def batches(request: AnnotatorRequest) -> HttpResponse:
    return render(request, "annotator/batches/batches.html", {"rows": all_batches()})


@login_required
@require_safe
def batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """The annotator's own profiles in a batch; 404 for a batch they have no part in or that has not started."""
    started = Batch.objects.for_annotator(request.user).filter(started_at__isnull=False)
    shown = get_object_or_404(started.select_related("corpus"), pk=batch_id)
    context = {"batch": shown, "assignments": own_assignments(request.user, shown)}
    return render(request, "annotator/batches/batch.html", context)


@admin_required
@require_safe
def batch_setup(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    return _page(request, _batch(batch_id))


def change(form_class: type[ChangeForm]) -> Callable[[Change], Callable[..., HttpResponse]]:
    """A form, one call, and what happened in words; a refusal is told on the page, and nothing was changed."""

    def decorate(act: Change) -> Callable[..., HttpResponse]:
        @wraps(act)
        def changed(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
            batch = _batch(batch_id)
            readers = {"readers": batch.assignments.values("annotator")} if form_class is ReassignForm else {}
            form = form_class(request.POST, **readers)
            if not form.is_valid():
                return _page(request, batch, wrong=form)
            return _done(request, batch, lambda: act(request, batch, form))

        return admin_required(require_POST(changed))

    return decorate


def _done(request: AnnotatorRequest, batch: Batch, act: Callable[[], str]) -> HttpResponse:
    setup = redirect("annotator:batch_setup", batch.pk)
    try:
        told = act()
    except DraftsOpen as asks:
        return _page(request, _batch(batch.pk), asks=asks.in_hand)
    except (BatchRefused, DrawRefused) as refusal:
        messages.error(request, str(refusal))
        return setup
    messages.success(request, told)
    return setup


def _about(request: AnnotatorRequest, form: ChangeForm) -> dict[str, Any]:
    return {"based_on": form.cleaned_data["version"], "by": request.user, "request": request}


@change(ChangeForm)
def start_batch(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    lifecycle.start(batch, **_about(request, form))
    return f"“{batch.name}” was started. Its evaluators find it on their home page."


@change(ChangeForm)
def pause_batch(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    lifecycle.pause(batch, **_about(request, form))
    return f"“{batch.name}” is paused. What people hold they may finish; nobody gets another profile."


@change(ChangeForm)
def resume_batch(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    lifecycle.resume(batch, **_about(request, form))
    return f"“{batch.name}” goes on."


@change(CloseForm)
def close_batch(request: AnnotatorRequest, batch: Batch, form: CloseForm) -> str:
    lifecycle.close(batch, withdraw=form.cleaned_data["withdraw"], **_about(request, form))
    return f"“{batch.name}” is closed. All that was submitted is kept."


@change(ExtendForm)
def extend_batch(request: AnnotatorRequest, batch: Batch, form: ExtendForm) -> str:
    size = form.cleaned_data["size"]
    lifecycle.extend(batch, size, **_about(request, form))
    return f"“{batch.name}” has {number(size)} more profiles."


@change(RenameForm)
def rename_batch(request: AnnotatorRequest, batch: Batch, form: RenameForm) -> str:
    lifecycle.rename(batch, name=form.cleaned_data["name"], due_at=form.due_at, **_about(request, form))
    return "Name and date are kept."


@change(ReassignForm)
def reassign_batch(request: AnnotatorRequest, batch: Batch, form: ReassignForm) -> str:
    person, to = form.cleaned_data["person"], list(form.cleaned_data["to"])
    moved = moves.reassign(batch, person, to, **_about(request, form))
    names = ", ".join(one.display_name for one in to) or "whoever comes next"
    told = f"Profiles of {person.display_name} that went to {names}: {number(moved.moved)}."
    return (
        f"{told} Left with them, because everybody named has those already: {moved.stayed}." if moved.stayed else told
    )


@change(ChangeForm)
def take_back(request: AnnotatorRequest, batch: Batch, form: ChangeForm) -> str:
    return f"Profiles that anybody may take again: {number(moves.take_back(batch, **_about(request, form)))}."


@admin_required
@require_POST
def discard_batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    batch, form = _batch(batch_id), ChangeForm(request.POST)
    if not form.is_valid():
        return _page(request, batch, wrong=form)
    try:
        discard_draft(batch, **_about(request, form))
    except BatchRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("annotator:batch_setup", batch.pk)
    messages.success(request, f"The draft “{batch.name}” was discarded. Its profiles can be drawn again.")
    return redirect("annotator:batches")


@admin_required
@require_POST
def hand_out_again(request: AnnotatorRequest, batch_id: int, assignment_id: int) -> HttpResponse:
    slot, form = _skipped(batch_id, assignment_id), HandOutForm(request.POST)
    if not form.is_valid():
        return _page(request, slot.batch, wrong=form)

    def act() -> str:
        to = form.cleaned_data["to"]
        moves.hand_out_again(slot, to, **_about(request, form))
        return f"{slot.profile.pseudonym} goes to {to.display_name if to else 'whoever comes next'}."

    return _done(request, slot.batch, act)


def _batch(batch_id: int) -> Batch:
    return get_object_or_404(Batch.objects.select_related("corpus", "guideline", "recipe"), pk=batch_id)


def _skipped(batch_id: int, assignment_id: int) -> Assignment:
    skipped = Assignment.objects.filter(batch=batch_id, skipped_at__isnull=False)
    return get_object_or_404(skipped.select_related("batch", "profile"), pk=assignment_id)


def _page(
    request: AnnotatorRequest, batch: Batch, *, wrong: ChangeForm | None = None, asks: InHand | None = None
) -> HttpResponse:
    """`wrong` is the form that was refused; `asks` is what people have open when the batch is to be closed."""
    setup, version = setup_of(batch), {"version": batch.version}
    due_on = batch.due_at.date() if batch.due_at else None
    readers = [reader.annotator.pk for reader in setup.readers if reader.waiting]
    forms: dict[str, ChangeForm] = {
        "extend_form": ExtendForm(initial=version),
        "rename_form": RenameForm(initial=version | {"name": batch.name, "due_on": due_on}),
        "reassign_form": ReassignForm(initial=version, readers=readers, auto_id="reassign_%s"),
    }
    forms = {name: wrong if wrong and type(wrong) is type(form) else form for name, form in forms.items()}
    context = forms | {"batch": batch, "setup": setup, "asks": asks, "wrong": wrong, "hand_out_choices": _takers(setup)}
    return render(request, "annotator/batches/batch_setup.html", context, status=422 if wrong or asks else 200)


def _takers(setup: Setup) -> list[tuple[object, str]]:
    """Read once, however many skips there are to hand out."""
    return list(HandOutForm()["to"].field.choices) if setup.skipped else []  # type: ignore[attr-defined]
