"""How incomplete was the gold, as far as a second look tells. Plain numpy.

Intervals resample profiles, because claims about one person are not independent.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evaluation.inference.second_look.extrapolation import extrapolate, strata_of
from evaluation.stats.bootstrap import draw_weights
from evaluation.stats.estimates import Statistic, Sums
from evaluation.stats.panel import Floats
from evaluation.stats.signature import Signature

FORMAT = "telltale.second-look/3"
VERSION = 3  # of these definitions; increase it whenever one changes
RESAMPLES, SEED = 1000, 12345
CONFIRM, REJECT, LEAVE_OPEN = "confirm", "reject", "open"  # the values of ClaimVerdict, which needs Django
NO_CLAIMS = "No claims: nobody has reviewed one yet."
NO_CONTROLS = "No controls: nobody has reviewed one yet."
NO_ANSWERS = "No answers: nothing was found, neither before nor now."
NO_DIFFERENCE = "No difference: it needs reviewed claims and controls."
# Columns of the table of counts, by profile.
CLAIMS, CONFIRMED, LEFT_OPEN, BLIND, CONTROLS, CONTROL_CONFIRMED, CONTROL_BLIND = range(7)


@dataclass(frozen=True, slots=True)
class ReviewedClaim:
    """A claim that a person has decided. `hardness` is that of the confirmed answer, otherwise 0."""

    profile: str
    attribute: str
    is_control: bool
    blind: str
    verdict: str
    hardness: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What can be inferred of a profile, found by people before or confirmed now."""

    profile: str
    attribute: str
    hardness: int


@dataclass(frozen=True, slots=True)
class LookFacts:
    """What else the report says. `gold` are the answers that people had found in the same scope.

    `eligible_by_attribute` is empty for second looks that were drawn before it was counted.
    """

    system: str
    baseline: str
    eligible: int
    claims: int
    controls: int
    gold: Sequence[Answer]
    closed: int = 0
    min_confidence: float | None = None
    seed: int = SEED
    eligible_by_attribute: Mapping[str, int] = field(default_factory=dict)


def measure_incompleteness(reviewed: Sequence[ReviewedClaim], facts: LookFacts) -> dict[str, Any]:
    """Counts and shares with 95 % intervals. Shares without a claim have a reason instead."""
    claims = [claim for claim in reviewed if not claim.is_control]
    controls = [claim for claim in reviewed if claim.is_control]
    sums = _sums(reviewed)
    finds = [Answer(row.profile, row.attribute, row.hardness) for row in reviewed if row.verdict == CONFIRM]
    known = _without(facts.gold, finds)
    return {
        "format": FORMAT,
        "system": facts.system,
        "min_confidence": facts.min_confidence,
        "drawn": {"eligible": facts.eligible, "claims": facts.claims, "controls": facts.controls},
        "closed": facts.closed,
        "claims": _group(sums, claims, (CLAIMS, CONFIRMED, LEFT_OPEN, BLIND), NO_CLAIMS),
        "controls": _group(sums, controls, (CONTROLS, CONTROL_CONFIRMED, None, CONTROL_BLIND), NO_CONTROLS)
        | {"baseline": facts.baseline},
        "difference": _estimate(sums, _difference, _profiles(reviewed), NO_DIFFERENCE),
        "by_attribute": {
            name: _group(_sums(own), own, (CLAIMS, CONFIRMED, LEFT_OPEN, BLIND), NO_CLAIMS)
            | {"missing_at_least": _missing(_about(finds, name), _about(known, name))}
            for name, own in _by_attribute(claims).items()
        },
        "by_hardness": {str(step): _by_hardness(finds, known, step) for step in range(1, 6)},
        "found": len(finds),
        "gold_values": len(known),
        "missing_at_least": _missing(finds, known),
        "extrapolated": _extrapolated(claims, facts),
        "signature": str(_signature(facts)),
    }


def _extrapolated(claims: Sequence[ReviewedClaim], facts: LookFacts) -> dict[str, Any] | None:
    """To all eligible claims. Controls are no part of that sample."""
    finds = [Answer(claim.profile, claim.attribute, claim.hardness) for claim in claims if claim.verdict == CONFIRM]
    reviewed, confirmed = (Counter(row.attribute for row in rows) for rows in (claims, finds))
    strata = strata_of(facts.eligible_by_attribute, reviewed, confirmed)
    return extrapolate(strata, len(_without(facts.gold, finds)))


def _without(gold: Sequence[Answer], finds: Sequence[Answer]) -> list[Answer]:
    """What people have found only since it was confirmed was missing all the same."""
    confirmed = {(find.profile, find.attribute) for find in finds}
    return [answer for answer in gold if (answer.profile, answer.attribute) not in confirmed]


def _about(answers: Iterable[Answer], attribute: str) -> list[Answer]:
    return [answer for answer in answers if answer.attribute == attribute]


