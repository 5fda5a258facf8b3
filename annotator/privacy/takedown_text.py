"""What is said about a takedown, in the audit log, on pages and on the command line: why, and how much."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from django.db.models import TextChoices

from annotator.core.formatting import number


class Reason(TextChoices):
    PERSON = "person", "The person asked"
    REDDIT = "reddit", "Reddit asked"
    OTHER = "other", "Another reason"


@dataclass(frozen=True, slots=True)
class Removed:
    """How many rows of each kind went, or would go."""

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
    def in_words(self) -> str:
        """`2 profiles, 41 comments`: only what there was."""
        return ", ".join(_counted(name, count) for name, count in self.counts.items() if count) or "nothing"

    def __add__(self, other: "Removed") -> "Removed":
        return Removed.from_details({name: count + other.counts[name] for name, count in self.counts.items()})

    @classmethod
    def from_details(cls, details: dict[str, Any]) -> "Removed":
        """As an audit entry keeps it."""
        return cls(**{field.name: details[field.name] for field in fields(cls) if field.name in details})


def _counted(name: str, count: int) -> str:
    many = "pieces of evidence" if name == "evidence" else name.replace("_", " ")
    one = "piece of evidence" if name == "evidence" else many.removesuffix("s")
    return f"{number(count)} {one if count == 1 else many}"
