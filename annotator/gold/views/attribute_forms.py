"""An attribute with its forms, as the adjudicator's page shows them: fresh, or with what was typed."""

from dataclasses import dataclass, field
from typing import Any

from annotator.gold.forms.adjudication import DecisionForm
from annotator.gold.queries.adjudication import AttributeOnPage
from annotator.gold.services.adjudication import How

TYPED = ("value", "hardness", "certainty", "required_subreddit", "reason")


@dataclass(frozen=True, slots=True)
class FormOnPage:
    how: How
    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False
    reason: str = ""
    problems: dict[str, str] = field(default_factory=dict)
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class CaseOnPage:
    row: AttributeOnPage
    write: FormOnPage
    merge: FormOnPage | None

    @property
    def can_be_kept(self) -> bool:
        """What was decided before, while it is disputed."""
        return self.row.dispute is not None and self.row.was_decided


def case_on_page(row: AttributeOnPage, form: DecisionForm | None) -> CaseOnPage:
    """`form` is what was refused, about whichever attribute."""
    typed = _typed(form) if form and form.attribute is row.attribute else None
    return CaseOnPage(row, _write(row, typed), _merge(row, typed))


def _write(row: AttributeOnPage, typed: FormOnPage | None) -> FormOnPage:
    if typed and typed.how is How.WRITE:
        return typed
    gold = row.gold
    if gold is None:
        return FormOnPage(How.WRITE)
    return FormOnPage(How.WRITE, gold.value, gold.hardness, gold.certainty, gold.required_subreddit)


def _merge(row: AttributeOnPage, typed: FormOnPage | None) -> FormOnPage | None:
    if typed and typed.how is How.MERGE:
        return typed
    merger = row.merger if row.can_accept else None
    if merger is None:
        return None
    return FormOnPage(How.MERGE, merger.value, merger.hardness, merger.certainty, merger.required_subreddit)


def _typed(form: DecisionForm) -> FormOnPage:
    said: dict[str, Any] = {name: form[name].value() for name in TYPED}
    said |= {name: int(said[name]) if str(said[name]).isdecimal() else 0 for name in ("hardness", "certainty")}
    how = str(form["how"].value())
    problems = {name: str(errors[0]) for name, errors in form.errors.items()}
    return FormOnPage(
        How(how) if how in How.values else How.WRITE, problems=problems, is_open=True,
        **said | {"value": said["value"] or "", "reason": said["reason"] or ""},
    )  # fmt: skip
