"""The draw itself: the same population and options always give the same profiles in the same order."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import log
from typing import Any

from django.db.models import QuerySet

from annotator.batches.drawing.candidates import (
    WEIGHT_FORMULA,
    DrawRefused,
    Population,
    eligible_profiles,
    profile_weight,
    with_promises,
)
from annotator.batches.drawing.plan import DrawOptions
from profiles.models import Profile

VERSION = 1


class TooFewProfiles(DrawRefused):
    """Fewer profiles are eligible than were requested."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Profile ids in drawn order. The digest identifies the accounts in this order, wherever the corpus is loaded."""

    profiles: list[int]
    eligible: int
    digest: str

    def as_json(self, options: DrawOptions, **details: Any) -> dict[str, Any]:
        """The value of `Batch.draw`: everything needed to repeat the draw."""
        weights = {"formula": WEIGHT_FORMULA, "attributes": dict(options.weights)} if options.weights else {}
        return {
            "version": VERSION, "seed": options.seed, "size": options.size, "criteria": options.criteria.as_json(),
            "weights": weights, "eligible": self.eligible, "drawn_digest": self.digest, **details,
        }  # fmt: skip


def draw(population: Population, options: DrawOptions, *, exclude: QuerySet[Any] | None = None) -> Draw:
    """Draw profiles, or refuse and say what to relax. 2 to 5 queries.

    If too few profiles are eligible, each criterion takes 2 to 4 more queries.

    `exclude` selects the profiles that a batch has already, when it is extended.
    """
    profiles = eligible_profiles(population, options.criteria)
    if exclude is not None:
        profiles = profiles.exclude(pk__in=exclude)
    rows = _candidate_rows(profiles, population, options)
    if options.size > len(rows):
        raise TooFewProfiles(_explain_too_few(population, options, len(rows)))
    digests = {row["pk"]: bytes(row["account_digest"]) + bytes([row["spelling"] % 256]) for row in rows}
    ids = [row["pk"] for row in rows]
    if options.weights:
        weights = [profile_weight(row, options.weights) for row in rows]
        drawn = weighted_sample(ids, weights, options.size, options.seed)
    else:
        drawn = sample(ids, options.size, options.seed)
    return Draw(drawn, len(rows), sha256(b"".join(digests[profile] for profile in drawn)).hexdigest())


def sample(ids: Sequence[int], size: int, seed: int) -> list[int]:
    """Uniform sample without replacement, in random order."""
    return random.Random(seed).sample(ids, size)  # noqa: S311 repeatable on purpose


def weighted_sample(ids: Sequence[int], weights: Sequence[float], size: int, seed: int) -> list[int]:
    """Weighted sample without replacement: each id is drawn in proportion to its weight among those left.

    Efraimidis and Spirakis (2006): give each id the key u^(1/w) with u uniform in (0, 1) and take the largest keys.
    The logarithm log(u)/w gives the same order and does not underflow.
    """
    rng = random.Random(seed)  # noqa: S311 repeatable on purpose
    keys = [log(1.0 - rng.random()) / weight for weight in weights]  # 1 - u: never the logarithm of 0
    order = sorted(range(len(ids)), key=lambda index: (-keys[index], index))
    return [ids[index] for index in order[:size]]


def _candidate_rows(profiles: QuerySet[Profile], population: Population, options: DrawOptions) -> list[dict[str, Any]]:
    """Sort by account, not by primary key: a draw must not depend on the order in which profiles were loaded."""
    columns = ["pk", "account_digest", "spelling"]
    if options.weights:
        profiles = with_promises(profiles, population, options.weights)
        columns += list(profiles.query.annotations)
    return list(profiles.order_by("account_digest", "spelling").values(*columns))


def _explain_too_few(population: Population, options: DrawOptions, eligible: int) -> str:
    summary = f"Only {eligible} of the {options.size} profiles you asked for match."
    counts = [
        f"{eligible_profiles(population, rest).count()} without “{criterion}”"
        for criterion, rest in options.criteria.relaxed()
    ]
    alternatives = f" Matching profiles: {', '.join(counts)}." if counts else ""
    return f"{summary} Nothing was drawn. Ask for fewer{', or loosen a criterion' if counts else ''}.{alternatives}"
