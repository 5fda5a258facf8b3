"""Every kind of row that belongs to a corpus or a profile, found from the models.

So a new model with a foreign key is included, and nothing can be forgotten.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, Model, QuerySet

HISTORY_LINK = "pgh_obj"  # only leads to rows that still exist


@dataclass(frozen=True, slots=True)
class Dependent:
    """A model, and the lookup that leads from its rows to what they depend on."""

    model: type[Model]
    path: str

    @property
    def depth(self) -> int:
        return self.path.count("__")

    @property
    def is_history(self) -> bool:
        return hasattr(self.model, "pgh_tracked_model")

    def rows(self, ids: Sequence[int]) -> QuerySet[Any]:
        """Found by a subquery for each step. With a join, a deletion would join the table with itself, row by row."""
        step, _, rest = self.path.partition("__")
        through: Any = ids
        if rest:
            parent: Any = self.model._meta.get_field(step).related_model
            through = Dependent(parent, rest).rows(ids)
        return self.model._default_manager.filter(**{f"{step}__in": through})


@lru_cache(maxsize=4)
def dependents(root: type[Model]) -> tuple[Dependent, ...]:
    """In order of deletion: rows come before those through which they are found.

    A model is found through required foreign keys if possible, because others do not lead to every row.
    """
    paths = {root: ""}
    _follow(paths, is_optional=False)
    _follow(paths, is_optional=True)
    models = [Dependent(model, path) for model, path in paths.items() if model is not root]
    return tuple(sorted(models, key=lambda dependent: -dependent.depth))


def _follow(paths: dict[type[Model], str], *, is_optional: bool) -> None:
    """Add the models that are still missing, nearest first."""
    ahead = deque(paths)
    while ahead:
        parent = ahead.popleft()
        for model, name in _links_to(parent, is_optional=is_optional):
            if model not in paths:
                paths[model] = f"{name}__{paths[parent]}" if paths[parent] else name
                ahead.append(model)


def _links_to(parent: type[Model], *, is_optional: bool) -> list[tuple[type[Model], str]]:
    return [
        (model, field.name)
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.get_fields()
        if isinstance(field, ForeignKey)
        and field.related_model is parent
        and field.name != HISTORY_LINK
        and (is_optional or not field.null)
    ]
