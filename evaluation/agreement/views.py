"""The agreement between annotators in a batch or a corpus."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Batch, Role
from evaluation.agreement.downloads import FILES, as_pending
from evaluation.agreement.forms import DownloadForm
from evaluation.agreement.queries import AgreementState, agreement_job, agreement_state, agreement_tables
from evaluation.agreement.scopes import Scope
from evaluation.agreement.services import ask_for_report
from evaluation.stats.signature import MIN_PROFILES
from profiles.models import Corpus


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
    if "format" in request.GET:
        return _download(request, scope)
    state = agreement_state(scope)
    if state.is_stale:
        ask_for_report(scope)
    if request.htmx:
        return _live_status(request, scope, state)
    is_admin = request.user.has_role(Role.ADMIN)
    figures = agreement_tables(state.report, with_names=is_admin) if state.report else None
    return render(request, "evaluation/agreement/agreement.html", _context(scope, state) | {"figures": figures})


def _live_status(request: AnnotatorRequest, scope: Scope, state: AgreementState) -> HttpResponse:
    """The status that the page polls while a report is computed. Reload the page once there is a new one."""
    if state.report and str(state.report.pk) != request.GET.get("shown"):
        return HttpResponseClientRefresh()
    return render(request, "evaluation/agreement/agreement.html#standing", _context(scope, state))


def _download(request: AnnotatorRequest, scope: Scope) -> HttpResponse:
    """The current figures, or those of the report asked for. While they are computed, 202 and where to ask again."""
    form = DownloadForm(request.GET)
    if not form.is_valid():
        raise Http404
    file_format, report_id, asked_at = (form.cleaned_data[name] for name in ("format", "report", "asked_at"))
    state = agreement_state(scope, report_id)
    if state.is_stale and not report_id and not (asked_at and state.has_counted_until(asked_at)):
        ask_for_report(scope)
        return as_pending(request, scope, state, file_format=file_format, asked_at=asked_at or timezone.now())
    if state.report is None:
        raise Http404
    return FILES[file_format](state.report, state)


def _context(scope: Scope, state: AgreementState) -> dict[str, object]:
    return {
        "corpus": scope.corpus,
        "batch": scope.batch,
        "report": state.report,
        "shown": state.report.pk if state.report else "",
        "now": state.now,
        "is_stale": state.is_stale,
        "job": agreement_job(scope) if state.is_stale else None,
        "least": MIN_PROFILES,
    }
