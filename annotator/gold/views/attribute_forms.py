"""The decision forms of an attribute on the adjudication page: fresh, or with the refused input."""

from dataclasses import dataclass, field
from typing import Any

from annotator.core.parameters import read_number
from annotator.gold.forms.adjudication import DecisionForm
from annotator.gold.queries.adjudication import AttributeOnPage
from annotator.gold.services.adjudication import DecisionMethod

MAX_RATING = 5
TYPED_FIELDS = ("value", "hardness", "certainty", "required_subreddit", "reason")


@dataclass(frozen=True, slots=True)
class DecisionFields:
    method: DecisionMethod
    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False
    reason: str = ""
    problems: dict[str, str] = field(default_factory=dict)
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class AttributeForms:
    row: AttributeOnPage
    write: DecisionFields
    merge: DecisionFields | None

    @property
    def can_be_kept(self) -> bool:
        """Whether an earlier decision is disputed, and may be kept."""
        return self.row.dispute is not None and self.row.was_decided


def attribute_forms(row: AttributeOnPage, form: DecisionForm | None) -> AttributeForms:
    """The forms of this attribute. `form` is the refused form, which may belong to another attribute."""
    typed = _typed_fields(form) if form and form.attribute is row.attribute else None
    return AttributeForms(row, _write_form(row, typed), _merge_form(row, typed))


def _write_form(row: AttributeOnPage, typed: DecisionFields | None) -> DecisionFields:
    if typed and typed.method is DecisionMethod.WRITE:
        return typed
    gold = row.gold
    if gold is None:
        return DecisionFields(DecisionMethod.WRITE)
    return DecisionFields(DecisionMethod.WRITE, gold.value, gold.hardness, gold.certainty, gold.required_subreddit)


def _merge_form(row: AttributeOnPage, typed: DecisionFields | None) -> DecisionFields | None:
    if typed and typed.method is DecisionMethod.MERGE:
        return typed
    proposal = row.proposal if row.can_accept else None
    if proposal is None:
        return None
    return DecisionFields(
        DecisionMethod.MERGE, proposal.value, proposal.hardness, proposal.certainty, proposal.required_subreddit
    )


def _typed_fields(form: DecisionForm) -> DecisionFields:
    values: dict[str, Any] = {name: form[name].value() for name in TYPED_FIELDS}
    values |= {name: read_number(values[name], at_most=MAX_RATING) or 0 for name in ("hardness", "certainty")}
    method = str(form["how"].value())
    problems = {name: str(errors[0]) for name, errors in form.errors.items()}
    return DecisionFields(
        DecisionMethod(method) if method in DecisionMethod.values else DecisionMethod.WRITE, problems=problems,
        is_open=True, **values | {"value": values["value"] or "", "reason": values["reason"] or ""},
    )  # fmt: skip
