"""How far a batch is, for those who run the study."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Batch, Role
from annotator.quality.queries.known_profiles import tallies_by_annotator
from annotator.study.queries.drift import drifts_of
from annotator.study.queries.progress import figures_of
from annotator.study.queries.progress_charts import over_time


@staff_required
@require_safe
@vary_on_headers("HX-Request")
def batch_progress(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """Figures by person, charts over time, drift. Asked for by htmx, the figures alone."""
    batch = get_object_or_404(Batch.objects.select_related("corpus"), pk=batch_id)
    is_admin = request.user.has_role(Role.ADMIN)
    figures = figures_of(batch, by_name=is_admin)
    context: dict[str, object] = {"batch": batch, "figures": figures, "is_admin": is_admin}
    if request.htmx:
        return render(request, "annotator/study/batch_progress.html#figures", context)
    known = tallies_by_annotator(batch)
    context |= {
        "over_time": over_time(figures),
        "drifts": drifts_of(batch, figures),
        "known": [(person, known[person.pk]) for person in figures.people if person.pk in known],
    }
    return render(request, "annotator/study/batch_progress.html", context)
