"""The list of gold records with the judgements behind them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from annotator.core.sort_order import Sorting
from annotator.models import Annotator, GoldRecord
from profiles.models import Corpus

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class RecordedJudgement:
    """One judgement behind a record, with the annotator's code."""

    code: str
    value: str
    hardness: int
    certainty: int


@dataclass(frozen=True, slots=True)
class RecordRow:
    record: GoldRecord
    judgements: Sequence[RecordedJudgement]


RECORD_COLUMNS = {
    "profile": "profile attribute",
    "attribute": "attribute profile",
    "value": "value profile attribute",
    "hardness": "-hardness profile attribute",
    "certainty": "-certainty profile attribute",
}


def records_page(corpus: Corpus, filters: Mapping[str, Any], sorting: Sorting, number: str) -> "Page[RecordRow]":
    """One page of records. 3 queries."""
    records = GoldRecord.objects.filter(profile__corpus=corpus, **_filters(filters)).select_related("profile")
    page: Any = Paginator(records.defer("evidence").order_by(*sorting.order), PAGE_SIZE).get_page(number)
    shown: list[GoldRecord] = list(page.object_list)
    codes = _codes(row.get("annotator") for record in shown for row in record.said)
    page.object_list = [RecordRow(record, [_recorded_judgement(row, codes) for row in record.said]) for record in shown]
    return page  # type: ignore[no-any-return]


def _filters(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Drop empty filters, but keep 0."""
    return {name: value for name, value in filters.items() if value not in ("", None)}


def _codes(people: Iterable[Any]) -> dict[Any, str]:
    """Codes by primary key. 1 query."""
    ids = {person for person in people if isinstance(person, int)}
    return dict(Annotator.objects.filter(pk__in=ids).values_list("pk", "code"))


def _recorded_judgement(row: Mapping[str, Any], codes: Mapping[Any, str]) -> RecordedJudgement:
    annotator = row.get("annotator")
    return RecordedJudgement(
        codes.get(annotator, str(annotator)), row.get("value", ""), row.get("hardness", 0), row.get("certainty", 0)
    )  # fmt: skip
