"""A batch as somebody wants it: what is drawn, and who labels it how."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotator.batches.drawing.candidates import DrawRefused, Ground
from annotator.batches.drawing.criteria import Criteria
from annotator.batches.drawing.draw import Wish, wish_of
from annotator.batches.drawing.shares import Share
from annotator.batches.drawing.weights import thin_weights
from annotator.models import Batch, GuidelineVersion
from profiles.models import Corpus, Recipe

NOTHING_IS_THIN = (
    "This corpus has no target of which something is missing, so there is nothing to prefer. Nothing was drawn. "
    "State targets first, or draw without preference."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    name: str
    corpus: Corpus
    guideline: GuidelineVersion
    size: int
    seed: int
    criteria: Criteria = field(default_factory=Criteria)
    prefer_thin: bool = False
    recipe: Recipe | None = None
    overlap: int = 1
    people: tuple[Share, ...] = ()  # none: a shared pool
    hints_shown: bool = True
    planted: int = 0
    due_at: datetime | None = None

    @property
    def wish(self) -> Wish:
        """With the weights as targets and gold make them now. 2 queries where thin cells are preferred."""
        weights = thin_weights(self.corpus) if self.prefer_thin else {}
        if self.prefer_thin and not weights:
            raise DrawRefused(NOTHING_IS_THIN)
        return Wish(self.size, self.seed, self.criteria, weights)

    def ground(self, apart_from: int | None = None) -> Ground:
        return Ground(self.corpus, self.recipe, apart_from)


def plan_of(batch: Batch) -> Plan:
    """What a batch was made by, to begin from when it is changed."""
    wish = wish_of(batch.draw)
    return Plan(
        name=batch.name, corpus=batch.corpus, guideline=batch.guideline, size=wish.size, seed=wish.seed,
        criteria=wish.criteria, prefer_thin=bool(wish.weights), recipe=batch.recipe, overlap=batch.overlap,
        people=shares_of(batch), hints_shown=batch.hints_shown, planted=batch.draw.get("planted", 0),
        due_at=batch.due_at,
    )  # fmt: skip


def shares_of(batch: Batch) -> tuple[Share, ...]:
    return tuple(Share(one["annotator"], one["quota"]) for one in batch.people)


def as_people(shares: tuple[Share, ...]) -> list[dict[str, Any]]:
    return [{"annotator": share.person, "quota": share.quota} for share in shares]
