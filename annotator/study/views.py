"""The progress of a batch, and the former address of the overview."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.models import Batch, Role
from annotator.quality.queries.known_profiles import tallies_by_annotator
from annotator.study.queries.drift import batch_drifts
from annotator.study.queries.progress import PEOPLE_COLUMNS, batch_figures
from annotator.study.queries.progress_charts import progress_charts


@staff_required
@require_safe
def overview(request: AnnotatorRequest) -> HttpResponse:
    """The overview is the home page of everybody who runs the study."""
    return redirect("annotator:home", permanent=True)


@staff_required
@require_safe
@vary_on_headers("HX-Request")
def batch_progress(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """Figures by person, charts over time, drift. htmx gets only the figures."""
    batch = get_object_or_404(Batch.objects.select_related("corpus"), pk=batch_id)
    is_admin = request.user.has_role(Role.ADMIN)
    figures = batch_figures(batch, by_name=is_admin)
    sorting = Sorting.read(request.GET, PEOPLE_COLUMNS, default="name")
    context: dict[str, object] = {
        "batch": batch, "figures": figures, "people": sorting.sort(figures.people), "sorting": sorting,
        "is_admin": is_admin,
    }  # fmt: skip
    if request.htmx:
        return render(request, "annotator/study/batch_progress.html#figures", context)
    known = tallies_by_annotator(batch)
    context |= {
        "charts": progress_charts(figures),
        "drifts": batch_drifts(batch, figures),
        "known": [(person, known[person.pk]) for person in figures.people if person.pk in known],
    }
    return render(request, "annotator/study/batch_progress.html", context)
