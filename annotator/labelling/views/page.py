"""The labelling page: one profile, what was written and what can be concluded."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from annotator.comments.blocks import (
    BLOCK,
    Reader,
    by_count,
    chapters,
    highlights_of,
    places_found,
    position_of,
    read_block,
    read_comment,
)
from annotator.comments.forms import ReadingForm
from annotator.comments.presidio_results import presidio_results
from annotator.comments.summary import hints_in_words, profile_summary
from annotator.core.access import seated
from annotator.core.evidence import EvidenceSpan
from annotator.core.http import AnnotatorRequest
from annotator.labelling.forms import SKIP_REASONS
from annotator.labelling.queries import around, cards_on_page, evidence_of, evidence_on, one_further, sealed_versions
from annotator.labelling.shortcuts import by_group, listened_for
from annotator.labelling.views.own import own_assignment
from annotator.labelling.views.plain_form import take_plain_form
from annotator.models import Assignment, LookUp, SkipReason, State
from profiles.attributes import Attribute
from profiles.hints.store import ProfileHint, hints_for
from profiles.models import DetectionRun, EntityType

SCRIPTS = [
    f"js/label/{name}.js" for name in (
        "main", "api", "autosave", "cards", "comments", "conflict", "keys", "navigation", "places", "presidio",
        "selection", "sign_in", "submission", "time",
    )
]  # fmt: skip
LARGE = 500  # from here on what Presidio found is counted after the page is there


@login_required
@gzip_page
@require_http_methods(["GET", "HEAD", "POST"])
def label_profile(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """A profile to label. Without scripts the whole form is posted here."""
    assignment = own_assignment(request, assignment_id)
    if request.method == "POST":
        return take_plain_form(request, assignment)
    if assignment.state is State.SKIPPED:
        messages.info(request, _why_skipped(assignment))
        return redirect("annotator:batch", assignment.batch_id)
    return render(request, "annotator/labelling/label_profile.html", workspace_context(request, assignment) | _around())


def _why_skipped(assignment: Assignment) -> str:
    if assignment.skip_reason == SkipReason.WITHDRAWN:
        return "An admin took this profile back. What you wrote is kept."
    return "You skipped this profile. An admin decides what happens to it."


def workspace_context(
    request: AnnotatorRequest, assignment: Assignment, *, before: Assignment | None = None
) -> dict[str, Any]:
    """All that the page shows. The number of queries does not depend on how much was written.

    `before` is the profile at hand when this one is only got ready: nothing was said or looked up here yet.
    """
    cards = cards_on_page([] if before else assignment.drafts.all())
    form, hints = ReadingForm(request.GET), _hints(assignment)
    reader = _reader(assignment, evidence_on(cards), form, hints)
    context = _comments(reader, form.first_position)
    everywhere = context["chapters"] if reader.wanted.is_all else chapters(Reader(assignment.profile, None))
    beside = around(assignment)
    return context | {
        "assignment": assignment, "batch": assignment.batch, "profile": assignment.profile, "cards": cards,
        "is_writable": before is not None or is_writable(assignment), "all_chapters": everywhere,
        "by_count": by_count(everywhere),
        "pace": one_further(beside.pace) if before else beside.pace,
        "back_to": before.pk if before else beside.back_to, "was_looked_up": beside.was_looked_up,
        "entity_types": EntityType.values,
        "summary": profile_summary(assignment.profile), "hints": hints,
        "presidio": _presidio(reader, at_once=assignment.profile.comment_count <= LARGE), "run": reader.run,
        "versions": sealed_versions(assignment) if assignment.submitted_at else [],
        "skip_reasons": SKIP_REASONS,
    }  # fmt: skip


def _around() -> dict[str, Any]:
    """The parts of the page around the workspace, which stay when the next profile is swapped in."""
    return {
        "attributes": list(Attribute), "services": LookUp.Service.choices, "shortcut_groups": by_group(),
        "listened_for": listened_for(), "scripts": SCRIPTS,
    }  # fmt: skip


def is_writable(assignment: Assignment) -> bool:
    in_hand = assignment.state in (State.HELD, State.REOPENED)
    return in_hand and assignment.batch.closed_at is None


@seated
@gzip_page
@require_safe
def label_comments(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """One block of comments, from a position on."""
    assignment = own_assignment(request, assignment_id)
    form = ReadingForm(request.GET)
    reader = _reader(assignment, evidence_of(assignment), form, _hints(assignment))
    return render(request, "annotator/comments/_block.html", _comments(reader, form.first_position))


@seated
@require_safe
def label_comment(request: AnnotatorRequest, assignment_id: int, comment_id: int) -> HttpResponse:
    """One comment anew, after something in it was marked."""
    assignment = own_assignment(request, assignment_id)
    reader = _reader(assignment, evidence_of(assignment), ReadingForm(request.GET))
    comment = read_comment(reader, comment_id)
    if comment is None:
        raise Http404
    return render(request, "annotator/comments/_comment.html", {"comment": comment})


@seated
@gzip_page
@require_safe
def label_places(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    """Where something was found, or where a comment stands: position and comment, in reading order."""
    assignment = own_assignment(request, assignment_id)
    reader = _reader(assignment, [], ReadingForm(request.GET))
    asked = request.GET.get("comment", "")
    if asked:
        found = position_of(reader, int(asked)) if asked.isdecimal() and len(asked) < 19 else []
    else:
        entity_type, text = (request.GET.get(name, "").replace("\x00", "") for name in ("type", "text"))
        found = places_found(reader, entity_type, text) if reader.run else []
    return JsonResponse({"places": found})


@seated
@require_safe
def label_presidio(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """What Presidio found so far: asked for again while it is still running."""
    assignment = own_assignment(request, assignment_id)
    reader = _reader(assignment, [], ReadingForm({}))
    context = {"assignment": assignment, "presidio": _presidio(reader), "run": reader.run}
    return render(request, "annotator/labelling/_presidio.html", context)


def _reader(
    assignment: Assignment,
    evidence: list[tuple[str, EvidenceSpan]],
    form: ReadingForm,
    hints: list[ProfileHint] | None = None,
) -> Reader:
    highlights, words = highlights_of(evidence), hints_in_words(hints or ())
    return Reader(assignment.profile, run_of(assignment), form.wanted, highlights, words)


def _hints(assignment: Assignment) -> list[ProfileHint] | None:
    """None where the batch hides them, to measure how much they sway. 1 query, or none."""
    return hints_for(assignment.profile) if assignment.batch.hints_shown else None


def run_of(assignment: Assignment) -> DetectionRun | None:
    """The run under the batch's recipe: other runs are other people's business. 1 query, or none."""
    if assignment.batch.recipe_id is None:
        return None
    runs = DetectionRun.objects.filter(corpus=assignment.profile.corpus_id, recipe=assignment.batch.recipe_id)
    return runs.first()


def _comments(reader: Reader, first: int) -> dict[str, Any]:
    """A block begins at a multiple of its size, wherever a reader jumped to."""
    laid_out = chapters(reader)
    total = sum(chapter.count for chapter in laid_out)
    first = max(0, min(first, total - 1)) // BLOCK * BLOCK
    parts = read_block(reader, laid_out, first) if total else []
    return {
        "chapters": laid_out, "parts": parts, "first": first, "total": total, "size": BLOCK, "wanted": reader.wanted,
        "before": first - BLOCK if first else None, "after": first + BLOCK if first + BLOCK < total else None,
    }  # fmt: skip


def _presidio(reader: Reader, *, at_once: bool = True) -> object:
    return presidio_results(reader.run, reader.profile) if reader.run and at_once else None
