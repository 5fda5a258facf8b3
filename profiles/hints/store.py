"""The shipped list of hints, the stored one, and the hints for a profile."""

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
from profiles.statements import prepared_cursor
from profiles.subreddits import ensure_subreddits

SHIPPED_FILE = Path(__file__).resolve().parents[1] / "data" / "subreddit_hints.csv"
PROFILE_HINTS_SQL = """
    SELECT hint.attribute, hint.value, subreddit.name, presence.comment_count
    FROM profiles_presence presence
    JOIN profiles_attributehint hint ON hint.subreddit_id = presence.subreddit_id
    JOIN profiles_subreddit subreddit ON subreddit.id = presence.subreddit_id
    WHERE presence.profile_id = %s
"""
ATTRIBUTE_ORDER = {attribute.value: position for position, attribute in enumerate(Attribute)}


@dataclass(frozen=True, slots=True)
class ProfileHint:
    """A guess, labelled as one: "Location: houston, from r/houston (34 comments)"."""

    attribute: Attribute
    value: str
    subreddit: str
    comment_count: int


@dataclass(frozen=True, slots=True)
class HintChanges:
    """How a list of rows differs from the stored one."""

    new: list[HintRow]
    changed: list[AttributeHint]  # with the new reason
    missing: list[int]  # ids of stored hints that are not in the list
    unchanged: int


def shipped_hints() -> list[HintRow]:
    return read_hints(SHIPPED_FILE.read_bytes()).rows


def load_hints() -> int:
    """Store the shipped list. Loading twice changes nothing."""
    rows = shipped_hints()
    save_hints(rows)
    return len(rows)


def save_hints(rows: Sequence[HintRow], *, replace: bool = False) -> HintChanges:
    """Store the rows, and remove all others when replacing, in one transaction. Return what changed."""
    with transaction.atomic():
        _lock_hints()
        changes = compare_hints(rows)
        subreddit_ids = ensure_subreddits(row.subreddit for row in changes.new)
        AttributeHint.objects.bulk_create(
            [
                AttributeHint(
                    subreddit_id=subreddit_ids[row.subreddit.lower()],
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
    stored = {
        (hint.subreddit.name.lower(), hint.attribute, hint.value): hint
        for hint in AttributeHint.objects.select_related("subreddit").order_by("pk")
    }
    new, changed = [], []
    for row in rows:
        hint = stored.pop(row.key, None)
        if hint is None:
            new.append(row)
        elif hint.reason != row.reason:
            hint.reason = row.reason
            changed.append(hint)
    missing = [hint.pk for hint in stored.values()]
    return HintChanges(new, changed, missing, unchanged=len(rows) - len(new) - len(changed))


def stored_hints() -> Iterator[HintRow]:
    """All stored hints by attribute, subreddit, value, sorted like the shipped list. 1 query, streamed."""
    columns = ("subreddit__name", "attribute", "value", "reason")
    for name, attribute, value, reason in _sorted_hints().values_list(*columns).iterator(chunk_size=2000):
        yield HintRow(name, Attribute(attribute), value, reason)


def hints_for(profile: Profile) -> list[ProfileHint]:
    """The hints for a profile by attribute, then most comments first. 1 query."""
    with prepared_cursor() as cursor:
        cursor.execute(PROFILE_HINTS_SQL, [profile.pk])
        hints = [ProfileHint(Attribute(attribute), *rest) for attribute, *rest in cursor.fetchall()]
    return sorted(
        hints, key=lambda hint: (ATTRIBUTE_ORDER[hint.attribute], -hint.comment_count, hint.subreddit, hint.value)
    )


def _sorted_hints() -> QuerySet[AttributeHint]:
    """Sort in an order that does not depend on the server's locale."""
    positions = ATTRIBUTE_ORDER.items()
    by_attribute = Case(*(When(attribute=attribute, then=Value(position)) for attribute, position in positions))
    return AttributeHint.objects.order_by(
        by_attribute, Collate(Lower("subreddit__name"), "C"), Collate("value", "C"), "pk"
    )


def _lock_hints() -> None:
    """Keep other writers out: two imports at once would each compare with what the other is about to change."""

    with connection.cursor() as cursor:
        table = connection.ops.quote_name(AttributeHint._meta.db_table)
        cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
