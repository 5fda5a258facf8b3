"""Let Postgres record every change of a model, including changes made by scripts."""

from collections.abc import Callable
from typing import Any, TypeVar

import pghistory
import pgtrigger
from django.db import models
from django.db.models.fields.json import KeyTextTransform

Model = TypeVar("Model", bound=type[models.Model])


def with_history(short_name: str = "") -> Callable[[Model], Model]:
    """Record every insert, update and delete as a row of `<Model>Event` that nobody can edit.

    `short_name` stands in the names of indexes, for models whose own name is too long for them.
    """

    def decorate(model: Model) -> Model:
        tracked: Model = pghistory.track(
            pghistory.InsertEvent(),
            pghistory.UpdateEvent(),
            pghistory.DeleteEvent(),
            append_only=True,
            level=pgtrigger.Statement,
            attrs={"pgh_id": models.BigAutoField(primary_key=True)},
            meta={"indexes": _indexes(short_name or model.__name__.lower())},
        )(model)
        return tracked

    return decorate


def _indexes(name: str) -> list[models.Index]:
    """Indexes for the list of changes: newest first, by everybody or by one person."""
    person: Any = KeyTextTransform("person", "pgh_context")
    return [
        models.Index(fields=["pgh_created_at", "pgh_id"], name=f"{name}_changes_by_time"),
        models.Index(person, "pgh_created_at", "pgh_id", name=f"{name}_changes_by_person"),
    ]
