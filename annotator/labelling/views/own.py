"""What was handed to the person who asks."""

from django.http import Http404

from annotator.core.http import AnnotatorRequest
from annotator.labelling.queries import own_assignment_of
from annotator.models import Assignment


def own_assignment(request: AnnotatorRequest, assignment_id: int) -> Assignment:
    """By its number; what was handed to others does not exist. 1 query."""
    assignment = own_assignment_of(request.user, int(assignment_id))
    if assignment is None:
        raise Http404
    return assignment
