"""Gold records one by one, with who said what."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from annotator.models import Annotator, GoldRecord
from profiles.models import Corpus

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Said:
    """What one person said, under their code."""

    code: str
    value: str
    hardness: int
    certainty: int


@dataclass(frozen=True, slots=True)
class RecordRow:
    record: GoldRecord
    said: Sequence[Said]


def records_page(corpus: Corpus, wanted: Mapping[str, Any], number: str) -> "Page[RecordRow]":
    """By profile and attribute. 3 queries."""
    records = GoldRecord.objects.filter(profile__corpus=corpus, **_filters(wanted)).select_related("profile")
    page: Any = Paginator(records.defer("evidence").order_by("profile", "attribute"), PER_PAGE).get_page(number)
    shown: list[GoldRecord] = list(page.object_list)
    codes = _codes(one.get("annotator") for record in shown for one in record.said)
    page.object_list = [RecordRow(record, [_said(one, codes) for one in record.said]) for record in shown]
    return page  # type: ignore[no-any-return]


def _filters(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for; 0 is something to ask for, too."""
    return {name: value for name, value in wanted.items() if value not in ("", None)}


def _codes(people: Iterable[Any]) -> dict[Any, str]:
    """Records keep numbers of people; what stands for them outside is their code."""
    numbers = {one for one in people if isinstance(one, int)}
    return dict(Annotator.objects.filter(pk__in=numbers).values_list("pk", "code"))


def _said(one: Mapping[str, Any], codes: Mapping[Any, str]) -> Said:
    who = one.get("annotator")
    return Said(
        codes.get(who, str(who)), one.get("value", ""), one.get("hardness", 0), one.get("certainty", 0)
    )  # fmt: skip
