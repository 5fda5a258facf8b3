"""Everything that determines a score, as one line that is shown and stored with it."""

from dataclasses import dataclass
from typing import Self

MIN_PROFILES = 10  # with two or more judgements; with fewer, a score says more about luck than about annotators

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Signature:
    """Named values in a fixed order: `metric:kappa|scope:batch-4|bootstrap:1000|seed:12345|version:1`."""

    fields: tuple[tuple[str, Value], ...]

    @classmethod
    def of(cls, **fields: Value) -> Self:
        return cls(tuple(fields.items()))

    def prefixed(self, **fields: Value) -> Self:
        """The signature of one score among several that share the other fields."""
        return type(self)((*fields.items(), *self.fields))

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self.fields)
