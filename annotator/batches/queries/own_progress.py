"""How far an evaluator is in a batch: the one definition of “12 of 24”."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from annotator.batches.drawing.plan import relabels
from annotator.charts.meter import Meter, meter
from annotator.core.formatting import number
from annotator.models import Annotator, Batch
from annotator.models.batches import HANDED_OVER_SQL, TAKEN_BACK_SQL
from profiles.statements import prepared_cursor

MAX_POOL = 1000  # counting stops here, and pages show “999+”

# The counts of one batch as an array: submitted, to do, skipped; and the number of profiles free in the pool. For
# statements with the parameters `person` and `max_pool`; `batch` and `relabel` are SQL expressions. NOT IN is evaluated
# once if it uses nothing of the outer row: NOT EXISTS read all that the person has, for each of 1,000 profiles.
OWN_COUNTS = f"""
    (SELECT ARRAY[
        count(*) FILTER (WHERE submitted_at IS NOT NULL),
        count(*) FILTER (WHERE submitted_at IS NULL AND (skipped_at IS NULL OR {TAKEN_BACK_SQL})),
        count(*) FILTER (WHERE skipped_at IS NOT NULL AND NOT {TAKEN_BACK_SQL})
     ] FROM annotator_assignment
     WHERE batch_id = {{batch}} AND annotator_id = %(person)s AND NOT {HANDED_OVER_SQL}),
    (SELECT count(*) FROM (
        SELECT FROM annotator_assignment free
        WHERE free.batch_id = {{batch}} AND free.annotator_id IS NULL AND free.claimed_at IS NULL
            AND free.profile_id NOT IN (
                SELECT other.profile_id FROM annotator_assignment other
                WHERE other.annotator_id = %(person)s
                    AND (other.batch_id = {{batch}} OR {{relabel}} AND other.submitted_at IS NOT NULL)
        ) LIMIT %(max_pool)s
    ) pool)
"""  # noqa: S608 our own conditions; values are bound as parameters
BY_BATCH = f"""
    SELECT batch.id, {OWN_COUNTS.format(batch="batch.id", relabel="batch.relabel")},
        (SELECT id FROM annotator_assignment
         WHERE batch_id = batch.id AND annotator_id = %(person)s AND claimed_at IS NOT NULL AND submitted_at IS NULL
            AND skipped_at IS NULL)
    FROM unnest(%(batches)s::int[], %(relabels)s::bool[]) AS batch(id, relabel)
"""  # noqa: S608 as above


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """An evaluator's progress in one batch, the same on every page.

    “12 of 24” means: 12 profiles submitted, out of 24 that are meant for this person. Profiles that they skipped, or
    that an admin gave to somebody else, are no longer meant for them, so they count in neither number. A reopened
    profile stays submitted. Planted profiles count like all others.

    In a shared pool nobody knows how many a person will get. There it is “12 submitted, 38 left”: `left` are the
    profiles that they could still do, which is what they have open and whatever is free for them in the pool.
    """

    submitted: int = 0
    to_do: int = 0
    skipped: int = 0
    pool: int = 0
    held: int | None = None  # the assignment that the annotator has open

    @classmethod
    def of(cls, counts: Sequence[int], pool: int, held: int | None = None) -> Self:
        """From the results of `OWN_COUNTS`."""
        submitted, to_do, skipped = counts
        return cls(submitted, to_do, skipped, pool, held)

    @property
    def total(self) -> int:
        return self.submitted + self.to_do

    @property
    def is_through(self) -> bool:
        return not self.to_do and not self.pool

    @property
    def has_begun(self) -> bool:
        return bool(self.submitted or self.skipped or self.held)

    @property
    def in_words(self) -> str:
        if self.pool:
            left = f"{MAX_POOL - 1}+" if self.pool >= MAX_POOL else number(self.to_do + self.pool)
            return f"{number(self.submitted)} submitted, {left} left"
        return f"{number(self.submitted)} of {number(self.total)}"

    @property
    def meter(self) -> Meter:
        return replace(meter(self.submitted, self.total + self.pool), text=self.in_words)


def own_progress(annotator: Annotator, batches: Sequence[Batch]) -> dict[int, OwnProgress]:
    """The annotator's progress in each batch, by its id. 1 query, or none without a batch."""
    if not batches:
        return {}
    values: dict[str, Any] = {"person": annotator.pk, "max_pool": MAX_POOL}
    values |= {"batches": [batch.pk for batch in batches], "relabels": [relabels(batch) for batch in batches]}
    with prepared_cursor() as cursor:
        cursor.execute(BY_BATCH, values)
        rows = {pk: OwnProgress.of(own, pool, held) for pk, own, pool, held in cursor.fetchall()}
    return {batch.pk: _or_practice(batch, rows[batch.pk]) for batch in batches}


def after_this(progress: OwnProgress) -> OwnProgress:
    """The progress once the profile that is open now is submitted."""
    return replace(progress, submitted=progress.submitted + 1, to_do=max(progress.to_do - 1, 0))


def _or_practice(batch: Batch, progress: OwnProgress) -> OwnProgress:
    """A practice batch that nobody handed out yet: all its profiles are meant for everybody."""
    if not batch.is_practice or progress.total or progress.skipped:
        return progress
    return replace(progress, to_do=len(batch.draw.get("profiles", ())))
