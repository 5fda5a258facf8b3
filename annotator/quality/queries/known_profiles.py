"""The quality of a batch: results on known profiles, skips and flags."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import F, Q, QuerySet

from annotator.models import Annotator, Assignment, Batch, Flag, Judgement, KnownAnswer, SkipReason
from annotator.quality.queries.practice import CheckedAnswer, compare_answers, verdict
from profiles.answers import Agreement, compare
from profiles.attributes import Attribute

MAX_REPORTS = 200  # of skips, and of flags, on the page
UNHANDLED_FIRST = F("handled_at").desc(nulls_first=True)

# Materialize the few assignments first, because otherwise Postgres expects many and reads every judgement.
ANSWER_PAIRS = """
    WITH checked AS MATERIALIZED ({checked})
    SELECT checked.key, attribute.name, coalesce(judgement.value, ''), coalesce(known.value, ''), count(*)
    FROM checked CROSS JOIN unnest(%(attributes)s::text[]) AS attribute(name)
    LEFT JOIN LATERAL (
        SELECT value FROM annotator_judgement WHERE assignment_id = checked.id AND attribute = attribute.name OFFSET 0
    ) judgement ON true
    LEFT JOIN annotator_knownanswer known ON known.profile_id = checked.profile_id AND known.attribute = attribute.name
    GROUP BY 1, 2, 3, 4
"""
PAIRS_BY_ANNOTATOR = ANSWER_PAIRS.format(
    checked="""
        SELECT id, annotator_id AS key, profile_id FROM annotator_assignment
        WHERE batch_id = %(batch)s AND submitted_at IS NOT NULL AND (is_planted OR %(all)s)
    """
)
PAIRS_BY_BATCH = ANSWER_PAIRS.format(
    checked="""
        SELECT assignment.id, batch.name AS key, profile_id FROM annotator_assignment assignment
        JOIN annotator_batch batch ON batch.id = assignment.batch_id
        WHERE annotator_id = %(annotator)s AND is_planted AND submitted_at < %(before)s AND batch.agreement_shown
    """
)


@dataclass(frozen=True, slots=True)
class KnownTally:
    """How often answers agreed with the known ones."""

    agreeing: int = 0
    differing: int = 0
    missed: int = 0

    @property
    def total(self) -> int:
        return self.agreeing + self.differing + self.missed

    @property
    def others(self) -> str:
        counts = ((self.differing, "differing"), (self.missed, "missed"))
        return ", ".join(f"{count} {word}" for count, word in counts if count)


@dataclass(frozen=True, slots=True)
class CheckedProfile:
    """A submitted assignment whose answers are known."""

    assignment: Assignment
    rows: list[CheckedAnswer]

    @property
    def verdict(self) -> str:
        return verdict(self.rows)


@dataclass(frozen=True, slots=True)
class AnnotatorResult:
    annotator: Annotator
    by_attribute: list[tuple[Attribute, KnownTally]]
    profiles: list[CheckedProfile]


def known_assignments(batch: Batch) -> QuerySet[Assignment]:
    """Submitted assignments with known answers: the planted ones, or all of a practice batch."""
    known = Q() if batch.is_practice else Q(is_planted=True)
    return Assignment.objects.submitted().filter(known, batch=batch).select_related("annotator", "profile")


def results(batch: Batch) -> list[AnnotatorResult]:
    """Each annotator's results on known profiles. 3 queries, or 1 if there are none."""
    submitted = known_assignments(batch).order_by("annotator__display_name", "annotator", "submitted_at", "pk")
    by_person: dict[Annotator, list[CheckedProfile]] = defaultdict(list)
    for checked in _checked(list(submitted)):
        if checked.assignment.annotator:
            by_person[checked.assignment.annotator].append(checked)
    return [AnnotatorResult(person, _tallies(profiles), profiles) for person, profiles in by_person.items()]


def tallies_by_annotator(batch: Batch) -> dict[int, KnownTally]:
    """One tally per annotator. Fast for any number of known profiles. 1 query."""
    return _tally_pairs(PAIRS_BY_ANNOTATOR, {"batch": batch.pk, "all": batch.is_practice})


def own_known_tallies(annotator: Annotator, *, now: datetime) -> list[tuple[str, KnownTally]]:
    """The annotator's tally on planted profiles, by name of batch, in batches that show it to them. 1 query.

    Leave out what was submitted today: a figure that moves right after a profile tells that it was planted.
    """
    before = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return sorted(_tally_pairs(PAIRS_BY_BATCH, {"annotator": annotator.pk, "before": before}).items())


def _tally_pairs(statement: str, values: dict[str, Any]) -> dict[Any, KnownTally]:
    agreements: dict[Any, list[Agreement]] = defaultdict(list)
    cached_compare = cache(compare)
    with connection.cursor() as cursor:
        cursor.execute(statement, values | {"attributes": Attribute.values})
        for key, attribute, value, known, count in cursor.fetchall():
            agreements[key] += [cached_compare(Attribute(attribute), value, known)] * count
    return {key: _tally(own) for key, own in agreements.items()}


def skipped_assignments(batch: Batch) -> list[Assignment]:
    """Assignments that annotators skipped: unhandled ones first, newest on top, then the latest handled. 1 query."""
    skipped = batch.assignments.skipped().exclude(skip_reason=SkipReason.WITHDRAWN)
    skipped = skipped.select_related("annotator", "profile")
    return list(skipped.order_by(UNHANDLED_FIRST, "-skipped_at", "-pk")[:MAX_REPORTS])


def flags_in(batch: Batch) -> list[Flag]:
    """Unhandled flags first, newest on top, then the latest handled. Without the comments' text. 1 query."""
    flags = Flag.objects.filter(assignment__batch=batch).select_related(
        "assignment__annotator", "assignment__profile", "comment__subreddit"
    )
    return list(flags.defer("comment__body").order_by(UNHANDLED_FIRST, "-flagged_at", "-pk")[:MAX_REPORTS])


def _checked(assignments: Sequence[Assignment]) -> Iterable[CheckedProfile]:
    if not assignments:
        return
    judgements: dict[tuple[int, str], Judgement] = {
        (judgement.assignment_id, judgement.attribute): judgement
        for judgement in Judgement.objects.filter(assignment__in=[assignment.pk for assignment in assignments])
    }
    profiles = {assignment.profile_id for assignment in assignments}
    known: dict[tuple[int, str], KnownAnswer] = {
        (answer.profile_id, answer.attribute): answer for answer in KnownAnswer.objects.filter(profile__in=profiles)
    }
    for assignment in assignments:
        rows = [
            compare_answers(key, judgements.get((assignment.pk, key)), known.get((assignment.profile_id, key)))
            for key in Attribute
        ]
        yield CheckedProfile(assignment, rows)


def _tallies(profiles: Iterable[CheckedProfile]) -> list[tuple[Attribute, KnownTally]]:
    agreements: dict[Attribute, list[Agreement]] = {attribute: [] for attribute in Attribute}
    for row in (row for checked in profiles for row in checked.rows):
        agreements[row.attribute].append(row.agreement)
    return [(attribute, _tally(own)) for attribute, own in agreements.items()]


def _tally(agreements: Sequence[Agreement]) -> KnownTally:
    """Count agreements. Answers that are neither the same nor missed differ, including less and more precise ones."""
    same, missed = agreements.count(Agreement.SAME), agreements.count(Agreement.MISSED)
    return KnownTally(same, len(agreements) - same - missed, missed)
