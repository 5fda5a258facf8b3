"""The options of an ingest: everything that decides which comments a corpus holds."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, date, datetime
from typing import Any

OUR_LIST = "ours"
ALL = "all"


@dataclass(frozen=True, slots=True)
class Options:
    """Stored with the corpus, so that it can be rebuilt and extended by the same rules."""

    since: date = date(2012, 1, 1)
    until: date = date(2016, 1, 1)  # not included
    min_chars: int = 10  # code points
    subreddits: str = OUR_LIST  # or ALL, or the name of a file
    names: tuple[str, ...] = ()  # the list at that time, in lower case; empty with ALL
    min_comments: int = 1
    max_comments: int | None = None
    sample: int | None = None
    seed: int = 1
    keep_bots: bool = False
    keep_duplicates: bool = False
    keep_quotes: bool = False
    keep_entities: bool = False
    exact_spelling: bool = False  # `Tinroof` and `tinroof` are two accounts

    def __post_init__(self) -> None:
        problem = _problem(self)
        if problem:
            raise ValueError(problem)

    def as_study(self) -> "Options":
        """Only the rules of the original study: years, length, list, author not deleted, grouped by exact name."""
        start = Options()
        return replace(
            self, since=start.since, until=start.until, min_chars=start.min_chars, min_comments=1, max_comments=None,
            sample=None, keep_bots=True, keep_duplicates=True, keep_quotes=True, keep_entities=True,
            exact_spelling=True,
        )  # fmt: skip

    def with_names(self, names: Iterable[str]) -> "Options":
        return replace(self, names=tuple(sorted({name.lower() for name in names})))

    @property
    def first_second(self) -> int:
        return _second(self.since)

    @property
    def end_second(self) -> int:
        return _second(self.until)

    @property
    def can_grow(self) -> bool:
        """Whether files can be added later: a sample or an upper limit would have to drop profiles again."""
        return self.sample is None and self.max_comments is None

    @property
    def needs_every_file(self) -> bool:
        """Whether adding a file needs the earlier ones again.

        It does if a profile below the minimum may rise above it, or if copies are numbered across all files.
        """
        return self.min_comments > 1 or self.keep_duplicates

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"since": str(self.since), "until": str(self.until), "names": list(self.names)}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "Options":
        known = {field.name: stored[field.name] for field in fields(cls) if field.name in stored}
        known |= {name: date.fromisoformat(known[name]) for name in ("since", "until") if name in known}
        return cls(**known | {"names": tuple(known.get("names", ()))})


def _second(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


def _problem(options: Options) -> str:
    """What is wrong with the options, or ""."""
    if options.since >= options.until:
        return f"The period is empty: from {options.since} to before {options.until}."
    if options.min_chars < 1:
        return "A comment needs at least 1 character."
    if options.min_comments < 1:
        return "A profile needs at least 1 comment."
    if options.max_comments is not None and options.max_comments < options.min_comments:
        return f"No profile can have at least {options.min_comments} and at most {options.max_comments} comments."
    if options.sample is not None and options.sample < 1:
        return "A sample needs at least 1 profile."
    return ""
