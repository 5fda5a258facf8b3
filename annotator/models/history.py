"""Every change of what people concluded, kept by Postgres itself: also one that a script makes."""

from collections.abc import Callable
from typing import Any, TypeVar

import pghistory
import pgtrigger
from django.db import models
from django.db.models.fields.json import KeyTextTransform

Model = TypeVar("Model", bound=type[models.Model])


def with_history() -> Callable[[Model], Model]:
    """Each row added, changed or removed leaves a row of its own that nobody can edit: `<Model>Event`."""

    def decorate(model: Model) -> Model:
        tracked: Model = pghistory.track(
            pghistory.InsertEvent(),
            pghistory.UpdateEvent(),
            pghistory.DeleteEvent(),
            append_only=True,
            level=pgtrigger.Statement,
            attrs={"pgh_id": models.BigAutoField(primary_key=True)},
            meta={"indexes": _indexes(model.__name__.lower())},
        )(model)
        return tracked

    return decorate


def _indexes(name: str) -> list[models.Index]:
    """For the page of changes: the newest, and the newest by somebody."""
    by: Any = KeyTextTransform("person", "pgh_context")
    return [
        models.Index(fields=["pgh_created_at", "pgh_id"], name=f"{name}_changes_by_time"),
        models.Index(by, "pgh_created_at", "pgh_id", name=f"{name}_changes_by_person"),
    ]
