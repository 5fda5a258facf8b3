"""The reasons for takedowns, and the number of rows they removed."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from django.db.models import TextChoices

from annotator.core.formatting import plural


class Reason(TextChoices):
    PERSON = "person", "The person asked"
    REDDIT = "reddit", "Reddit asked"
    OTHER = "other", "Another reason"


@dataclass(frozen=True, slots=True)
class RemovedRows:
    """Counts of the rows that a takedown removed or would remove."""

    profiles: int = 0
    comments: int = 0
    detections: int = 0
    judgements: int = 0
    evidence: int = 0
    gold_records: int = 0
    known_answers: int = 0
    forgotten_before: bool = False

    @property
    def counts(self) -> dict[str, int]:
        return {name: count for name, count in asdict(self).items() if name != "forgotten_before"}

    @property
    def summary(self) -> str:
        """`2 profiles, 41 comments`, without zeros."""
        return ", ".join(_phrase(name, count) for name, count in self.counts.items() if count) or "nothing"

    def __add__(self, other: "RemovedRows") -> "RemovedRows":
        return RemovedRows.from_details({name: count + other.counts[name] for name, count in self.counts.items()})

    @classmethod
    def from_details(cls, details: dict[str, Any]) -> "RemovedRows":
        """Read the details of an audit entry."""
        return cls(**{field.name: details[field.name] for field in fields(cls) if field.name in details})


def _phrase(name: str, count: int) -> str:
    if name == "evidence":
        return plural(count, "piece of evidence", "pieces of evidence")
    return plural(count, name.replace("_", " ").removesuffix("s"))
