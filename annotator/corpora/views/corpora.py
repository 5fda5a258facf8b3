"""Corpora, their profiles, and the comments of a profile."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotator.comments.blocks import CommentSelection, only, read_block
from annotator.comments.presidio_results import presidio_results, runs_to_show
from annotator.comments.profiles import profile_head, readable_profiles
from annotator.core.access import staff_required
from annotator.core.audit import record_view
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.corpora.forms.profiles import AccountNameForm, ProfileFilterForm
from annotator.corpora.queries.corpora import (
    CORPUS_COLUMNS,
    corpora_page,
    corpus_with_counts,
    profiles_page,
    shown_deletions,
)
from annotator.corpora.queries.ingests import latest_ingest
from annotator.corpora.views.provenance import provenance
from annotator.models import Role
from profiles.models import Corpus, DetectionRun, Profile

COMMENTS_PER_PAGE = 200


@staff_required
@require_safe
def corpora(request: AnnotatorRequest) -> HttpResponse:
    """Corpora in use, then those that are archived; above them those being deleted."""
    sorting = Sorting.read(request.GET, CORPUS_COLUMNS, default="ready")
    context = {
        "page": corpora_page(sorting, request.GET.get("page", "1")),
        "sorting": sorting,
        "deletions": shown_deletions(),
        "is_admin": request.user.has_role(Role.ADMIN),
    }
    return render(request, "annotator/corpora/corpora.html", context)


@staff_required
@require_safe
def corpus(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Profiles of a corpus, largest first; while it is being imported, its provenance."""
    selected = get_object_or_404(Corpus.objects.visible(), pk=corpus_id)
    if selected.ready_at is None:
        return provenance(request, corpus_id)
    form = ProfileFilterForm(request.GET)
    filters = form.cleaned_data if form.is_valid() else {}
    context = {"corpus": corpus_with_counts(selected), "form": form, "page": profiles_page(selected, filters)}
    if request.htmx:
        return render(request, "annotator/corpora/corpus.html#profile-rows", context)
    context |= {"progress": latest_ingest(selected), "is_admin": request.user.has_role(Role.ADMIN)}
    return render(request, "annotator/corpora/corpus.html", context)


@login_required
@require_safe
def profile(request: AnnotatorRequest, profile_id: int) -> HttpResponse:
    """All comments of a profile, by subreddit, then date."""
    selected = get_object_or_404(readable_profiles(request.user), pk=profile_id)
    may_browse = request.user.has_role(Role.ADMIN, Role.RESEARCHER)
    if may_browse:  # evaluators read only their assignments, which are on record already
        record_view(selected.pk, by=request.user, page="profile", request=request)
    runs = list(runs_to_show(selected, request.user))
    run = _chosen_run(runs, request.GET.get("run") if may_browse else None)
    context = {"profile": selected, "may_browse": may_browse, "runs": runs}
    if request.htmx.target == "presidio-results":
        context["presidio"] = presidio_results(run, selected) if run else None
        return render(request, "annotator/comments/_presidio_results.html", context)
    context |= _comments_to_read(request, selected, run)
    if request.htmx:
        return render(request, "annotator/corpora/profile.html#comments", context)
    context["presidio"] = presidio_results(run, selected) if run else None
    context["account_name_form"] = AccountNameForm() if request.user.has_role(Role.ADMIN) else None
    return render(request, "annotator/corpora/profile.html", context)


def _comments_to_read(request: AnnotatorRequest, selected: Profile, run: DetectionRun | None) -> dict[str, object]:
    """One page of comments, from a single subreddit if the URL names one."""
    head = profile_head(selected, request.user)
    name = request.GET.get("subreddit", "").lower()
    subreddit = next((chapter for chapter in head.chapters if chapter.name.lower() == name), None)
    chapters = only(subreddit) if subreddit else head.chapters
    positions = range(sum(chapter.count for chapter in chapters))
    page = Paginator(positions, COMMENTS_PER_PAGE).get_page(request.GET.get("page"))
    first = (page.number - 1) * COMMENTS_PER_PAGE
    parts = read_block(CommentSelection(selected, run), chapters, first, COMMENTS_PER_PAGE)
    return {"head": head, "subreddit": subreddit, "page": page, "parts": parts}


def _chosen_run(runs: list[DetectionRun], run_id: str | None) -> DetectionRun | None:
    """The run with this id, or the newest if no id is given."""
    if run_id is None:
        return runs[0] if runs else None
    chosen = next((run for run in runs if str(run.pk) == run_id), None)
    if chosen is None:
        raise Http404("This corpus has no such run.")
    return chosen
