"""Every change of what people concluded, kept by Postgres itself: also one that a script makes."""

from collections.abc import Callable
from typing import TypeVar

import pghistory
import pgtrigger
from django.db import models

Model = TypeVar("Model", bound=type[models.Model])


def with_history() -> Callable[[Model], Model]:
    """Each row added, changed or removed leaves a row of its own that nobody can edit: `<Model>Event`."""
    tracked: Callable[[Model], Model] = pghistory.track(
        pghistory.InsertEvent(),
        pghistory.UpdateEvent(),
        pghistory.DeleteEvent(),
        append_only=True,
        level=pgtrigger.Statement,
    )
    return tracked
