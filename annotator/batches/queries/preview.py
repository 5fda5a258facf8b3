"""What a draw would give, and whether a stored draw can be repeated."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from annotator.batches.drawing.candidates import Population, eligible_profiles
from annotator.batches.drawing.draw import Draw, TooFewProfiles, draw
from annotator.batches.drawing.plan import DrawOptions
from annotator.core.formatting import plural
from annotator.models import AuditEntry, Batch
from profiles.models import Profile

PREVIEW_ROWS = 10
NOT_COMPARABLE = "This batch was drawn before complete draws were recorded, so it can't be repeated."
PROFILES_REMOVED = "{profiles} of this corpus disappeared since the draw because their accounts were removed. "
MAX_PREVIEWED = 200_000  # above this many eligible profiles only their number is shown


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
    """How many profiles are eligible, and the first few that would be drawn."""

    eligible: int
    rows: list[PreviewRow]
    problem: str = ""

    @property
    def is_too_large(self) -> bool:
        return self.eligible > MAX_PREVIEWED


def preview(population: Population, options: DrawOptions) -> Preview:
    """5 queries; up to 10 with weights, detections or languages; 2 to 4 more per criterion if too few are eligible."""
    eligible = eligible_profiles(population, options.criteria).count()
    if eligible > MAX_PREVIEWED:
        return Preview(eligible, [])
    try:
        drawn = draw(population, options)
    except TooFewProfiles as refusal:
        return Preview(eligible, [], str(refusal))
    return Preview(drawn.eligible, _rows(drawn.profiles[:PREVIEW_ROWS]))


def _rows(ids: list[int]) -> list[PreviewRow]:
    """In drawn order. 1 query."""
    profiles = Profile.objects.filter(pk__in=ids).annotate(subreddit_count=Count("presences"))
    fields = ("pk", "pseudonym", "comment_count", "subreddit_count", "first_written_at", "last_written_at")
    rows = {row[0]: PreviewRow(*row) for row in profiles.values_list(*fields)}
    return [rows[profile] for profile in ids if profile in rows]


@dataclass(frozen=True, slots=True)
class Repetition:
    """Whether a repeated draw gave the same list, and the result in words."""

    is_same: bool
    summary: str


def repeat(batch: Batch) -> Repetition:
    """Repeat a batch's draw as of the time it was made, and compare.

    Up to 6 queries if corpus and recipe are loaded; 2 to 4 more per criterion if too few are eligible.
    """
    stored = batch.draw
    if not stored.get("drawn_digest"):
        return Repetition(False, NOT_COMPARABLE)
    drawn_at = datetime.fromisoformat(stored["drawn_at"])
    population = Population(batch.corpus, batch.recipe, ignored_batch=batch.pk, as_of=drawn_at)
    try:
        drawn = draw(population, DrawOptions.from_json(stored))
    except TooFewProfiles as refusal:
        return Repetition(False, f"The draw can't be repeated. {_removed_since(batch, drawn_at)}{refusal}")
    if drawn.digest == stored["drawn_digest"]:
        return Repetition(True, f"The draw gives the same {len(drawn.profiles)} profiles in the same order.")
    removed = _removed_since(batch, drawn_at)
    return Repetition(False, f"{removed}{_explain_difference(stored['eligible'], drawn, is_explained=bool(removed))}")


def _removed_since(batch: Batch, drawn_at: datetime) -> str:
    """How many profiles of the corpus went with removed accounts since the draw, as a sentence, or "". 1 query."""
    entries = AuditEntry.objects.filter(action=AuditEntry.Action.ACCOUNT_FORGOTTEN, at__gte=drawn_at)
    corpora = entries.filter(details__contains={"corpus_ids": [batch.corpus_id]})
    removed = sum(ids.count(batch.corpus_id) for ids in corpora.values_list("details__corpus_ids", flat=True))
    return PROFILES_REMOVED.format(profiles=plural(removed, "profile")) if removed else ""


def _explain_difference(before: int, drawn: Draw, *, is_explained: bool) -> str:
    now = drawn.eligible
    if is_explained:
        return f"The draw gives a different list: {now} profiles match now, {before} did then."
    if now > before:
        return (
            f"The draw gives a different list: {now} profiles match now, {before} did then. The corpus has grown since."
        )
    if now < before:
        return (
            f"The draw gives a different list: {now} profiles match now, {before} did then. Profiles were removed, or "
            "the data behind the criteria has changed."
        )
    return "The draw gives a different list of the same length. Hints, detections or other batches have changed since."
