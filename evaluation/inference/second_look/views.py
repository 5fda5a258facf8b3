"""A second look: draw claims, review them one by one, and see what came out."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.comments.forms import MAX_POSITION
from annotator.comments.presidio_results import runs_to_show
from annotator.core.access import admin_required, staff_required
from annotator.core.audit import record_view
from annotator.core.formatting import plural
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.core.sort_order import Sorting
from annotator.gold.queries.cited_comments import CommentBlock, cited_evidence, read_comments
from annotator.models import Role
from evaluation.inference.second_look import services
from evaluation.inference.second_look.candidates import can_be_looked_at
from evaluation.inference.second_look.forms import CHOOSE, DecisionForm, DrawForm, VerdictForm
from evaluation.inference.second_look.leases import take_next_claim
from evaluation.inference.second_look.queries import (
    LOOK_COLUMNS,
    ShownClaim,
    incompleteness_of,
    last_decision,
    looks_page,
    progress_of,
    shown_claim,
)
from evaluation.inference.second_look.sections import second_look_section
from evaluation.inference.second_look.state import look_at
from evaluation.models import Claim, ClaimVerdict, EvaluationKind, EvaluationRun, SecondLook
from profiles.attributes import CLOSED_LISTS

REVIEW = "evaluation/inference/second_look/review.html"
DRAW = "evaluation/inference/second_look/draw.html"
BUTTONS = tuple(zip("yno", ClaimVerdict, strict=True))
DRAWN = "{claims} drawn. Review them one by one."


@staff_required
@require_safe
def second_looks(request: AnnotatorRequest) -> HttpResponse:
    """All second looks, with what is left to review."""
    sorting = Sorting.read(request.GET, LOOK_COLUMNS, default="drawn")
    page = looks_page(sorting, request.GET.get("page", "1"))
    return render(request, "evaluation/inference/second_look/looks.html", {"page": page, "sorting": sorting})


@staff_required
@require_safe
@never_cache
def second_look(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """The next claim for whoever may adjudicate; what came out once all are reviewed; or how to draw claims."""
    run = _run(evaluation_id)
    look = look_at(run)
    if look is None:
        can_draw = can_be_looked_at(run)
        return render(request, DRAW, {"run": run, "form": DrawForm(), "problem": "" if can_draw else services.UNFIT})
    if not request.user.has_role(Role.ADMIN):
        return _finished_page(request, run, look)
    claim = take_next_claim(look, request.user)
    if claim is None:
        return _finished_page(request, run, look)
    record_view(claim.profile_id, by=request.user, page="second look", request=request)
    return _claim_page(request, run, look, claim)


@staff_required
@require_POST
def start_second_look(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """Draw the claims. Asking twice draws once."""
    run, form = _run(evaluation_id), DrawForm(request.POST)
    if not form.is_valid():
        return render(request, DRAW, {"run": run, "form": form}, status=422)
    try:
        look = services.draw_second_look(run, form.options, by=request.user, request=request)
    except services.NothingToReview as nothing:
        return render(request, DRAW, {"run": run, "form": form, "problem": str(nothing)}, status=422)
    messages.success(request, DRAWN.format(claims=plural(look.size, "claim")))
    return redirect("evaluation:second_look", run.pk)


@admin_required
@require_safe
def claim_comments(request: AnnotatorRequest, evaluation_id: int, claim_id: int) -> HttpResponse:
    """A block of the comments beside a claim."""
    run, claim = _run(evaluation_id), _claim(evaluation_id, claim_id)
    context = {"run": run, "shown": shown_claim(claim), "comments": _comments(request, claim)}
    return render(request, f"{REVIEW}#comment-block", context)


@admin_required
@require_POST
def judge_claim(request: AnnotatorRequest, evaluation_id: int, claim_id: int) -> HttpResponse:
    """The first verdict, on claim and comments alone."""
    run, claim = _run(evaluation_id), _claim(evaluation_id, claim_id)
    form = VerdictForm(request.POST)
    if not form.is_valid():
        messages.error(request, CHOOSE)
        return redirect("evaluation:second_look", run.pk)
    try:
        services.give_blind_verdict(claim, form.cleaned_data["verdict"], by=request.user)
    except services.ClaimUnavailable as refusal:
        messages.warning(request, str(refusal))
    return redirect("evaluation:second_look", run.pk)


@admin_required
@require_POST
def decide_claim(request: AnnotatorRequest, evaluation_id: int, claim_id: int) -> HttpResponse:
    """The last word, with the system's reasons in view."""
    run, claim = _run(evaluation_id), _claim(evaluation_id, claim_id)
    form = DecisionForm(request.POST, claim=claim)
    if not form.is_valid():
        review = getattr(claim, "review", None)
        if review is None or review.verdict or review.reviewer_id != request.user.pk:
            messages.warning(request, services.ALREADY if review else services.NOT_BLIND_YET)
            return redirect("evaluation:second_look", run.pk)
        return _claim_page(request, run, claim.look, claim, form)
    try:
        services.decide_claim(claim, form.cleaned_data["verdict"], form.answer, by=request.user, request=request)
    except services.ClaimUnavailable as refusal:
        messages.warning(request, str(refusal))
    return redirect("evaluation:second_look", run.pk)


