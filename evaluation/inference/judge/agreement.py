"""How far a judge model and people agree: kappa with intervals over profiles, and the confusion table. Plain numpy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.inference.judge.verdicts import Verdict
from evaluation.stats.bootstrap import CountStack, ObservedSample, Resamples, draw_weights
from evaluation.stats.estimates import Estimate
from evaluation.stats.intervals import interval
from evaluation.stats.metric import MetricName
from evaluation.stats.panel import build_panel
from evaluation.stats.ratings import Ratings
from evaluation.stats.reasons import NO_VARIATION
from evaluation.stats.registry import PreparedRatings
from evaluation.stats.signature import Signature

ORDER = (Verdict.NO_MATCH, Verdict.LESS_PRECISE, Verdict.MATCH)  # for quadratic weights
MIN_PAIRS = 10  # with fewer, kappa says more about luck
RESAMPLES, SEED = 1000, 12345
# The words before the colon are the short form, for table cells.
TOO_FEW = "Too few: kappa needs {needed} audited pairs, and there are {pairs}."


@dataclass(frozen=True, slots=True)
class AuditedVerdict:
    """What the judge and a person said of the same pair. `profile` is the unit of the bootstrap."""

    profile: str
    judge: Verdict
    person: Verdict


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """`confusion` has a row for each of the judge's verdicts in ORDER, and a column for each of the person's."""

    pairs: int
    profiles: int
    agreeing: int
    kappa: Estimate
    quadratic: Estimate
    confusion: tuple[tuple[int, ...], ...]
    signature: str

    @property
    def share(self) -> float:
        return self.agreeing / self.pairs

    def as_json(self) -> dict[str, Any]:
        return {
            "pairs": self.pairs, "profiles": self.profiles, "agreeing": self.agreeing, "share": self.share,
            "kappa": self.kappa.as_json(), "kappa_quadratic": self.quadratic.as_json(),
            "verdicts": [*ORDER], "confusion": [list(row) for row in self.confusion], "signature": self.signature,
        }  # fmt: skip


def measure_agreement(audits: Sequence[AuditedVerdict], *, judge: str = "") -> JudgeAgreement | None:
    """None without audits. Resamples draw profiles, because the guesses about one person are not independent."""
    if not audits:
        return None
    codes = np.array([[ORDER.index(audit.judge), ORDER.index(audit.person)] for audit in audits], np.int64)
    names = sorted({audit.profile for audit in audits})
    units = np.array([names.index(audit.profile) for audit in audits], np.int64)
    confusion = np.bincount(codes[:, 0] * len(ORDER) + codes[:, 1], minlength=len(ORDER) ** 2).reshape(len(ORDER), -1)
    plain, quadratic = _kappas(codes, units, len(names))
    signature = Signature.of(
        metric="judge-kappa", judge=judge or "unnamed", unit="profile", bootstrap=RESAMPLES, seed=SEED
    )
    return JudgeAgreement(
        len(audits), len(names), int(np.trace(confusion)), plain, quadratic,
        tuple(tuple(row) for row in confusion.tolist()), str(signature),
    )  # fmt: skip


def _kappas(codes: "np.ndarray[Any, np.dtype[np.int64]]", units: Any, profiles: int) -> tuple[Estimate, Estimate]:
    """Two annotators on every pair: the judge, and people."""
    if len(codes) < MIN_PAIRS:
        missing = Estimate(None, reason=TOO_FEW.format(needed=MIN_PAIRS, pairs=len(codes)))
        return missing, missing
    rows = np.arange(len(codes), dtype=np.int64)
    panel = build_panel(np.repeat(rows, 2), np.tile(np.array([0, 1], np.int64), len(codes)))
    prepared = PreparedRatings(Ratings(codes, len(ORDER)), panel)
    weights = draw_weights(profiles, RESAMPLES, np.random.default_rng(SEED))[:, units]
    metrics = [prepared.metric(name) for name in (MetricName.KAPPA, MetricName.KAPPA_QUADRATIC)]
    plain, quadratic = (_estimate(metric, weights, profiles) for metric in metrics)
    return plain, quadratic


def _estimate(metric: Any, weights: Any, profiles: int) -> Estimate:
    observed = ObservedSample()
    value = float(metric.ratio(observed).values[0])
    if np.isnan(value):
        return Estimate(None, reason=NO_VARIATION)
    resamples = Resamples(weights, CountStack(observed.summed.values(), weights.shape[1]))
    low, high = interval(metric.ratio(resamples).values) if profiles > 1 else (None, None)
    return Estimate(value, low, high)
