"""Drawing profiles: the same corpus, criteria, size, seed and weights give the same list."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet

from annotator.batches.drawing.candidates import DrawRefused, Ground, eligible
from annotator.batches.drawing.criteria import Criteria
from annotator.batches.drawing.sampling import sample, weighted_sample
from annotator.batches.drawing.weights import FORMULA, weight, with_promises
from profiles.models import Profile

VERSION = 1


class TooFewProfiles(DrawRefused):
    """More profiles were asked for than there are."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What decides a draw, beside what it stands on."""

    size: int
    seed: int
    criteria: Criteria = field(default_factory=Criteria)
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Drawn:
    """In the drawn order. The digest stands for the accounts in this order, wherever the corpus is loaded."""

    profiles: list[int]
    eligible: int
    digest: str


def draw(ground: Ground, wish: Wish, *, without: QuerySet[Any] | None = None) -> Drawn:
    """Draw, or say what could be relaxed. 2 queries, up to 5, and one for each criterion where there are too few.

    `without` are profiles that are left out, for further draws of one batch.
    """
    found = eligible(ground, wish.criteria)
    if without is not None:
        found = found.exclude(pk__in=without)
    rows = _rows(found, ground, wish)
    if wish.size > len(rows):
        raise TooFewProfiles(_too_few(ground, wish, len(rows)))
    digests = {row["pk"]: bytes(row["account_digest"]) + bytes([row["spelling"] % 256]) for row in rows}
    ids = [row["pk"] for row in rows]
    if wish.weights:
        drawn = weighted_sample(ids, [weight(row, wish.weights) for row in rows], wish.size, wish.seed)
    else:
        drawn = sample(ids, wish.size, wish.seed)
    return Drawn(drawn, len(rows), sha256(b"".join(digests[profile] for profile in drawn)).hexdigest())


def _rows(found: QuerySet[Profile], ground: Ground, wish: Wish) -> list[dict[str, Any]]:
    """Sorted by what an ingest cannot change: the order of the numbers must not matter."""
    wanted = ["pk", "account_digest", "spelling"]
    if wish.weights:
        found = with_promises(found, ground, wish.weights)
        wanted += list(found.query.annotations)
    return list(found.order_by("account_digest", "spelling").values(*wanted))


def _too_few(ground: Ground, wish: Wish, there: int) -> str:
    told = f"The corpus has {there} profiles that fit, fewer than the {wish.size} asked for."
    others = [f"{eligible(ground, rest).count()} without “{words}”" for words, rest in wish.criteria.relaxed()]
    more = f" There would be {', '.join(others)}." if others else ""
    return f"{told} Nothing was drawn. Ask for fewer{', or relax a criterion' if others else ''}.{more}"


def as_recipe(wish: Wish, drawn: Drawn, **more: Any) -> dict[str, Any]:
    """The draw as a batch keeps it: complete, so that it can be repeated."""
    weights = {"formula": FORMULA, "attributes": dict(wish.weights)} if wish.weights else {}
    return {
        "version": VERSION, "seed": wish.seed, "size": wish.size, "criteria": wish.criteria.as_json(),
        "weights": weights, "eligible": drawn.eligible, "drawn_digest": drawn.digest, **more,
    }  # fmt: skip


def wish_of(recipe: Mapping[str, Any]) -> Wish:
    """What a batch was drawn by. Batches drawn before criteria existed have a seed and a size alone."""
    weights = recipe.get("weights") or {}
    return Wish(
        recipe["size"], recipe["seed"], Criteria.from_json(recipe.get("criteria") or {}), weights.get("attributes", {})
    )
