"""The audit of a judge: a person decides a sample of its pairs without seeing its verdicts."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from evaluation.inference.judge import services
from evaluation.inference.judge.presentation import present_agreement
from evaluation.inference.judge.queries import audit_by, disagreements, judge_agreement, judged_runs, sample_of
from evaluation.models import EvaluationRun, JudgedPair, Verdict

TEMPLATE = "evaluation/inference/judge/audit.html"
CHOOSE = "Choose match, less precise or no match. Nothing was saved."
BUTTONS = tuple(zip("123", Verdict, strict=True))


@staff_required
@require_safe
@never_cache
def judge_audit(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """The next pair; once all are decided, how far this person and others agree with the judge."""
    return _show(request, get_object_or_404(judged_runs(), pk=evaluation_id))


@staff_required
@require_POST
def judge_pair(request: AnnotatorRequest, evaluation_id: int, pair_id: int) -> HttpResponse:
    """Decide a pair of the sample, or take the decision back (`undo`)."""
    run = get_object_or_404(judged_runs(), pk=evaluation_id)
    sample = sample_of(run)
    pair = get_object_or_404(JudgedPair.objects.filter(pk__in=sample), pk=pair_id)
    if "undo" not in request.POST and request.POST.get("verdict") not in Verdict.values:
        return _show(request, run, problem=CHOOSE)
    try:
        _decide(request, run, pair, sample)
    except services.AuditClosed as closed:
        messages.info(request, str(closed))
    if request.htmx and not audit_by(run, request.user).is_finished:
        return _show(request, run)
    page = reverse("evaluation:judge_audit", args=[run.pk])
    return HttpResponseClientRedirect(page) if request.htmx else redirect(page)


def _decide(request: AnnotatorRequest, run: EvaluationRun, pair: JudgedPair, sample: list[int]) -> None:
    if "undo" in request.POST:
        services.undo_audit(run, pair, by=request.user, sample=sample)
    else:
        services.record_audit(run, pair, Verdict(request.POST["verdict"]), by=request.user, sample=sample)


def _show(request: AnnotatorRequest, run: EvaluationRun, *, problem: str = "") -> HttpResponse:
    audit = audit_by(run, request.user)
    context = {"run": run, "audit": audit, "problem": problem, "buttons": BUTTONS}
    if audit.is_finished:
        agreement = judge_agreement(run)
        context |= {"agreement": agreement and present_agreement(agreement), "disagreements": disagreements(run)}
    template = f"{TEMPLATE}#pair" if request.htmx else TEMPLATE
    return render(request, template, context, status=422 if problem else 200)
