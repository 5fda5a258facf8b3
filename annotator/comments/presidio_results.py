"""What Presidio found in the whole of one profile, counted."""

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db import connection

from annotator.comments.runs import analysed_comments
from annotator.core.formatting import number
from profiles.models import DetectionRun, EntityType, Profile

STRINGS_EACH = 20
ORDER = {entity_type: place for place, entity_type in enumerate(EntityType.values)}
# Offsets are code points, and so are Postgres' characters.
FOUND = """
    WITH found AS (
        SELECT detection.entity_type, count(*) AS times,
            substr(comment.body, detection.start + 1, detection."end" - detection.start) AS string
        FROM profiles_comment comment
        JOIN profiles_detection detection ON detection.comment_id = comment.id AND detection.run_id = %(run)s
        WHERE comment.profile_id = %(profile)s GROUP BY detection.entity_type, string
    ), placed AS (
        SELECT entity_type, string, times, row_number() OVER (each ORDER BY times DESC, string) AS place,
            sum(times) OVER each AS total, count(*) OVER each AS strings
        FROM found WINDOW each AS (PARTITION BY entity_type)
    )
    SELECT entity_type, total, strings, string, times FROM placed WHERE place <= %(most)s ORDER BY entity_type, place
"""
Row = tuple[str, int, int, str, int]


@dataclass(frozen=True, slots=True)
class FoundString:
    text: str
    times: int


@dataclass(frozen=True, slots=True)
class FoundType:
    """What was found of one entity type, the most frequent strings first."""

    entity_type: str
    total: int
    strings: list[FoundString]
    more: int  # strings that are not listed


@dataclass(frozen=True, slots=True)
class PresidioResults:
    run: DetectionRun
    types: list[FoundType]
    analysed: int
    comment_count: int

    @property
    def is_live(self) -> bool:
        return not self.is_whole and not (self.run.cancelled_at or self.run.paused_at)

    @property
    def is_whole(self) -> bool:
        return self.analysed >= self.comment_count

    @property
    def told(self) -> str:
        """How far the run is with this profile."""
        amount = f"{number(self.analysed)} of {number(self.comment_count)} comments"
        if self.run.cancelled_at:
            return f"The run was cancelled after {amount}."
        if self.run.paused_at:
            return f"The run is paused after {amount}."
        return f"Presidio is still running: {amount}"


def presidio_results(run: DetectionRun, profile: Profile) -> PresidioResults:
    """1 query, one more until the run has finished."""
    analysed = profile.comment_count if run.finished_at else analysed_comments(run, profile)
    return PresidioResults(run, found_types(run, profile), analysed, profile.comment_count)


def found_types(run: DetectionRun, profile: Profile) -> list[FoundType]:
    """The five in their order, then the recipe's own by name. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(FOUND, {"run": run.pk, "profile": profile.pk, "most": STRINGS_EACH})
        by_type = groupby(cursor.fetchall(), key=itemgetter(0))
        types = [_found_type(list(rows)) for _, rows in by_type]
    return sorted(types, key=lambda found: ORDER.get(found.entity_type, len(ORDER)))


def _found_type(rows: list[Row]) -> FoundType:
    entity_type, total, strings, *_ = rows[0]
    listed = [FoundString(text, times) for *_, text, times in rows]
    return FoundType(entity_type, int(total), listed, strings - len(listed))
