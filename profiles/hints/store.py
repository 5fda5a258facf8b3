"""What subreddits suggest: our own list, what is kept of it, and the hints of one profile."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import connection, transaction
from django.db.models import Case, QuerySet, Value, When
from django.db.models.functions import Collate, Lower

from profiles.attributes import Attribute
from profiles.hints.files import read_hints
from profiles.hints.rules import HintRow
from profiles.models import AttributeHint, Profile
from profiles.subreddits import ensure_subreddits

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "subreddit_hints.csv"
HINTS_OF_PROFILE = """
    SELECT hint.attribute, hint.value, subreddit.name, presence.comment_count
    FROM profiles_presence presence
    JOIN profiles_attributehint hint ON hint.subreddit_id = presence.subreddit_id
    JOIN profiles_subreddit subreddit ON subreddit.id = presence.subreddit_id
    WHERE presence.profile_id = %s
"""
ORDER = {attribute.value: place for place, attribute in enumerate(Attribute)}


@dataclass(frozen=True, slots=True)
class ProfileHint:
    """A guess, marked as such: "Location: houston, from r/houston (34 comments)"."""

    attribute: Attribute
    value: str
    subreddit: str
    comment_count: int


@dataclass(frozen=True, slots=True)
class HintChanges:
    """How a list of rows differs from what is kept."""

    new: list[HintRow]
    changed: list[AttributeHint]  # with the new reason
    missing: list[int]  # kept, and not in the list
    unchanged: int


def shipped_hints() -> list[HintRow]:
    return read_hints(SHIPPED.read_bytes()).rows


def load_hints() -> int:
    """Bring the shipped list into the database. Loading twice changes nothing."""
    rows = shipped_hints()
    save_hints(rows)
    return len(rows)


def save_hints(rows: Sequence[HintRow], *, replace: bool = False) -> HintChanges:
    """Keep the rows; when replacing, nothing else. All or nothing. Says what was changed."""
    with transaction.atomic():
        _keep_other_writers_out()
        changes = compare_hints(rows)
        places = ensure_subreddits(row.subreddit for row in changes.new)
        AttributeHint.objects.bulk_create(
            [
                AttributeHint(
                    subreddit_id=places[row.subreddit.lower()],
                    attribute=row.attribute,
                    value=row.value,
                    reason=row.reason,
                )
                for row in changes.new
            ],
            batch_size=1000,
        )
        AttributeHint.objects.bulk_update(changes.changed, ["reason"], batch_size=1000)
        if replace:
            AttributeHint.objects.filter(pk__in=changes.missing).delete()
    return changes


def compare_hints(rows: Sequence[HintRow]) -> HintChanges:
    """What saving the rows would change. 1 query."""
    kept = {
        (hint.subreddit.name.lower(), hint.attribute, hint.value): hint
        for hint in AttributeHint.objects.select_related("subreddit").order_by("pk")
    }
    new, changed = [], []
    for row in rows:
        hint = kept.pop(row.key, None)
        if hint is None:
            new.append(row)
        elif hint.reason != row.reason:
            hint.reason = row.reason
            changed.append(hint)
    missing = [hint.pk for hint in kept.values()]
    return HintChanges(new, changed, missing, unchanged=len(rows) - len(new) - len(changed))


def stored_hints() -> Iterator[HintRow]:
    """All that is kept: by attribute, subreddit, value, as the shipped list is sorted. 1 query, streamed."""
    columns = ("subreddit__name", "attribute", "value", "reason")
    for name, attribute, value, reason in _sorted_hints().values_list(*columns).iterator(chunk_size=2000):
        yield HintRow(name, Attribute(attribute), value, reason)


def hints_for(profile: Profile) -> list[ProfileHint]:
    """By attribute, then most comments first. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(HINTS_OF_PROFILE, [profile.pk])
        found = [ProfileHint(Attribute(attribute), *rest) for attribute, *rest in cursor.fetchall()]
    return sorted(found, key=lambda hint: (ORDER[hint.attribute], -hint.comment_count, hint.subreddit, hint.value))


def _sorted_hints() -> QuerySet[AttributeHint]:
    """In an order that does not depend on the server's language."""
    place = Case(*(When(attribute=attribute, then=Value(place)) for attribute, place in ORDER.items()))
    return AttributeHint.objects.order_by(place, Collate(Lower("subreddit__name"), "C"), Collate("value", "C"), "pk")


def _keep_other_writers_out() -> None:
    """Two imports at once would each compare with what the other is about to change."""
    with connection.cursor() as cursor:
        table = connection.ops.quote_name(AttributeHint._meta.db_table)
        cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
