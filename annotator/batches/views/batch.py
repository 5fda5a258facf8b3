"""A batch, as far as it concerns the person looking."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotator.batches.queries.own import own_assignments
from annotator.core.http import AnnotatorRequest
from annotator.models import Batch


@login_required
@require_safe
def batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """The profiles that one was given in a batch. One that one has no part in, or not yet, does not exist for one."""
    started = Batch.objects.for_annotator(request.user).filter(started_at__isnull=False)
    shown = get_object_or_404(started.select_related("corpus"), pk=batch_id)
    context = {"batch": shown, "assignments": own_assignments(request.user, shown)}
    return render(request, "annotator/batches/batch.html", context)
