"""What a draw would give, before it is made, and whether one that was made can be made again."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from annotator.batches.drawing.candidates import Ground, eligible
from annotator.batches.drawing.draw import Drawn, TooFewProfiles, Wish, draw, wish_of
from annotator.models import Batch
from profiles.models import Profile

SHOWN = 10
MOST = 200_000  # of more profiles the draw itself is not made ahead: only counted


@dataclass(frozen=True, slots=True)
class PreviewRow:
    pk: int
    pseudonym: str
    comment_count: int
    subreddit_count: int
    first_written_at: datetime
    last_written_at: datetime


@dataclass(frozen=True, slots=True)
class Preview:
    """How many profiles fit, and the first of those that would be drawn."""

    eligible: int
    rows: list[PreviewRow]
    problem: str = ""

    @property
    def is_too_large(self) -> bool:
        return self.eligible > MOST


def preview(ground: Ground, wish: Wish) -> Preview:
    """4 queries; 7 with weights, detections or languages; one more for each criterion where there are too few."""
    count = eligible(ground, wish.criteria).count()
    if count > MOST:
        return Preview(count, [])
    try:
        drawn = draw(ground, wish)
    except TooFewProfiles as few:
        return Preview(count, [], str(few))
    return Preview(drawn.eligible, _rows(drawn.profiles[:SHOWN]))


def _rows(profiles: list[int]) -> list[PreviewRow]:
    """In the drawn order. 1 query."""
    shown = Profile.objects.filter(pk__in=profiles).annotate(subreddit_count=Count("presences"))
    fields = ("pk", "pseudonym", "comment_count", "subreddit_count", "first_written_at", "last_written_at")
    by_id = {row[0]: PreviewRow(*row) for row in shown.values_list(*fields)}
    return [by_id[profile] for profile in profiles if profile in by_id]


@dataclass(frozen=True, slots=True)
class Repeated:
    is_same: bool
    told: str


def repeat(batch: Batch) -> Repeated:
    """Whether the draw of a batch, made once more as of the time it was made, gives the same list. Up to 6 queries."""
    kept = batch.draw
    if not kept.get("drawn_digest"):
        return Repeated(False, "This batch was made before draws were written down completely: it cannot be compared.")
    ground = Ground(batch.corpus, batch.recipe, batch.pk, datetime.fromisoformat(kept["drawn_at"]))
    try:
        drawn = draw(ground, wish_of(kept))
    except TooFewProfiles as few:
        return Repeated(False, f"It gives no list any more. {few}")
    if drawn.digest == kept["drawn_digest"]:
        return Repeated(True, f"The draw gives the same {len(drawn.profiles)} profiles in the same order.")
    return Repeated(False, _why_not(kept["eligible"], drawn))


def _why_not(before: int, drawn: Drawn) -> str:
    now = drawn.eligible
    if now > before:
        return f"The draw gives another list: {now} profiles fit now and {before} did then. The corpus has grown since."
    if now < before:
        return (
            f"The draw gives another list: {now} profiles fit now and {before} did then. Profiles were removed, or "
            "what the criteria look at has changed."
        )
    return "The draw gives another list, of as many profiles. Hints, detections or other batches have changed since."
