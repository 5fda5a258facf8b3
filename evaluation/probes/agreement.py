"""How well answers agree with the labels, overall, by variant and by group, beside what people reach."""

from typing import Any

import numpy as np

from evaluation.probes.rates import COUNTS, TAIL, accuracy, count_table, divide, rate_metrics
from evaluation.probes.records import Evaluated
from evaluation.stats.estimates import Statistic, Sums
from evaluation.stats.paired_tests import kappa_of_counts
from evaluation.stats.panel import Floats

NO_ANSWERS = "No answer could be read."


def agree_by_variant(evaluated: Evaluated, sums: Sums, rate: str) -> list[dict[str, Any]]:
    """Of each variant that states something: accuracy, TPR, TNR and rate, with intervals, and kappa."""
    names = [evaluated.variants[at].name for at in evaluated.stated]
    metrics = rate_metrics(names, rate)
    rows = []
    for at, name in enumerate(names):
        shares: dict[str, Statistic] = {"accuracy": accuracy(at)}
        shares |= {key: metrics[f"{name}_{key}"] for key in ("tpr", "tnr", rate)}
        estimates = {
            key: sums.apply(statistic).estimate(len(evaluated.items), NO_ANSWERS, "item").as_json()
            for key, statistic in shares.items()
        }
        counts = sums.observed[0, at * len(COUNTS) : (at + 1) * len(COUNTS)]
        rows.append({"name": name, **estimates, "kappa": kappa_of_counts(*counts.tolist())})
    return rows


def agree_by_group(evaluated: Evaluated, rate: str) -> list[dict[str, Any]]:
    """Of each group of items, largest first: accuracy, TPR, TNR and rate of each variant, without intervals."""
    groups = np.array([item.group for item in evaluated.items])
    names, sizes = np.unique(groups, return_counts=True)
    rows = [_group(evaluated.only(np.flatnonzero(groups == name)), str(name), rate) for name in names if name]
    return sorted(rows, key=lambda row: (-row["items"], row["name"])) if len(sizes) else []


def _group(evaluated: Evaluated, name: str, rate: str) -> dict[str, Any]:
    names = [evaluated.variants[at].name for at in evaluated.stated]
    table, metrics = count_table(evaluated).sum(axis=0)[None, :], rate_metrics(names, rate)
    variants = {
        variant: {"accuracy": value(accuracy(at), table)}
        | {key: value(metrics[f"{variant}_{key}"], table) for key in ("tpr", "tnr", rate)}
        for at, variant in enumerate(names)
    }
    gap = value(metrics[f"max_diff_{rate}"], table)
    return {"name": name, "items": len(evaluated.items), f"max_diff_{rate}": gap, "variants": variants}


def agree_overall(evaluated: Evaluated, sums: Sums, ceiling: float | None) -> dict[str, Any]:
    """All variants together. `ceiling` is the agreement between people (Fleiss' kappa)."""
    table = sums.observed[0, :-TAIL].reshape(-1, len(COUNTS)).sum(axis=0)
    estimate = sums.apply(_accuracy).estimate(len(evaluated.items), NO_ANSWERS, "item")
    return {
        "accuracy": estimate.as_json(),
        "kappa": kappa_of_counts(*table.tolist()),
        "human_kappa": ceiling,
        "auc": _auc(evaluated),
    }


def _accuracy(sums: Floats) -> Floats:
    tp, tn, fp, fn = (sums[:, at : -TAIL : len(COUNTS)].sum(axis=1) for at in range(len(COUNTS)))
    return divide(tp + tn, tp + tn + fp + fn)


def _auc(evaluated: Evaluated) -> float | None:
    """The chance that a stressed text has the higher score; ties count half. None without scores."""
    if evaluated.scores is None:
        return None
    scores = np.array([_mean(row) for row in evaluated.scores[:, evaluated.stated]])
    is_scored = ~np.isnan(scores)
    labels, scores = evaluated.labels[is_scored], scores[is_scored]
    positive, negative = scores[labels], np.sort(scores[~labels])
    if not len(positive) or not len(negative):
        return None
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return float(below.sum() / (2 * len(positive) * len(negative)))


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def value(statistic: Statistic, table: Floats) -> float | None:
    result = float(statistic(table)[0])
    return None if np.isnan(result) else result
