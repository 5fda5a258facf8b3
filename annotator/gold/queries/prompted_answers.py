"""The list of answers that people confirmed after a model had claimed them."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, QuerySet

from annotator.core.sort_order import Sorting
from annotator.models import PromptedAnswer
from profiles.models import Corpus

PAGE_SIZE = 50
PROMPTED_COLUMNS = {
    "profile": "profile attribute",
    "attribute": "attribute profile",
    "value": "value profile attribute",
    "hardness": "-hardness profile attribute",
    "certainty": "-certainty profile attribute",
    "prompter": "prompted_by profile attribute",
    "when": "-decided_at profile attribute",
}


def prompted_page(corpus: Corpus, sorting: Sorting, number: str) -> "Page[Any]":
    """One page of answers, each with `stands`: whether it still counts. 2 queries."""
    standing = PromptedAnswer.objects.standing().filter(pk=OuterRef("pk"))
    answers = _of(corpus).annotate(stands=Exists(standing)).select_related("profile").defer("evidence")
    return Paginator(answers.order_by(*sorting.order), PAGE_SIZE).get_page(number)


def count_prompted(corpus: Corpus) -> int:
    """1 query."""
    return _of(corpus).count()


def _of(corpus: Corpus) -> QuerySet[PromptedAnswer]:
    return PromptedAnswer.objects.filter(profile__corpus=corpus)
