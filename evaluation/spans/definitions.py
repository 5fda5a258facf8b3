"""The same output by every definition: which rules a report compares, and whose they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.spans.labels import LabelMode
from evaluation.spans.layers import LayeredTables
from evaluation.spans.matching import GoldState, Matching, MatchRule, Method, PredictionState
from evaluation.spans.scores import score
from evaluation.spans.settings import Settings
from evaluation.spans.tally import Tally, count
from evaluation.stats.bootstrap import Weights

R1, EXACT, IOU, COMPAT = Method.R1, Method.EXACT, Method.IOU, Method.COMPAT
STRICT, RELAXED, ANY = LabelMode.STRICT, LabelMode.RELAXED, LabelMode.ANY
DEFAULT_KEY = "r1-strict"


@dataclass(frozen=True, slots=True)
class Definition:
    method: Method
    labels: LabelMode
    title: str
    whose: str

    @property
    def key(self) -> str:
        return f"{self.method}-{self.labels}"

    def rule(self, settings: Settings) -> MatchRule:
        return MatchRule(self.method, self.labels, settings.threshold, settings.ignore)


# `{t}` is the threshold, `{groups}` are the equivalence groups.
DEFINITIONS = (
    Definition(R1, STRICT, "Best one-to-one IoU ≥ {t}, then compounds", "Telltale, default"),
    Definition(R1, RELAXED, "Best one-to-one IoU ≥ {t}, {groups}", "Telltale"),
    Definition(R1, ANY, "Best one-to-one IoU ≥ {t}, any type", "Telltale; TAB masks without types"),
    Definition(EXACT, STRICT, "Exact span and type", "CoNLL; SemEval strict"),
    Definition(EXACT, ANY, "Exact span, any type", "SemEval exact"),
    Definition(IOU, STRICT, "One-to-one IoU ≥ {t}, no compounds", "object detection; Presidio Evaluator at 0.9"),
    Definition(COMPAT, STRICT, "Coverage ≥ {t}", "ECHR study"),
    Definition(COMPAT, RELAXED, "Coverage ≥ {t}, {groups}", "ECHR study"),
)


def shown_title(definition: Definition, settings: Settings) -> str:
    groups = " and ".join(" = ".join(sorted(group)) for group in settings.scheme.groups)
    return definition.title.format(t=settings.threshold, groups=groups or "no equivalent types")


def tally_of(definition: Definition, matching: Matching, tables: LayeredTables) -> Tally:
    """The counts per document. The ECHR study counts found gold spans on both sides."""
    tally = count(matching, tables.gold, tables.predicted, tables.units)
    if definition.method != COMPAT:
        return tally
    spurious = tally.predicted - tally.used
    return Tally(tally.types, tally.gold, tally.matched, tally.matched + spurious, tally.matched)


def definition_json(
    definition: Definition, matching: Matching, tally: Tally, settings: Settings, weights: Weights
) -> Mapping[str, Any]:
    scores = score(tally, weights)
    return {
        "key": definition.key,
        "title": shown_title(definition, settings),
        "whose": definition.whose,
        "method": str(definition.method),
        "labels": str(definition.labels),
        "threshold": None if definition.method == EXACT else settings.threshold,
        "ignore": "study" if definition.method == COMPAT else str(settings.ignore),
        **{name: int(part.sum()) for name, part in zip(COUNTS, tally.parts, strict=True)},
        "compound": int((matching.gold == GoldState.COMPOUND).sum()),
        "merged": matching.merged,
        "relaxed": int(matching.relaxed.sum()),
        "ignored_gold": int((matching.gold == GoldState.IGNORED).sum()),
        "ignored_predicted": int((matching.predicted == PredictionState.IGNORED).sum()),
        **scores.micro.as_json(),
        "macro_f1": scores.macro.f1.as_json(),
    }


COUNTS = ("gold", "matched", "predicted", "used")
