"""Changes in words: who made them, of which row, and what was before and after."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from django.db import models
from django.utils.text import Truncator

from annotator.models import Annotator, Assignment, Batch
from profiles.attributes import Attribute
from profiles.models import Profile

Field: TypeAlias = "models.Field[Any, Any]"
Names: TypeAlias = dict[type[models.Model], dict[int, str]]

DID = {"insert": "added", "update": "changed", "delete": "removed"}
EMPTY = "nothing"
LONGEST = 200  # characters of one value
CALLED_BY = {"attribute", "assignment", "profile", "annotator", "batch"}
DIRECTLY = "a script, directly in the database"


@dataclass(frozen=True, slots=True)
class Difference:
    """One field; of a row that was added or removed only `after` or `before` is told."""

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
class Known:
    """What the numbers in the rows stand for."""

    names: Names
    slots: dict[int, Assignment]

    def name(self, model: type[models.Model], pk: Any) -> str:
        return self.names.get(model, {}).get(pk, f"{model._meta.verbose_name} {pk}")


def told(rows: Sequence[Any], earlier: Mapping[int, Any]) -> list[Change]:
    """Each change with the row as it was before. 4 queries, whatever the number of rows."""
    known = _known([*rows, *earlier.values()])
    return [_change(row, earlier.get(row.previous), known) for row in rows]


def _change(row: Any, before: Any, known: Known) -> Change:
    context = row.pgh_context or {}
    person = _number(context.get("person") or context.get("user"))
    who = known.name(Annotator, person) if person else ""
    differences = _differences(row, before, known)
    return Change(
        row.pgh_created_at, who, _by(row.pgh_context), person, _what(row, known), DID[row.pgh_label], differences
    )


def _by(context: dict[str, Any] | None) -> str:
    """By what, where a person does not say it all."""
    if context is None:
        return DIRECTLY
    if command := context.get("command"):
        return f"the command {command}"
    if task := context.get("task"):
        return f"the background task {str(task).rpartition('.')[2]}"
    return "" if context.get("person") or context.get("user") else "somebody who was not signed in"


def _what(row: Any, known: Known) -> str:
    """The row as a person would point at it: attribute, profile, evaluator, batch, as far as it has them."""
    slot = known.slots.get(row.assignment_id) if hasattr(row, "assignment_id") else row
    parts = [f"{row._meta.model.pgh_tracked_model._meta.verbose_name} {row.pgh_obj_id}"]
    if hasattr(row, "attribute"):
        parts.append(Attribute(row.attribute).label.lower())
    for name, model in (("profile_id", Profile), ("annotator_id", Annotator), ("batch_id", Batch)):
        if number := getattr(slot, name, None):
            parts.append(known.name(model, number))
    return ", ".join(parts)


def _differences(row: Any, before: Any, known: Known) -> list[Difference]:
    if row.pgh_label == "update":
        pairs = [(f, getattr(before, f.attname, None), getattr(row, f.attname)) for f in _fields(row)]
        return [_difference(f, _say(f, b, known), _say(f, a, known)) for f, b, a in pairs if a != b]
    said = [(f, _say(f, getattr(row, f.attname), known)) for f in _fields(row) if _is_worth_saying(f, row)]
    return [_difference(f, after=told) if row.pgh_label == "insert" else _difference(f, told) for f, told in said]


def _difference(f: Field, before: str = "", after: str = "") -> Difference:
    return Difference(str(f.verbose_name), before, after)


def _fields(row: Any) -> Iterable[Field]:
    return [f for f in row._meta.concrete_fields if f.name != "id" and not f.name.startswith("pgh_")]


def _is_worth_saying(f: Field, row: Any) -> bool:
    """Of a whole row: what it holds, unless the row is called by it. That somebody could not tell is an answer, too."""
    return f.name == "value" or (f.name not in CALLED_BY and bool(getattr(row, f.attname)))


def _say(f: Field, value: Any, known: Known) -> str:
    if value in (None, "", [], {}):
        return EMPTY
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(f, models.ForeignKey):
        return known.name(f.related_model, value)
    if f.name == "evidence":
        return f"{len(value)} {'stretch' if len(value) == 1 else 'stretches'}"  # their words are comments
    shown = json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else _chosen(f, value)
    return Truncator(shown).chars(LONGEST)


def _chosen(f: Field, value: Any) -> str:
    return str(dict(f.flatchoices).get(value, value))


def _known(rows: Sequence[Any]) -> Known:
    slots = Assignment.objects.in_bulk({row.assignment_id for row in rows if hasattr(row, "assignment_id")})
    several = [*rows, *slots.values()]
    people = {_number(key.get(name)) for row in rows if (key := row.pgh_context) for name in ("person", "user")}
    return Known(
        {
            Annotator: _names(Annotator, several, lambda person: person.display_name, also=people),
            Batch: _names(Batch, several, lambda batch: f"“{batch.name}”"),
            Profile: _names(Profile, several, lambda profile: profile.pseudonym),
        },
        slots,
    )


def _names(
    model: type[models.Model], rows: Sequence[Any], name: Callable[[Any], str], also: Iterable[int | None] = ()
) -> dict[int, str]:
    pointing = [(row, f.attname) for row in rows for f in row._meta.concrete_fields if f.related_model is model]
    numbers = {getattr(row, attname) for row, attname in pointing} | set(also)
    return {pk: name(found) for pk, found in model._default_manager.in_bulk(numbers - {None}).items()}


def _number(value: Any) -> int | None:
    return int(value) if str(value or "").isdecimal() else None
