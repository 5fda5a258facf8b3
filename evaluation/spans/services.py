"""Mark errors as looked at."""

from annotator.models import Annotator
from evaluation.models import ErrorItem, ErrorMark


def mark_error(item: ErrorItem, *, is_marked: bool, by: Annotator) -> None:
    """Mark an error as looked at, or take the mark back. The first mark stays."""
    if is_marked:
        ErrorMark.objects.get_or_create(item=item, defaults={"marked_by": by})
    else:
        ErrorMark.objects.filter(item=item).delete()