def _by_hardness(finds: Iterable[Answer], known: Iterable[Answer], step: int) -> dict[str, Any]:
    new, old = ([answer for answer in answers if answer.hardness == step] for answers in (finds, known))
    return {"found": len(new), "gold_values": len(old), "missing_at_least": _missing(new, old)}


def _missing(finds: Sequence[Answer], known: Sequence[Answer]) -> dict[str, Any]:
    """The share of finds among all answers, over the profiles that have any."""
    names = sorted({answer.profile for answer in (*finds, *known)})
    rows = {name: row for row, name in enumerate(names)}
    table = np.zeros((max(1, len(names)), 2))
    for column, answers in enumerate((finds, known)):
        for answer in answers:
            table[rows[answer.profile], column] += 1
    sums = Sums.of(table, draw_weights(len(table), RESAMPLES, np.random.default_rng(SEED)))
    return _estimate(sums, lambda part: _ratio(part[:, 0], part.sum(axis=1)), len(names), NO_ANSWERS)


def _group(
    sums: Sums, claims: Sequence[ReviewedClaim], columns: tuple[int, int, int | None, int], undefined: str
) -> dict[str, Any]:
    reviewed, confirmed, left_open, blind = columns
    counts, profiles = Counter(claim.verdict for claim in claims), _profiles(claims)
    shares = {"confirmed": confirmed, "left_open": left_open, "confirmed_blind": blind}
    return {
        "reviewed": len(claims),
        "profiles": profiles,
        "verdicts": {verdict: counts[verdict] for verdict in (CONFIRM, REJECT, LEAVE_OPEN)},
        **{
            name: _estimate(sums, _share(column, reviewed), profiles, undefined)
            for name, column in shares.items()
            if column is not None
        },
        "changed": _changes(claims),
    }


def _sums(reviewed: Sequence[ReviewedClaim]) -> Sums:
    """Counts by profile: rows in order of their names."""
    names = sorted({claim.profile for claim in reviewed}) or [""]
    rows = {name: row for row, name in enumerate(names)}
    table = np.zeros((len(names), 7))
    for claim in reviewed:
        table[rows[claim.profile], _columns(claim)] += 1
    return Sums.of(table, draw_weights(len(names), RESAMPLES, np.random.default_rng(SEED)))


def _columns(claim: ReviewedClaim) -> list[int]:
    confirmed, is_blind = claim.verdict == CONFIRM, claim.blind == CONFIRM
    if claim.is_control:
        return [CONTROLS, *([CONTROL_CONFIRMED] if confirmed else []), *([CONTROL_BLIND] if is_blind else [])]
    is_open = claim.verdict == LEAVE_OPEN
    return [
        CLAIMS, *([CONFIRMED] if confirmed else []), *([LEFT_OPEN] if is_open else []), *([BLIND] if is_blind else []),
    ]  # fmt: skip


def _share(part: int, whole: int) -> Statistic:
    def share(rows: Floats) -> Floats:
        return _ratio(rows[:, part], rows[:, whole])

    return share


def _difference(rows: Floats) -> Floats:
    """Blind: claims of the system minus controls."""
    return _ratio(rows[:, BLIND], rows[:, CLAIMS]) - _ratio(rows[:, CONTROL_BLIND], rows[:, CONTROLS])


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def _estimate(sums: Sums, statistic: Statistic, profiles: int, undefined: str) -> dict[str, Any]:
    return sums.apply(statistic).estimate(profiles, undefined, "profile").as_json()


def _changes(claims: Iterable[ReviewedClaim]) -> dict[str, int]:
    """Verdicts that changed once the reasoning was in view, as `reject>confirm`."""
    return dict(Counter(f"{claim.blind}>{claim.verdict}" for claim in claims if claim.blind != claim.verdict))


def _profiles(claims: Iterable[ReviewedClaim]) -> int:
    return len({claim.profile for claim in claims})


def _by_attribute(claims: Iterable[ReviewedClaim]) -> dict[str, list[ReviewedClaim]]:
    groups: dict[str, list[ReviewedClaim]] = {}
    for claim in claims:
        groups.setdefault(claim.attribute, []).append(claim)
    return groups


def _signature(facts: LookFacts) -> Signature:
    least = "any" if facts.min_confidence is None else f"{facts.min_confidence:g}"
    return Signature.of(
        metric="second-look", claims=f"{facts.claims}-of-{facts.eligible}", confidence=least,
        controls=f"{facts.controls}-{facts.baseline}", seed=facts.seed, unit="profile", bootstrap=RESAMPLES,
        resampling_seed=SEED, strata=_strata(facts), version=VERSION,
    )  # fmt: skip


def _strata(facts: LookFacts) -> str:
    """Of what was drawn, because the estimate for all claims depends on it."""
    return ",".join(f"{name}-{count}" for name, count in sorted(facts.eligible_by_attribute.items())) or "unknown"
