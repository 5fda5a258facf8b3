"""Who can be given something to label."""

from django.db.models import QuerySet

from annotator.models import Annotator, Role


def active_evaluators() -> QuerySet[Annotator]:
    """By name."""
    found = Annotator.objects.filter(is_active=True, is_imported=False, roles__contains=[Role.EVALUATOR.value])
    return found.order_by("display_name", "pk")
