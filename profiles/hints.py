"""What subreddits suggest: our own list, and the hints of one profile."""

import csv
from dataclasses import dataclass
from pathlib import Path

from profiles.attributes import Attribute
from profiles.loading import ensure_subreddits
from profiles.models import AttributeHint, Profile

SHIPPED = Path(__file__).resolve().parent / "data" / "subreddit_hints.csv"
ORDER = {attribute.value: place for place, attribute in enumerate(Attribute)}


@dataclass(frozen=True, slots=True)
class ProfileHint:
    """A guess, marked as such: "Location: houston, from r/houston (34 comments)"."""

    attribute: Attribute
    value: str
    subreddit: str
    comment_count: int


def load_hints(path: Path = SHIPPED) -> int:
    """Bring the shipped list into the database. Loading twice changes nothing."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    places = ensure_subreddits(row["subreddit"] for row in rows)
    hints = [
        AttributeHint(
            subreddit_id=places[row["subreddit"].lower()],
            attribute=Attribute(row["attribute"]),
            value=row["value"],
            reason=row["reason"],
        )
        for row in rows
    ]
    return len(AttributeHint.objects.bulk_create(hints, ignore_conflicts=True))


def hints_for(profile: Profile) -> list[ProfileHint]:
    """By attribute, then most comments first. 1 query."""
    rows = AttributeHint.objects.filter(subreddit__presences__profile=profile).values_list(
        "attribute", "value", "subreddit__name", "subreddit__presences__comment_count"
    )
    found = [ProfileHint(Attribute(attribute), value, name, count) for attribute, value, name, count in rows]
    return sorted(found, key=lambda hint: (ORDER[hint.attribute], -hint.comment_count, hint.subreddit, hint.value))
