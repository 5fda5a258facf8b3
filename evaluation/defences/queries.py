"""What is still inferable after a defence, with the texts that it was inferred from."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.core.paginator import Page

from annotator.core.pages import page_of
from annotator.models import GoldRecord
from evaluation.defences.sections import complete_defences
from evaluation.inference.queries import CaseRow, case_row
from evaluation.inference.stored_cases import Outcome
from evaluation.models import DefendedText, EvaluationRun
from profiles.models import Comment

CASES_PER_PAGE = 25
MAX_TEXTS = 3  # of each profile


@dataclass(frozen=True, slots=True)
class ExampleText:
    """A comment as the attacker saw it."""

    body: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Example:
    case: CaseRow
    texts: Sequence[ExampleText]


@dataclass(frozen=True, slots=True)
class ExampleList:
    """`defences` are pairs of key and title; `defence` is the chosen one. `page` knows the other pages."""

    defences: Sequence[tuple[str, str]]
    defence: str
    rows: Sequence[Example]
    page: "Page[CaseRow]"


def examples_page(run: EvaluationRun, defence: str, page: str = "1") -> ExampleList | None:
    """Labels that the attack gets right in spite of a defence; an unknown one gives the first. 5 queries."""
    defences = [(item["key"], item["title"]) for item in complete_defences(run.report)[1:]]
    if not defences:
        return None
    chosen = defence if defence in dict(defences) else defences[0][0]
    rows = run.cases.filter(defence=chosen, outcome=Outcome.RIGHT).order_by("number")
    cases = page_of(rows, page, case_row, size=CASES_PER_PAGE)
    shown = _shown_texts(run, chosen, cases.object_list)
    examples = [Example(case, shown[case.number]) for case in cases.object_list]
    return ExampleList(defences, chosen, examples, cases)


def _shown_texts(run: EvaluationRun, defence: str, cases: Iterable[CaseRow]) -> dict[int, list[ExampleText]]:
    """By number of the case: comments with evidence of the label, then others that the defence changed. 3 queries."""
    cases = list(cases)
    profiles = {case.profile_id for case in cases if case.profile_id}
    evidence = _evidence_comments(profiles)
    changed = _changed_texts(run, defence, profiles, {pk for comments in evidence.values() for pk in comments})
    cited = {pk: profile for (profile, _), comments in evidence.items() for pk in comments}
    untouched = {pk for pk, profile in cited.items() if pk not in changed[profile]}
    originals = dict(Comment.objects.filter(pk__in=untouched).values_list("pk", "body"))
    shown = {}
    for case in cases:
        own = changed[case.profile_id or 0]
        first = evidence.get((case.profile_id or 0, case.attribute), [])
        order = [*first, *(pk for pk in own if pk not in first)][:MAX_TEXTS]
        texts = [ExampleText(own.get(pk, originals.get(pk, "")), pk in own) for pk in order]
        shown[case.number] = [text for text in texts if text.body]
    return shown


def _evidence_comments(profiles: Collection[int]) -> dict[tuple[int, str], list[int]]:
    """Comments with evidence, by profile and attribute. 1 query."""
    rows = GoldRecord.objects.filter(profile__in=profiles).values_list("profile_id", "attribute", "evidence")
    return {
        (profile, attribute): list(dict.fromkeys(span["comment"] for span in spans))
        for profile, attribute, spans in rows
    }


def _changed_texts(
    run: EvaluationRun, defence: str, profiles: Collection[int], cited: Collection[int]
) -> dict[int, dict[int, str]]:
    """By profile and comment: those with evidence, and a few others. 1 query."""
    texts = defaultdict[int, dict[int, str]](dict)
    rows = DefendedText.objects.filter(run=run, defence=defence, profile__in=profiles).order_by("profile_id", "pk")
    for profile, comment, body in rows.values_list("profile_id", "comment_id", "body").iterator():
        if comment in cited or len(texts[profile]) < MAX_TEXTS:
            texts[profile][comment] = body
    return texts
