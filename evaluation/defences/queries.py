"""What is still inferable after a defence, with the texts that it was inferred from."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page

from annotator.core.pages import page_of
from evaluation.defences.sections import complete_defences
from evaluation.inference.queries import CaseRow, case_row
from evaluation.inference.stored_cases import Outcome
from evaluation.models import DefendedText, EvaluationRun

CASES_PER_PAGE = 25
MAX_TEXTS = 3  # of each profile


@dataclass(frozen=True, slots=True)
class Example:
    case: CaseRow
    texts: Sequence[str]  # some comments as the defence changed them


@dataclass(frozen=True, slots=True)
class ExampleList:
    """`defences` are pairs of key and title; `defence` is the chosen one. `page` knows the other pages."""

    defences: Sequence[tuple[str, str]]
    defence: str
    rows: Sequence[Example]
    page: "Page[CaseRow]"


def examples_page(run: EvaluationRun, defence: str, page: str = "1") -> ExampleList | None:
    """Labels that the attack gets right in spite of a defence; an unknown one gives the first. 3 queries."""
    defences = [(item["key"], item["title"]) for item in complete_defences(run.report)[1:]]
    if not defences:
        return None
    chosen = defence if defence in dict(defences) else defences[0][0]
    rows = run.cases.filter(defence=chosen, outcome=Outcome.RIGHT).order_by("number")
    cases = page_of(rows, page, case_row, size=CASES_PER_PAGE)
    texts = _texts(run, chosen, [case.profile_id for case in cases.object_list if case.profile_id])
    examples = [Example(case, texts.get(case.profile_id or 0, [])) for case in cases.object_list]
    return ExampleList(defences, chosen, examples, cases)


def _texts(run: EvaluationRun, defence: str, profiles: Sequence[int]) -> Mapping[int, list[str]]:
    texts = defaultdict[int, list[str]](list)
    rows = DefendedText.objects.filter(run=run, defence=defence, profile__in=profiles).order_by("profile_id", "pk")
    for profile, body in rows.values_list("profile_id", "body").iterator():
        if len(texts[profile]) < MAX_TEXTS:
            texts[profile].append(body)
    return texts
