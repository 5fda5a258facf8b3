"""How a batch is going, as admins see it: people's pace, what they made of known profiles, what they reported."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Aggregate, Count, FloatField, Q, QuerySet

from annotator.models import Annotator, Assignment, Batch, Flag, Judgement, KnownAnswer
from annotator.queries.practice import Compared, compared, verdict
from profiles.answers import Agreement
from profiles.attributes import Attribute

MOST = 200  # of what was skipped or flagged: the newest


class Median(Aggregate):
    function = "percentile_cont"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """One person's slots; without a person, those that are left for anybody."""

    annotator: int | None
    name: str
    submitted: int
    skipped: int
    left: int
    median: str


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


def progress_by_person(batch: Batch) -> list[PersonProgress]:
    """By name, and last what nobody has taken. 1 query."""
    done, skipped = Q(submitted_at__isnull=False), Q(skipped_at__isnull=False)
    counted = (
        batch.assignments.values("annotator__display_name", "annotator")
        .annotate(
            submitted=Count("pk", filter=done),
            skipped=Count("pk", filter=skipped),
            left=Count("pk", filter=~done & ~skipped),
            median=Median("active_seconds", filter=done),
        )
        .order_by("annotator__display_name", "annotator")
    )
    return [
        PersonProgress(
            row["annotator"],
            row["annotator__display_name"] or "",
            row["submitted"],
            row["skipped"],
            row["left"],
            _clock(row["median"]),
        )
        for row in counted
    ]


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


def skipped_slots(batch: Batch) -> list[Assignment]:
    """The newest first. 1 query."""
    skipped = batch.assignments.filter(skipped_at__isnull=False).select_related("annotator", "profile")
    return list(skipped.order_by("-skipped_at", "-pk")[:MOST])


def flags_in(batch: Batch) -> list[Flag]:
    """The newest first; what the comments say is not read. 1 query."""
    raised = Flag.objects.filter(assignment__batch=batch).select_related(
        "assignment__annotator", "assignment__profile", "comment__subreddit"
    )
    return list(raised.defer("comment__body").order_by("-flagged_at", "-pk")[:MOST])


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


def _clock(seconds: Any) -> str:
    return "" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"
