"""Which profiles a batch may be drawn from, as a person says it and as it is kept. No database."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from annotator.core.formatting import number
from profiles.attributes import Attribute


class NotCriteria(ValueError):
    """Kept criteria that this version does not know: better no draw than another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """All that was said must hold. Of several subreddits, attributes or languages one is enough.

    The dates are days in UTC, both included: whoever wrote before and after, but not between them, fits as well,
    because only a profile's first and last day are known without reading it.
    """

    at_least: int | None = None
    at_most: int | None = None
    subreddits: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    languages: tuple[str, ...] = ()
    detections: bool | None = None
    unbatched: bool = False
    relabel: bool = False

    def __post_init__(self) -> None:
        """The same wish is written in one way only."""
        for name in ("subreddits", "attributes", "languages"):
            object.__setattr__(self, name, _canonical(getattr(self, name)))

    @property
    def needs_detection(self) -> bool:
        return self.detections is not None or bool(self.languages)

    def as_json(self) -> dict[str, Any]:
        """Only what was said, by name."""
        return {name: _plain(value) for name, value in self._said()}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Criteria":
        unknown = set(kept) - {field.name for field in fields(cls)}
        if unknown:
            raise NotCriteria(f"unknown criteria: {', '.join(sorted(unknown))}")
        days = {name: date.fromisoformat(kept[name]) for name in ("since", "until") if name in kept}
        return cls(**{**kept, **days})

    def in_words(self) -> list[str]:
        return [_told(name, value) for name, value in self._said()]

    def relaxed(self) -> Iterator[tuple[str, "Criteria"]]:
        """Each criterion in words, and the others without it."""
        for name, value in self._said():
            nothing: Any = next(field.default for field in fields(self) if field.name == name)
            yield _told(name, value), replace(self, **{name: nothing})

    def _said(self) -> list[tuple[str, Any]]:
        values = [(field.name, getattr(self, field.name), field.default) for field in fields(self)]
        return [(name, value) for name, value, nothing in values if value != nothing]


def _canonical(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({word.strip().lower() for word in words if word.strip()}))


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _told(name: str, value: Any) -> str:
    return _WORDS[name](value)


_WORDS: dict[str, Callable[[Any], str]] = {
    "at_least": lambda count: f"at least {number(count)} comments",
    "at_most": lambda count: f"at most {number(count)} comments",
    "subreddits": lambda names: "wrote in " + " or ".join(f"r/{name}" for name in names),
    "attributes": lambda keys: "hints at " + " or ".join(Attribute(key).label.lower() for key in keys),
    "since": lambda day: f"wrote on {day} or later",
    "until": lambda day: f"wrote on {day} or before",
    "languages": lambda codes: "mostly in " + " or ".join(codes),
    "detections": lambda wanted: "with detections" if wanted else "without detections",
    "unbatched": lambda _: "in no batch yet",
    "relabel": lambda _: "labelled by exactly one person",
}
