"""Corpora, their profiles, and reading one."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotator.comments.blocks import Reader, alone, read_block
from annotator.comments.presidio_results import presidio_results
from annotator.comments.profiles import profile_head, readable_profiles
from annotator.comments.runs import runs_to_show
from annotator.core.access import staff_required
from annotator.core.audit import record_view
from annotator.core.http import AnnotatorRequest
from annotator.corpora.forms.profiles import AccountNameForm, ProfileFilterForm
from annotator.corpora.queries.corpora import corpus_rows, corpus_with_counts, profiles_page, visible_corpora
from annotator.corpora.queries.ingests import latest_progress
from annotator.corpora.views.provenance import making
from annotator.models import Role
from profiles.models import DetectionRun, Profile

COMMENTS_A_PAGE = 200


@staff_required
@require_safe
def corpora(request: AnnotatorRequest) -> HttpResponse:
    context = {"corpora": corpus_rows(visible_corpora()), "is_admin": request.user.has_role(Role.ADMIN)}
    return render(request, "annotator/corpora/corpora.html", context)


@staff_required
@require_safe
def corpus(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """The profiles of one corpus, largest first, page by page. Until they can be read: how far it is."""
    shown = get_object_or_404(visible_corpora(), pk=corpus_id)
    if shown.ready_at is None:
        return making(request, corpus_id)
    form = ProfileFilterForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {}
    context = {"corpus": corpus_with_counts(shown), "form": form, "page": profiles_page(shown, wanted)}
    if request.htmx:
        return render(request, "annotator/corpora/corpus.html#profile-rows", context)
    context |= {"progress": latest_progress(shown), "is_admin": request.user.has_role(Role.ADMIN)}
    return render(request, "annotator/corpora/corpus.html", context)


@login_required
@require_safe
def profile(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """Everything one profile wrote: by subreddit, then date."""
    shown = get_object_or_404(readable_profiles(request.user), pk=profile_id)
    may_browse = request.user.has_role(Role.ADMIN, Role.RESEARCHER)
    if may_browse:  # evaluators read what they were given, and that is known already
        record_view(shown.pk, by=request.user, page="profile", request=request)
    runs = list(runs_to_show(shown, request.user))
    run = _chosen_run(runs, request.GET.get("run") if may_browse else None)
    context = {"profile": shown, "may_browse": may_browse, "runs": runs}
    if request.htmx.target == "presidio-results":
        context["presidio"] = presidio_results(run, shown) if run else None
        return render(request, "annotator/comments/_presidio_results.html", context)
    context |= _comments_to_read(request, shown, run)
    if request.htmx:
        return render(request, "annotator/corpora/profile.html#comments", context)
    context["presidio"] = presidio_results(run, shown) if run else None
    context["account_name_form"] = AccountNameForm() if request.user.has_role(Role.ADMIN) else None
    return render(request, "annotator/corpora/profile.html", context)


def _comments_to_read(request: AnnotatorRequest, shown: Profile, run: DetectionRun | None) -> dict[str, object]:
    """One page of them, of one subreddit where that was asked for."""
    head = profile_head(shown, request.user)
    asked = request.GET.get("subreddit", "").lower()
    place = next((chapter for chapter in head.chapters if chapter.name.lower() == asked), None)
    laid_out = alone(place) if place else head.chapters
    every = range(sum(chapter.count for chapter in laid_out))
    page = Paginator(every, COMMENTS_A_PAGE).get_page(request.GET.get("page"))
    parts = read_block(Reader(shown, run), laid_out, (page.number - 1) * COMMENTS_A_PAGE, COMMENTS_A_PAGE)
    return {"head": head, "place": place, "page": page, "parts": parts}


def _chosen_run(runs: list[DetectionRun], wanted: str | None) -> DetectionRun | None:
    """The newest, unless one of them was asked for by its number."""
    if wanted is None:
        return runs[0] if runs else None
    chosen = next((run for run in runs if str(run.pk) == wanted), None)
    if chosen is None:
        raise Http404("This corpus has no such run.")
    return chosen
