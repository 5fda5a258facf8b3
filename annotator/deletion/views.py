"""Delete a corpus, after a look at everything that goes with it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.corpora.services.corpora import CorpusRefused
from annotator.deletion import services
from annotator.deletion.contents import rows_to_delete
from annotator.deletion.forms import DeletionForm
from annotator.models import CorpusDeletion
from profiles.models import Corpus

BEGUN = "“{name}” is being deleted and is no longer visible."
RESUMED = "The deletion continues."


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_corpus(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus.objects.visible(), pk=corpus_id)
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _begin(request, corpus, form):
        return redirect("annotator:corpora")
    context = {"corpus": corpus, "form": form, "rows": rows_to_delete(corpus), "refusal": _refusal(corpus)}
    return render(request, "annotator/deletion/delete_corpus.html", context, status=422 if form.errors else 200)


@admin_required
@require_POST
def resume_deletion(request: AnnotatorRequest, deletion_id: int) -> HttpResponse:
    services.resume_deletion(get_object_or_404(CorpusDeletion, pk=deletion_id))
    messages.success(request, RESUMED)
    return redirect("annotator:corpora")


def _begin(request: AnnotatorRequest, corpus: Corpus, form: DeletionForm) -> bool:
    """Begin the deletion. If it is refused, add the reason to the form and return False."""
    try:
        services.request_deletion(corpus, form.cleaned_data["typed"], by=request.user, request=request)
    except services.WrongName as refusal:
        form.add_error("typed", str(refusal))
        return False
    except CorpusRefused as refusal:
        form.add_error(None, str(refusal))
        return False
    messages.success(request, BEGUN.format(name=corpus.name))
    return True


def _refusal(corpus: Corpus) -> str:
    """Why the corpus cannot be deleted now, or ""."""
    try:
        services.refuse_deletion(corpus)
    except CorpusRefused as refusal:
        return str(refusal)
    return ""
