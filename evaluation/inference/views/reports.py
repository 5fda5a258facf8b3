"""The report of a model, baseline or file, and its cases."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from annotator.core.formatting import number, plural
from annotator.core.http import AnnotatorRequest
from evaluation.inference.gold_profiles import gold_digest
from evaluation.inference.judge.queries import judge_agreement
from evaluation.inference.presentation import present_inference
from evaluation.inference.queries import cases_page
from evaluation.inference.scopes import stored_scope
from evaluation.inference.second_look.candidates import can_be_looked_at
from evaluation.inference.second_look.queries import incompleteness_of
from evaluation.inference.second_look.state import look_at
from evaluation.models import EvaluationRun, SecondLook
from evaluation.reports.html import render_shown_html
from evaluation.reports.presentation import ShownReport
from evaluation.runs.views.reports import run_context

TEMPLATE = "evaluation/inference/report.html"
SCOPE_GONE = "The corpus or batch of this run no longer exists. The numbers are kept."
GOLD_CHANGED = (
    "Gold records were added, changed or removed after this run, so its numbers describe the earlier gold. "
    "Run it again to score the current gold; stored answers cost nothing."
)


def inference_report(request: AnnotatorRequest, run: EvaluationRun) -> HttpResponse:
    """Numbers and cases. htmx gets one page of the cases alone."""
    context = run_context(request, run)
    asks = request.GET
    context["cases"] = cases_page(run, asks.get("cases", ""), asks.get("attribute", ""), asks.get("page", "1"))
    if request.htmx:
        return render(request, f"{TEMPLATE}#cases", context)
    look = look_at(run)
    context |= {"report": _present(run, look), "gold_note": gold_note(run), "asked": asked_in_words(run)}
    context |= {"is_judged": _is_judged(run), "can_be_looked_at": can_be_looked_at(run), "look": look}
    return render(request, TEMPLATE, context)


def inference_html(run: EvaluationRun) -> str:
    """It lists no case, because reasoning may quote comments."""
    return render_shown_html(_present(run, look_at(run)), name=run.name, version=run.report.get("version", ""))


def _present(run: EvaluationRun, look: SecondLook | None) -> ShownReport:
    """With the newest audit of the judge, and what a second look says by now."""
    agreement = judge_agreement(run) if _is_judged(run) else None
    return present_inference(run.report, agreement, incompleteness_of(run, look) if look else None)


def inference_additions(run: EvaluationRun) -> dict[str, Any]:
    """What people have said since the run finished, beside its report."""
    look = look_at(run)
    return {"second_look": incompleteness_of(run, look)} if look else {}


def _is_judged(run: EvaluationRun) -> bool:
    return bool(run.report.get("judged"))


def asked_in_words(run: EvaluationRun) -> str:
    """What a language model was asked, and what was left out. Empty for systems that nobody asks."""
    question, selection = run.report.get("question"), run.report.get("selection", {})
    if not question:
        return ""
    parts = [
        f"prompt {question['prompt']}",
        f"one request per {'attribute' if question['per_attribute'] else 'profile'}",
        "only attributes with a gold value" if question["only_labelled"] else "all eight attributes",
        f"{'with' if question['has_subreddits'] else 'without'} subreddit names",
        f"at most {number(question['profile_tokens'])} comment tokens",
        f"at most {number(question['max_tokens'])} answer tokens",
        f"temperature {question['temperature']:g}",
    ]
    question_words = f"Asked with {', '.join(parts)}."
    if not selection.get("cut_profiles"):
        return f"{question_words} No profile had to be shortened."
    left_out = plural(selection["left_out"], "comment")
    profiles = plural(selection["cut_profiles"], "profile was longer", "profiles were longer")
    return f"{question_words} {profiles} than allowed: {left_out} left out."


def gold_note(run: EvaluationRun) -> str:
    """Whether the gold is still what the run was scored on, in words. Empty if it is, or for a file. 2 or 3 queries."""
    gold = run.inputs.get("gold")
    if not gold:
        return ""
    scope = stored_scope(run)
    if scope is None:
        return SCOPE_GONE
    return "" if gold_digest(scope.profiles()) == gold["sha256"] else GOLD_CHANGED
