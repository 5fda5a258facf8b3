"""The labelling page: a profile's comments, and the cards beside them."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotator.accounts.forms import PreferencesForm
from annotator.batches.claims import prepare_next
from annotator.batches.queries.own_progress import after_this
from annotator.comments.blocks import (
    BLOCK_SIZE,
    CommentSelection,
    all_positions,
    by_count,
    chapters,
    comment_position,
    detection_positions,
    highlights_of,
    hit_positions,
    read_block,
    read_comment,
)
from annotator.comments.forms import CommentFilterForm
from annotator.comments.presidio_results import presidio_results
from annotator.comments.profiles import hints_in_words, profile_summary
from annotator.core.access import script_login_required
from annotator.core.compression import compressed
from annotator.core.evidence import EvidenceSpan
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.core.sql import Rows
from annotator.labelling.cards import summarize
from annotator.labelling.forms import SKIP_REASONS
from annotator.labelling.queries import (
    cards_on_page,
    evidence_of,
    evidence_on,
    is_new,
    own_assignment,
    submitted_versions,
    work_state,
)
from annotator.labelling.shortcuts import actions_by_keys, by_group
from annotator.labelling.views.plain_form import handle_plain_form
from annotator.models import Annotator, Assignment, LookUp, SkipReason, State
from profiles.attributes import Attribute
from profiles.hints.store import ProfileHint, hints_for
from profiles.models import DetectionRun

RUN = Rows(
    """
    SELECT {columns} FROM profiles_detectionrun run WHERE corpus_id = %(corpus)s AND recipe_id = %(recipe)s
    ORDER BY id LIMIT 1
    """,
    {"run": DetectionRun},
)
LARGE = 500  # comments; above that, detections are counted after the page has loaded

SKIPPED = "You skipped this profile. An admin will decide what happens to it."
WITHDRAWN = "An admin took this profile back. What you wrote is kept."


@login_required
@compressed
@require_http_methods(["GET", "HEAD", "POST"])
def label_profile(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """Show a profile to label. Without JavaScript, the whole form is posted here."""
    assignment = own_assignment(request.user, assignment_id)
    if request.method == "POST":
        return handle_plain_form(request, assignment)
    if assignment.state is State.SKIPPED:
        messages.info(request, WITHDRAWN if assignment.skip_reason == SkipReason.WITHDRAWN else SKIPPED)
        return redirect("annotator:batch", assignment.batch_id)
    assignment.annotator = request.user
    if is_new(assignment):
        return redirect(f"{reverse('annotator:welcome')}?assignment={assignment.pk}")
    context = workspace_context(request, assignment) | _frame_context(request.user)
    return render(request, "annotator/labelling/label_profile.html", context)


def workspace_context(
    request: AnnotatorRequest, assignment: Assignment, *, before: Assignment | None = None
) -> dict[str, Any]:
    """Everything about one profile. The number of queries does not depend on the number of comments.

    `before` is the current assignment if this one is only prefetched, and so has no drafts or look-ups yet.
    """
    cards = cards_on_page([] if before else assignment.drafts.all())
    form, hints = CommentFilterForm(request.GET), _hints(assignment)
    selection = _selection(assignment, evidence_on(cards), form, hints)
    context = _block_context(selection, form.first_position)
    unfiltered = CommentSelection(assignment.profile, None)
    all_chapters = context["chapters"] if selection.filter.is_all else chapters(unfiltered)
    work = work_state(assignment)
    return context | {
        "assignment": assignment, "batch": assignment.batch, "profile": assignment.profile, "cards": cards,
        "is_writable": before is not None or assignment.is_writable, "all_chapters": all_chapters,
        "by_count": by_count(all_chapters),
        "progress": after_this(work.progress) if before else work.progress,
        "previous": before.pk if before else work.previous, "looked_up": work.looked_up,
        "summary": profile_summary(assignment.profile), "hints": hints,
        "presidio": _presidio(selection, at_once=assignment.profile.comment_count <= LARGE), "run": selection.run,
        "versions": submitted_versions(assignment) if assignment.submitted_at else [],
        "skip_reasons": SKIP_REASONS, "card_summary": summarize(cards),
    }  # fmt: skip


def _frame_context(person: Annotator) -> dict[str, Any]:
    """The parts of the page around the workspace. They stay when the next profile is swapped in."""
    return {
        "attributes": list(Attribute), "services": LookUp.Service.choices, "translator": LookUp.Service.DEEPL.value,
        "shortcut_groups": by_group(), "shortcut_actions": actions_by_keys(),
        "preferences": PreferencesForm(instance=person), "break_seconds": settings.BREAK_SECONDS,
        "support_text": settings.SUPPORT_TEXT,
    }  # fmt: skip


@script_login_required
@compressed
@require_safe
def next_profile(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """The workspace of the next profile, prefetched by the page while this one is labelled."""
    assignment = own_assignment(request.user, assignment_id)
    if assignment.batch.is_practice or not assignment.is_writable:
        return HttpResponse(status=204)  # only somebody who is at work gets to see what comes next
    following = prepare_next(batch=assignment.batch, annotator=request.user)
    if following is None:
        return HttpResponse(status=204)
    following.batch, following.annotator = assignment.batch, request.user
    context = workspace_context(request, following, before=assignment)
    return render(request, "annotator/labelling/label_profile.html#workspace", context)


@script_login_required
@compressed
@require_safe
def label_comments(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """The block of comments at a position."""
    assignment = own_assignment(request.user, assignment_id)
    form = CommentFilterForm(request.GET)
    selection = _selection(assignment, evidence_of(assignment), form, _hints(assignment))
    return render(request, "annotator/comments/_block.html", _block_context(selection, form.first_position))


@script_login_required
@require_safe
def label_comment(request: AnnotatorRequest, assignment_id: int, comment_id: int) -> HttpResponse:
    """Render one comment again after its evidence changed."""
    assignment = own_assignment(request.user, assignment_id)
    selection = _selection(assignment, evidence_of(assignment), CommentFilterForm(request.GET))
    comment = read_comment(selection, comment_id)
    if comment is None:
        raise Http404
    return render(request, "annotator/comments/_comment.html", {"comment": comment})


@script_login_required
@compressed
@require_safe
def label_places(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    """Positions of comments with detections, with search hits, of one, or of all of them, in reading order."""
    assignment = own_assignment(request.user, assignment_id)
    selection = _selection(assignment, [], CommentFilterForm(request.GET))
    if request.GET.get("comment"):
        comment = read_number(request.GET["comment"])
        places = [] if comment is None else comment_position(selection, comment)
    elif request.GET.get("all"):
        places = all_positions(selection)
    elif request.GET.get("hits"):
        places = hit_positions(selection)
    else:
        entity_type, text = (request.GET.get(name, "").replace("\x00", "") for name in ("type", "text"))
        places = detection_positions(selection, entity_type, text) if selection.run else []
    return JsonResponse({"places": places})


@script_login_required
@require_safe
def label_presidio(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """Presidio results so far; the page polls while the run is in progress."""
    assignment = own_assignment(request.user, assignment_id)
    selection = _selection(assignment, [], CommentFilterForm({}))
    context = {"assignment": assignment, "presidio": _presidio(selection), "run": selection.run}
    return render(request, "annotator/labelling/_presidio.html", context)


def _selection(
    assignment: Assignment,
    evidence: list[tuple[str, EvidenceSpan]],
    form: CommentFilterForm,
    hints: list[ProfileHint] | None = None,
) -> CommentSelection:
    highlights, words = highlights_of(evidence), hints_in_words(hints or ())
    return CommentSelection(assignment.profile, run_of(assignment), form.comment_filter, highlights, words)


def _hints(assignment: Assignment) -> list[ProfileHint] | None:
    """The profile's hints, or None if the batch hides them to measure their influence. 1 query, or none."""
    return hints_for(assignment.profile) if assignment.batch.hints_shown else None


def run_of(assignment: Assignment) -> DetectionRun | None:
    """The detection run with the batch's recipe. 1 query, or none."""
    if assignment.batch.recipe_id is None:
        return None
    row = RUN.first({"corpus": assignment.profile.corpus_id, "recipe": assignment.batch.recipe_id})
    return row[0] if row else None


def _block_context(selection: CommentSelection, position: int) -> dict[str, Any]:
    """The block that contains the position. Blocks start at multiples of their size."""
    matching = chapters(selection)
    total = sum(chapter.count for chapter in matching)
    first = max(0, min(position, total - 1)) // BLOCK_SIZE * BLOCK_SIZE
    following = first + BLOCK_SIZE
    return {
        "chapters": matching, "parts": read_block(selection, matching, first) if total else [], "first": first,
        "total": total, "size": BLOCK_SIZE, "filter": selection.filter,
        "before": first - BLOCK_SIZE if first else None, "after": following if following < total else None,
    }  # fmt: skip


def _presidio(selection: CommentSelection, *, at_once: bool = True) -> object:
    return presidio_results(selection.run, selection.profile) if selection.run and at_once else None
