"""Plain values for what to draw and who labels it: criteria, draw options, the plan of a batch. No queries."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any

from annotator.batches.drawing.shares import Share, shares_from_json
from annotator.core.formatting import number
from annotator.models import Batch, GuidelineVersion
from profiles.attributes import Attribute
from profiles.models import Corpus, Recipe


class UnknownCriteria(ValueError):
    """The stored criteria come from another version: refuse to draw rather than draw something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """Which profiles may be drawn. All criteria must hold; one of several subreddits, attributes or languages suffices.

    Dates are days in UTC, both inclusive. They are compared with a profile's first and last comment only, so a profile
    that wrote before and after the period, but not in it, matches too.
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
        """Normalise, so that equal criteria are stored identically."""
        for name in ("subreddits", "attributes", "languages"):
            object.__setattr__(self, name, _canonical(getattr(self, name)))

    @property
    def needs_detection(self) -> bool:
        return self.detections is not None or bool(self.languages)

    def as_json(self) -> dict[str, Any]:
        """Only the criteria that are set."""
        return {name: _plain(value) for name, value in self._set_fields()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Criteria":
        unknown = set(stored) - {field.name for field in fields(cls)}
        if unknown:
            raise UnknownCriteria(f"unknown criteria: {', '.join(sorted(unknown))}")
        days = {name: date.fromisoformat(stored[name]) for name in ("since", "until") if name in stored}
        return cls(**{**stored, **days})

    def in_words(self) -> list[str]:
        return [_DESCRIPTIONS[name](value) for name, value in self._set_fields()]

    def relaxed(self) -> Iterator[tuple[str, "Criteria"]]:
        """For each criterion that is set: its description, and these criteria without it."""
        for name, value in self._set_fields():
            default: Any = next(field.default for field in fields(self) if field.name == name)
            yield _DESCRIPTIONS[name](value), replace(self, **{name: default})

    def _set_fields(self) -> list[tuple[str, Any]]:
        values = [(field.name, getattr(self, field.name), field.default) for field in fields(self)]
        return [(name, value) for name, value, default in values if value != default]


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """Everything that decides a draw from a given population."""

    size: int
    seed: int
    criteria: Criteria = field(default_factory=Criteria)
    weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def from_json(cls, draw: Mapping[str, Any]) -> "DrawOptions":
        """Read `Batch.draw`. Batches drawn before criteria existed have only a seed and a size."""
        weights = draw.get("weights") or {}
        criteria = Criteria.from_json(draw.get("criteria") or {})
        return cls(draw["size"], draw["seed"], criteria, weights.get("attributes", {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A batch before it is drawn: what to draw, who labels it, and how."""

    name: str
    corpus: Corpus
    guideline: GuidelineVersion
    size: int
    seed: int
    criteria: Criteria = field(default_factory=Criteria)
    prefer_thin: bool = False
    recipe: Recipe | None = None
    overlap: int = 1
    people: tuple[Share, ...] = ()  # empty: a shared pool
    hints_shown: bool = True
    planted: int = 0
    due_at: datetime | None = None

    def options(self, weights: Mapping[str, float]) -> DrawOptions:
        return DrawOptions(self.size, self.seed, self.criteria, weights)

    @classmethod
    def of_batch(cls, batch: Batch) -> "Plan":
        """The plan that a batch was drawn by."""
        options = DrawOptions.from_json(batch.draw)
        assert batch.guideline is not None  # noqa: S101 a batch that was drawn has guidelines
        return cls(
            name=batch.name, corpus=batch.corpus, guideline=batch.guideline, size=options.size, seed=options.seed,
            criteria=options.criteria, prefer_thin=bool(options.weights), recipe=batch.recipe, overlap=batch.overlap,
            people=shares_from_json(batch.people), hints_shown=batch.hints_shown,
            planted=batch.draw.get("planted", 0), due_at=batch.due_at,
        )  # fmt: skip


def relabels(batch: Batch) -> bool:
    """Whether the batch was drawn to have profiles labelled again, by somebody else."""
    return bool(batch.draw.get("criteria", {}).get("relabel"))


def _canonical(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({word.strip().lower() for word in words if word.strip()}))


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


_DESCRIPTIONS: dict[str, Callable[[Any], str]] = {
    "at_least": lambda count: f"at least {number(count)} comments",
    "at_most": lambda count: f"at most {number(count)} comments",
    "subreddits": lambda names: "wrote in " + " or ".join(f"r/{name}" for name in names),
    "attributes": lambda keys: "hints at " + " or ".join(Attribute(key).label.lower() for key in keys),
    "since": lambda day: f"wrote on {day} or later",
    "until": lambda day: f"wrote on {day} or before",
    "languages": lambda codes: "mostly in " + " or ".join(codes),
    "detections": lambda is_detected: "with detections" if is_detected else "without detections",
    "unbatched": lambda _: "in no batch yet",
    "relabel": lambda _: "labelled by exactly one person",
}
