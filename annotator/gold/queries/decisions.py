"""What adjudicators decided, as the two lists show it where decisions can be undone."""

from dataclasses import dataclass

from django.core.paginator import Page

from annotator.comments.profiles import readable_profiles
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.gold.queries.adjudication import display_value
from annotator.models import Annotator, GoldRecord, Reached, SameMeaning
from profiles.attributes import Attribute

DECISION_COLUMNS = {
    "profile": "profile__pseudonym attribute",
    "attribute": "attribute -decided_at",
    "value": "value -decided_at",
    "by": "decided_by__display_name -decided_at",
    "when": "-decided_at",
}
MEANING_COLUMNS = {
    "attribute": "attribute -decided_at",
    "answers": "one other",
    "decided": "is_same -decided_at",
    "by": "decided_by__display_name -decided_at",
    "when": "-decided_at",
}


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A gold record with its value in words, or a decision about two answers."""

    record: GoldRecord | SameMeaning
    value: str = ""


def standing_decisions(sorting: Sorting, page: str, by: Annotator) -> "Page[DecisionRow]":
    """Adjudicators' decisions that stand. 2 queries."""
    decided = GoldRecord.objects.filter(reached=Reached.ADJUDICATED, profile__in=readable_profiles(by))
    rows = decided.select_related("profile", "decided_by").order_by(*sorting.order)
    return page_of(rows, page, lambda gold: DecisionRow(gold, display_value(Attribute(gold.attribute), gold.value)))


def decided_meanings(sorting: Sorting, page: str) -> "Page[DecisionRow]":
    """Decisions on whether two answers mean the same. 2 queries."""
    return page_of(SameMeaning.objects.select_related("decided_by").order_by(*sorting.order), page, DecisionRow)
