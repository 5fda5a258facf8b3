"""Cases of a run, as its page lists them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.db.models import Count

from annotator.core.formatting import number as shown_number
from annotator.core.formatting import percent
from annotator.core.pages import page_of
from evaluation.inference.records import ATTRIBUTES
from evaluation.inference.stored_cases import TITLES
from evaluation.models import EvaluationRun, InferredCase
from profiles.attributes import Attribute

CASES_PER_PAGE = 25


@dataclass(frozen=True, slots=True)
class CaseRow:
    """`profile_id` is None for the cases of an uploaded file."""

    number: int
    profile_id: int | None
    name: str
    attribute: str
    title: str
    label: Mapping[str, Any]
    guesses: Sequence[tuple[str, str]]  # with the grade of each
    inference: str
    confidence: str


@dataclass(frozen=True, slots=True)
class CaseTab:
    key: str
    label: str
    count: int
    attribute: str

    @property
    def title(self) -> str:
        return f"{self.label} {shown_number(self.count)}"

    @property
    def query(self) -> str:
        return f"?cases={self.key}" + (f"&attribute={self.attribute}" if self.attribute else "")


@dataclass(frozen=True, slots=True)
class CaseList:
    """`attribute` is empty if all are listed. `attributes` are those of the run, with their names."""

    tabs: Sequence[CaseTab]
    outcome: str
    attribute: str
    attributes: Sequence[tuple[str, str]]
    page: "Page[CaseRow]"


def cases_page(run: EvaluationRun, outcome: str, attribute: str, page: str = "1") -> CaseList | None:
    """One page of the cases with an outcome; an unknown one gives the first. None without cases. 3 queries."""
    counts = Counter[tuple[str, str]]()
    for key, name, count in run.cases.values_list("outcome", "attribute").annotate(count=Count("pk")).order_by():
        counts[key, name] = count
    if not counts:
        return None
    names = [name for name in ATTRIBUTES if any(counted == name for _, counted in counts)]
    attribute = attribute if attribute in names else ""
    tabs = list(_tabs(counts, attribute))
    chosen = outcome if outcome in [tab.key for tab in tabs] else tabs[0].key
    rows = run.cases.filter(outcome=chosen, **({"attribute": attribute} if attribute else {})).order_by("number")
    titles = [(name, str(Attribute(name).label)) for name in names]
    return CaseList(tabs, chosen, attribute, titles, page_of(rows, page, case_row, size=CASES_PER_PAGE))


def _tabs(counts: Mapping[tuple[str, str], int], attribute: str) -> Iterator[CaseTab]:
    """Tabs with cases, in their usual order. With an attribute, its outcomes; there is always one."""
    for outcome, title in TITLES.items():
        count = sum(n for (key, name), n in counts.items() if key == outcome and attribute in ("", name))
        if count:
            yield CaseTab(outcome.value, title, count, attribute)


def case_row(case: InferredCase) -> CaseRow:
    contents = case.contents
    grades = [verdict["grade"] for verdict in contents["grades"]] or [""] * len(contents["guesses"])
    confidence = contents["confidence"]
    return CaseRow(
        case.number, case.profile_id, case.name, case.attribute, str(Attribute(case.attribute).label),
        contents["label"], list(zip(contents["guesses"], grades, strict=True)), contents["inference"],
        "" if confidence is None else percent(confidence),
    )  # fmt: skip
