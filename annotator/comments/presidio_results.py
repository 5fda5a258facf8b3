"""Presidio results for a whole profile: which run to show, its progress, and the detected strings."""

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db.models import BooleanField, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery

from annotator.core.formatting import number
from annotator.models import Annotator, Assignment, Role
from profiles.models import DetectionChunk, DetectionRun, EntityType, Profile
from profiles.models.chunks import DONE
from profiles.statements import prepared_cursor

MAX_STRINGS = 20
ORDER = {entity_type: index for index, entity_type in enumerate(EntityType.values)}
# Offsets count code points, as Postgres counts characters.
STRING_COUNTS = """
    WITH counted AS (
        SELECT detection.entity_type, count(*) AS times,
            substr(comment.body, detection.start + 1, detection."end" - detection.start) AS string
        FROM profiles_comment comment
        JOIN profiles_detection detection ON detection.comment_id = comment.id AND detection.run_id = %(run)s
        WHERE comment.profile_id = %(profile)s GROUP BY detection.entity_type, string
    ), ranked AS (
        SELECT entity_type, string, times, row_number() OVER (same_type ORDER BY times DESC, string) AS rank,
            sum(times) OVER same_type AS total, count(*) OVER same_type AS strings
        FROM counted WINDOW same_type AS (PARTITION BY entity_type)
    )
    SELECT entity_type, total, strings, string, times FROM ranked
    WHERE rank <= %(max_strings)s ORDER BY entity_type, rank
"""
Row = tuple[str, int, int, str, int]


@dataclass(frozen=True, slots=True)
class DetectedString:
    text: str
    times: int


@dataclass(frozen=True, slots=True)
class DetectedType:
    """Detections of one entity type, the most frequent strings first."""

    entity_type: str
    total: int
    strings: list[DetectedString]
    more: int  # strings that are not listed


@dataclass(frozen=True, slots=True)
class PresidioResults:
    run: DetectionRun
    types: list[DetectedType]
    analysed: int
    comment_count: int

    @property
    def is_live(self) -> bool:
        return not self.is_whole and not (self.run.cancelled_at or self.run.paused_at)

    @property
    def is_whole(self) -> bool:
        return self.analysed >= self.comment_count

    @property
    def progress(self) -> str:
        """The run's progress on this profile, in words."""
        amount = f"{number(self.analysed)} of {number(self.comment_count)} comments"
        if self.run.cancelled_at:
            return f"The run was cancelled after {amount}."
        if self.run.paused_at:
            return f"The run is paused after {amount}."
        return f"Presidio is still running: {amount}"


def runs_to_show(profile: Profile, annotator: Annotator) -> QuerySet[DetectionRun]:
    """Runs that the person may see, newest first: admins and researchers all, annotators their batch's. 1 query."""
    runs = profile.corpus.runs.select_related("recipe").order_by("-pk")
    if annotator.has_role(Role.ADMIN, Role.RESEARCHER):
        return runs
    assignments = Assignment.objects.readable_by(annotator).filter(profile=profile)
    latest = assignments.order_by(F("claimed_at").desc(nulls_last=True), "-pk")
    return runs.filter(recipe=Subquery(latest.values("batch__recipe")[:1]))


def analysed_comments(run: DetectionRun, profile: Profile) -> int:
    """How many of the profile's comments lie in a finished chunk. 1 query.

    For each comment, one of 100,000 chunks is read: the last one that starts at or before it. Regular chunks do not
    overlap; chunks that retry single comments do, and are left out.
    """
    is_done = ExpressionWrapper(DONE & Q(last_comment__gte=OuterRef("pk")), BooleanField())
    regular = DetectionChunk.objects.filter(run=run, comment_count__gt=0, first_comment__lte=OuterRef("pk"))
    nearest = regular.order_by("-first_comment").values_list(is_done)[:1]
    return profile.comments.annotate(is_analysed=Subquery(nearest)).filter(is_analysed=True).count()


def presidio_results(run: DetectionRun, profile: Profile) -> PresidioResults:
    """1 query, one more until the run has finished."""
    analysed = profile.comment_count if run.finished_at else analysed_comments(run, profile)
    return PresidioResults(run, detected_types(run, profile), analysed, profile.comment_count)


def detected_types(run: DetectionRun, profile: Profile) -> list[DetectedType]:
    """The built-in types in their order, then the recipe's own types by name. 1 query."""
    with prepared_cursor() as cursor:
        cursor.execute(STRING_COUNTS, {"run": run.pk, "profile": profile.pk, "max_strings": MAX_STRINGS})
        by_type = groupby(cursor.fetchall(), key=itemgetter(0))
        types = [_detected_type(list(rows)) for _, rows in by_type]
    return sorted(types, key=lambda detected: ORDER.get(detected.entity_type, len(ORDER)))


def _detected_type(rows: list[Row]) -> DetectedType:
    entity_type, total, strings, *_ = rows[0]
    listed = [DetectedString(text, times) for *_, text, times in rows]
    return DetectedType(entity_type, int(total), listed, strings - len(listed))
