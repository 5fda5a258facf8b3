"""How well a batch is labelled: what people made of known profiles, and what they reported."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import F, Q, QuerySet

from annotator.models import Annotator, Assignment, Batch, Flag, Judgement, KnownAnswer, SkipReason
from annotator.quality.queries.practice import Compared, compared, verdict
from profiles.answers import Agreement, compare
from profiles.attributes import Attribute

MOST = 200  # of what was skipped or flagged
UNHANDLED_FIRST = F("handled_at").desc(nulls_first=True)

# The few slots first: otherwise Postgres expects many of them and reads every judgement there is.
KNOWN = """
    WITH slots AS MATERIALIZED (
        SELECT id, annotator_id, profile_id FROM annotator_assignment
        WHERE batch_id = %(batch)s AND submitted_at IS NOT NULL AND (is_planted OR %(all)s)
    )
    SELECT slots.annotator_id, attribute.name, coalesce(said.value, ''), coalesce(known.value, ''), count(*)
    FROM slots CROSS JOIN unnest(%(attributes)s::text[]) AS attribute(name)
    LEFT JOIN LATERAL (
        SELECT value FROM annotator_judgement WHERE assignment_id = slots.id AND attribute = attribute.name OFFSET 0
    ) said ON true
    LEFT JOIN annotator_knownanswer known ON known.profile_id = slots.profile_id AND known.attribute = attribute.name
    GROUP BY 1, 2, 3, 4
"""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often an attribute was said as it is known."""

    agreeing: int = 0
    differing: int = 0
    missed: int = 0

    @property
    def total(self) -> int:
        return self.agreeing + self.differing + self.missed

    @property
    def others(self) -> str:
        told = [f"{self.differing} differing" if self.differing else "", f"{self.missed} missed" if self.missed else ""]
        return ", ".join(filter(None, told))


@dataclass(frozen=True, slots=True)
class Checked:
    """A submitted profile whose answers are known."""

    assignment: Assignment
    rows: list[Compared]

    @property
    def verdict(self) -> str:
        return verdict(self.rows)


@dataclass(frozen=True, slots=True)
class Result:
    annotator: Annotator
    by_attribute: list[tuple[Attribute, Tally]]
    profiles: list[Checked]


def known_slots(batch: Batch) -> QuerySet[Assignment]:
    """What was submitted and can be checked: what was planted, and in a practice batch everything."""
    known = Q() if batch.is_practice else Q(is_planted=True)
    return Assignment.objects.submitted().filter(known, batch=batch).select_related("annotator", "profile")


def results(batch: Batch) -> list[Result]:
    """What each person made of the known profiles that they submitted. 3 queries, or 1 when there are none."""
    submitted = known_slots(batch).order_by("annotator__display_name", "annotator", "submitted_at", "pk")
    by_person: dict[Annotator, list[Checked]] = defaultdict(list)
    for checked in _checked(list(submitted)):
        if checked.assignment.annotator:
            by_person[checked.assignment.annotator].append(checked)
    return [Result(person, _tallies(profiles), profiles) for person, profiles in by_person.items()]


def known_by_person(batch: Batch) -> dict[int, Tally]:
    """The same in one tally for each person, quick for any number of known profiles. 1 query."""
    values: dict[str, Any] = {"batch": batch.pk, "all": batch.is_practice, "attributes": Attribute.values}
    found: dict[int, list[Agreement]] = defaultdict(list)
    agreement = cache(compare)
    with connection.cursor() as cursor:
        cursor.execute(KNOWN, values)
        for annotator, attribute, said, known, count in cursor.fetchall():
            found[annotator] += [agreement(Attribute(attribute), said, known)] * count
    return {annotator: _tally(agreements) for annotator, agreements in found.items()}


def skipped_slots(batch: Batch) -> list[Assignment]:
    """By evaluators: what nobody has dealt with first, then the newest. 1 query."""
    skipped = batch.assignments.filter(skipped_at__isnull=False).exclude(skip_reason=SkipReason.WITHDRAWN)
    skipped = skipped.select_related("annotator", "profile")
    return list(skipped.order_by(UNHANDLED_FIRST, "-skipped_at", "-pk")[:MOST])


def flags_in(batch: Batch) -> list[Flag]:
    """What nobody has dealt with first, then the newest; what the comments say is not read. 1 query."""
    raised = Flag.objects.filter(assignment__batch=batch).select_related(
        "assignment__annotator", "assignment__profile", "comment__subreddit"
    )
    return list(raised.defer("comment__body").order_by(UNHANDLED_FIRST, "-flagged_at", "-pk")[:MOST])


def _checked(assignments: Sequence[Assignment]) -> Iterable[Checked]:
    if not assignments:
        return
    said: dict[tuple[int, str], Judgement] = {
        (judgement.assignment_id, judgement.attribute): judgement
        for judgement in Judgement.objects.filter(assignment__in=[assignment.pk for assignment in assignments])
    }
    profiles = {assignment.profile_id for assignment in assignments}
    known: dict[tuple[int, str], KnownAnswer] = {
        (answer.profile_id, answer.attribute): answer for answer in KnownAnswer.objects.filter(profile__in=profiles)
    }
    for one in assignments:
        pairs = [(key, said.get((one.pk, key)), known.get((one.profile_id, key))) for key in Attribute]
        yield Checked(one, [compared(*pair) for pair in pairs])


def _tallies(profiles: Iterable[Checked]) -> list[tuple[Attribute, Tally]]:
    found: dict[Attribute, list[Agreement]] = {attribute: [] for attribute in Attribute}
    for row in (row for checked in profiles for row in checked.rows):
        found[row.attribute].append(row.agreement)
    return [(attribute, _tally(agreements)) for attribute, agreements in found.items()]


def _tally(agreements: Sequence[Agreement]) -> Tally:
    """Everything that was said and is not as known differs, also what is less or more precise."""
    same, missed = agreements.count(Agreement.SAME), agreements.count(Agreement.MISSED)
    return Tally(same, len(agreements) - same - missed, missed)
