"""How far annotators agree, in a batch and in a corpus."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Batch, Role
from evaluation.agreement.downloads import as_csv, as_json
from evaluation.agreement.queries import AgreementState, agreement_state, agreement_tables
from evaluation.agreement.scopes import Scope
from evaluation.agreement.services import ask_for_report
from evaluation.stats.signature import MIN_PROFILES
from profiles.models import Corpus

DOWNLOADS = {"json": as_json, "csv": as_csv}


@staff_required
@require_safe
def batch_agreement(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    batch = get_object_or_404(Batch.objects.select_related("corpus"), pk=batch_id)
    return _agreement(request, Scope(batch.corpus, batch))


@staff_required
@require_safe
def corpus_agreement(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    return _agreement(request, Scope(get_object_or_404(Corpus.objects.visible(), pk=corpus_id)))


def _agreement(request: AnnotatorRequest, scope: Scope) -> HttpResponse:
    state = agreement_state(scope)
    if "format" in request.GET:
        return _download(request.GET["format"], state)
    if state.is_stale:
        ask_for_report(scope)
    if request.htmx:
        return _live_status(request, scope, state)
    is_admin = request.user.has_role(Role.ADMIN)
    figures = agreement_tables(state.report, with_names=is_admin) if state.report else None
    return render(request, "evaluation/agreement/agreement.html", _context(scope, state) | {"figures": figures})


def _live_status(request: AnnotatorRequest, scope: Scope, state: AgreementState) -> HttpResponse:
    """Poll while a report is computed; reload the page when a new one is there."""
    if state.report and str(state.report.pk) != request.GET.get("shown"):
        return HttpResponseClientRefresh()
    return render(request, "evaluation/agreement/agreement.html#standing", _context(scope, state))


def _download(format_name: str, state: AgreementState) -> HttpResponse:
    if format_name not in DOWNLOADS or state.report is None:
        raise Http404
    return DOWNLOADS[format_name](state.report)


def _context(scope: Scope, state: AgreementState) -> dict[str, object]:
    return {
        "corpus": scope.corpus,
        "batch": scope.batch,
        "report": state.report,
        "shown": state.report.pk if state.report else "",
        "now": state.now,
        "is_stale": state.is_stale,
        "least": MIN_PROFILES,
    }
