"""What was handed to the person who asks."""

from django.shortcuts import get_object_or_404

from annotator.http import AnnotatorRequest
from annotator.models import Assignment
from annotator.queries.seat import own_work


def own_assignment(request: AnnotatorRequest, assignment_id: int) -> Assignment:
    """By its number; what was handed to others does not exist. 1 query."""
    return get_object_or_404(own_work(request.user), pk=assignment_id)