@admin_required
@require_POST
def undo_claim(request: AnnotatorRequest, evaluation_id: int, claim_id: int) -> HttpResponse:
    """Take the last word on a claim back."""
    run, claim = _run(evaluation_id), _claim(evaluation_id, claim_id)
    try:
        services.undo_last(claim, request.POST.get("decision", ""), by=request.user, request=request)
    except services.ClaimUnavailable as refusal:
        messages.warning(request, str(refusal))
    return redirect("evaluation:second_look", run.pk)


def _run(evaluation_id: int) -> EvaluationRun:
    return get_object_or_404(EvaluationRun.objects.filter(kind=EvaluationKind.INFERENCE), pk=evaluation_id)


def _claim(evaluation_id: int, claim_id: int) -> Claim:
    claims = Claim.objects.filter(look__run=evaluation_id).select_related("profile__corpus", "look", "review")
    return get_object_or_404(claims, pk=claim_id)


def _claim_page(
    request: AnnotatorRequest, run: EvaluationRun, look: SecondLook, claim: Claim, form: DecisionForm | None = None
) -> HttpResponse:
    shown = shown_claim(claim)
    context = {
        "run": run, "look": look, "shown": shown, "buttons": BUTTONS, "progress": progress_of(look),
        "last": last_decision(look, request.user), "profile": claim.profile,
        "comments": _comments(request, claim), "ratings": range(1, 6), "choices": _choices(shown),
        "fields": _fields(shown, form), "problems": form.errors if form else {},
    }  # fmt: skip
    return render(request, REVIEW, context, status=422 if form else 200)


def _finished_page(request: AnnotatorRequest, run: EvaluationRun, look: SecondLook) -> HttpResponse:
    progress, measured = progress_of(look), incompleteness_of(run, look)
    context = {
        "run": run, "look": look, "progress": progress,
        "section": second_look_section(measured) if progress.is_finished else None,
        "last": last_decision(look, request.user),
    }  # fmt: skip
    return render(request, "evaluation/inference/second_look/finished.html", context)


def _comments(request: AnnotatorRequest, claim: Claim) -> CommentBlock:
    first = read_number(request.GET.get("first"), at_most=MAX_POSITION)
    detections = runs_to_show(claim.profile, request.user).first()
    return read_comments(claim.profile, detections, cited_evidence(claim.profile), first=first or 0)


def _choices(shown: ShownClaim) -> list[tuple[str, str]]:
    """The options of an attribute with a closed list."""
    if shown.attribute not in CLOSED_LISTS:
        return []
    return [(str(value), str(label)) for value, label in CLOSED_LISTS[shown.attribute].choices]


def _fields(shown: ShownClaim, form: DecisionForm | None) -> dict[str, Any]:
    """What the fields of the answer contain: the claim, or what was refused."""
    names = ("value", "hardness", "certainty", "required_subreddit", "quotes")
    if form is None:
        return dict.fromkeys(names) | {"value": shown.claim.value}
    fields: dict[str, Any] = {name: form[name].value() for name in names}
    return fields | {name: read_number(fields[name], at_most=5) for name in ("hardness", "certainty")}
