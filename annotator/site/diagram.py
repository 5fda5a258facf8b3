"""Draw the entity diagram as Mermaid text. The same models always give the same text."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import ForeignKey, OneToOneField

APPS = ("profiles", "annotator", "evaluation")
START = "<!-- entity diagram: written by bin/manage draw_entity_diagram, not by hand -->"
END = "<!-- end of the entity diagram -->"

COLUMN_TYPES = {
    "AutoField": "integer",
    "BigAutoField": "bigint",
    "BigIntegerField": "bigint",
    "BinaryField": "bytea",
    "CharField": "varchar",
    "DateTimeField": "timestamptz",
    "FloatField": "double",
    "GenericIPAddressField": "inet",
    "JSONField": "jsonb",
    "PositiveIntegerField": "integer",
    "PositiveSmallIntegerField": "smallint",
}

Field: TypeAlias = "models.Field[Any, Any]"
Model: TypeAlias = type[models.Model]


class MarkersMissing(Exception):
    """The page lacks the two markers around the diagram."""


def with_diagram(page: str) -> str:
    """The page with the current diagram between its markers."""
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise MarkersMissing(f"The page needs two lines, one after the other:\n{START}\n{END}")
    return f"{before}{START}\n\n```mermaid\n{entity_diagram()}\n```\n\n{END}{after}"


def entity_diagram(models_drawn: Iterable[Model] | None = None) -> str:
    drawn = sorted(models_drawn or our_models(), key=lambda model: model.__name__)
    lines = ["erDiagram"]
    lines += sorted(line for model in drawn for line in _relations(model, set(drawn)))
    lines += [line for model in drawn for line in _entity(model)]
    return "\n".join(lines)


def our_models() -> list[Model]:
    """The models of all apps, without the history tables, which repeat the columns."""
    models_of_apps = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    return [model for model in models_of_apps if not hasattr(model, "pgh_tracked_model")]


def _entity(model: Model) -> Iterator[str]:
    yield f"    {model.__name__} {{"
    for field in model._meta.concrete_fields:
        yield f"        {_column_type(field)} {field.column} {_keys(field)}".rstrip()
    yield "    }"


def _relations(model: Model, drawn: set[Model]) -> Iterator[str]:
    """`Batch ||--o{ Assignment : batch`: each assignment has one batch, a batch has any number of assignments."""
    for field in model._meta.concrete_fields:
        if field.related_model in drawn and isinstance(field, ForeignKey):
            yield f"    {field.related_model.__name__} {_cardinality(field)} {model.__name__} : {field.name}"


def _cardinality(field: Field) -> str:
    target = "|o" if field.null else "||"
    return f"{target}--o|" if isinstance(field, OneToOneField) else f"{target}--o{{"


def _column_type(field: Field) -> str:
    if isinstance(field, ForeignKey):
        return _column_type(field.target_field)
    if isinstance(field, ArrayField):
        return f"{_column_type(field.base_field)}[]"
    internal = field.get_internal_type()
    return COLUMN_TYPES.get(internal, internal.removesuffix("Field").lower())


def _keys(field: Field) -> str:
    is_unique = field.unique and not field.primary_key
    facts = {"PK": field.primary_key, "FK": isinstance(field, ForeignKey), "UK": is_unique}
    return ", ".join(key for key, holds in facts.items() if holds)
