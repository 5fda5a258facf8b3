"""Describe changes in words: who changed which row, and its values before and after."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from django.db import models
from django.utils.text import Truncator

from annotator.core.formatting import plural
from annotator.models import Annotator, Assignment, Batch
from profiles.attributes import Attribute
from profiles.models import Profile

Field: TypeAlias = "models.Field[Any, Any]"
Names: TypeAlias = dict[type[models.Model], dict[int, str]]

VERBS = {"insert": "added", "update": "changed", "delete": "removed"}
NO_VALUE = "nothing"
MAX_VALUE_LENGTH = 200
IDENTIFYING_FIELDS = {"attribute", "assignment", "profile", "annotator", "batch"}
DIRECT_ACCESS = "a script, directly in the database"


@dataclass(frozen=True, slots=True)
class Difference:
    """A change of one field. Added rows have only `after`, removed rows only `before`."""

    label: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    at: datetime
    who: str
    by: str
    person: int | None
    what: str
    did: str
    differences: list[Difference] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class References:
    """The names and assignments that ids in the rows refer to."""

    names: Names
    assignments: dict[int, Assignment]

    def name(self, model: type[models.Model], pk: Any) -> str:
        return self.names.get(model, {}).get(pk, f"{model._meta.verbose_name} {pk}")


def describe_changes(rows: Sequence[Any], previous: Mapping[int, Any]) -> list[Change]:
    """Describe the rows. `previous` maps ids to the events before them. 4 queries, whatever the number of rows."""
    references = _references([*rows, *previous.values()])
    return [_change(row, previous.get(row.previous), references) for row in rows]


def _change(row: Any, before: Any, references: References) -> Change:
    context = row.pgh_context or {}
    person = _number(context.get("person") or context.get("user"))
    who = references.name(Annotator, person) if person else ""
    differences = _differences(row, before, references)
    return Change(
        row.pgh_created_at, who, _by(row.pgh_context), person, _what(row, references), VERBS[row.pgh_label], differences
    )


def _by(context: dict[str, Any] | None) -> str:
    """The command, task or script that made the change. Empty if a signed-in person made it on a page."""
    if context is None:
        return DIRECT_ACCESS
    if command := context.get("command"):
        return f"the command {command}"
    if task := context.get("task"):
        return f"the background task {str(task).rpartition('.')[2]}"
    return "" if context.get("person") or context.get("user") else "someone who was not signed in"


def _what(row: Any, references: References) -> str:
    """Name the row as a person would: with its attribute, profile, evaluator and batch, if it has them."""
    assignment = references.assignments.get(row.assignment_id) if hasattr(row, "assignment_id") else row
    parts = [f"{row._meta.model.pgh_tracked_model._meta.verbose_name} {row.pgh_obj_id}"]
    if hasattr(row, "attribute"):
        parts.append(Attribute(row.attribute).label.lower())
    for name, model in (("profile_id", Profile), ("annotator_id", Annotator), ("batch_id", Batch)):
        if pk := getattr(assignment, name, None):
            parts.append(references.name(model, pk))
    return ", ".join(parts)


def _differences(row: Any, before: Any, references: References) -> list[Difference]:
    if row.pgh_label == "update":
        pairs = [(f, getattr(before, f.attname, None), getattr(row, f.attname)) for f in _fields(row)]
        return [
            _difference(f, _value_text(f, b, references), _value_text(f, a, references)) for f, b, a in pairs if a != b
        ]
    values = [(f, _value_text(f, getattr(row, f.attname), references)) for f in _fields(row) if _is_shown(f, row)]
    is_new = row.pgh_label == "insert"
    return [_difference(f, after=text) if is_new else _difference(f, before=text) for f, text in values]


def _difference(f: Field, before: str = "", after: str = "") -> Difference:
    return Difference(str(f.verbose_name), before, after)


def _fields(row: Any) -> Iterable[Field]:
    return [f for f in row._meta.concrete_fields if f.name != "id" and not f.name.startswith("pgh_")]


def _is_shown(f: Field, row: Any) -> bool:
    """Whether to show this field of an added or removed row. An empty `value` is shown: it is an answer, too."""
    return f.name == "value" or (f.name not in IDENTIFYING_FIELDS and bool(getattr(row, f.attname)))


def _value_text(f: Field, value: Any, references: References) -> str:
    if value in (None, "", [], {}):
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(f, models.ForeignKey):
        return references.name(f.related_model, value)
    if f.name == "evidence":
        return plural(len(value), "stretch", "stretches")  # never the text, which quotes comments
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else _choice_label(f, value)
    return Truncator(text).chars(MAX_VALUE_LENGTH)


def _choice_label(f: Field, value: Any) -> str:
    return str(dict(f.flatchoices).get(value, value))


def _references(rows: Sequence[Any]) -> References:
    assignments = Assignment.objects.in_bulk({row.assignment_id for row in rows if hasattr(row, "assignment_id")})
    holders = [*rows, *assignments.values()]
    people = {_number(context.get(key)) for row in rows if (context := row.pgh_context) for key in ("person", "user")}
    return References(
        {
            Annotator: _names(Annotator, holders, lambda person: person.display_name, also=people),
            Batch: _names(Batch, holders, lambda batch: f"“{batch.name}”"),
            Profile: _names(Profile, holders, lambda profile: profile.pseudonym),
        },
        assignments,
    )


def _names(
    model: type[models.Model], rows: Sequence[Any], name: Callable[[Any], str], also: Iterable[int | None] = ()
) -> dict[int, str]:
    foreign_keys = [(row, f.attname) for row in rows for f in row._meta.concrete_fields if f.related_model is model]
    pks = {getattr(row, attname) for row, attname in foreign_keys} | set(also)
    return {pk: name(instance) for pk, instance in model._default_manager.in_bulk(pks - {None}).items()}


def _number(value: Any) -> int | None:
    return int(value) if str(value or "").isdecimal() else None
