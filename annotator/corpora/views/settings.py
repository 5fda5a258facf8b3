"""Settings of a corpus: rename it, put it away, take it out again."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.corpora.forms.names import CorpusNameForm
from annotator.corpora.services import corpora as services
from profiles.models import Corpus

RENAMED = "The corpus was renamed."
ARCHIVED = "The corpus is archived. You can still read and restore it, but nothing new starts in it."
RESTORED = "The corpus was restored."


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def corpus_settings(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Show the settings, or rename the corpus."""
    corpus, name = _corpus(corpus_id), _corpus(corpus_id).name
    form = CorpusNameForm(request.POST if request.method == "POST" else None, instance=corpus)
    if form.is_valid() and _rename(request, form):
        return redirect("annotator:corpus_settings", corpus_id)
    context = {"corpus": corpus, "name": name, "form": form}
    return render(request, "annotator/corpora/settings.html", context, status=422 if form.errors else 200)


@admin_required
@require_POST
def archive_corpus(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    return _change(request, corpus_id, services.archive_corpus, ARCHIVED)


@admin_required
@require_POST
def restore_corpus(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    return _change(request, corpus_id, services.restore_corpus, RESTORED)


def _rename(request: AnnotatorRequest, form: CorpusNameForm) -> bool:
    """Rename the corpus. If it is refused, add the reason to the form and return False."""
    try:
        corpus = _corpus(form.instance.pk)
        if services.rename_corpus(corpus, form.cleaned_data["name"], by=request.user, request=request):
            messages.success(request, RENAMED)
    except services.CorpusRefused as refusal:
        form.add_error("name", str(refusal))
        return False
    return True


def _change(request: AnnotatorRequest, corpus_id: int, change: Callable[..., bool], done: str) -> HttpResponse:
    try:
        if change(_corpus(corpus_id), by=request.user, request=request):
            messages.success(request, done)
    except services.CorpusRefused as refusal:
        messages.warning(request, str(refusal))
    return redirect("annotator:corpus_settings", corpus_id)


def _corpus(corpus_id: int) -> Corpus:
    return get_object_or_404(Corpus.objects.visible(), pk=corpus_id)
