"""From guesses to the report: one probe for each attribute, and a summary over all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evaluation.inference.records import Label
from evaluation.probes.gold import ATTRIBUTES, NAME, TITLE, VARIANTS, probe_of
from evaluation.probes.gold.codes import code_guess, count_changes
from evaluation.probes.probe import CONTROL
from evaluation.probes.records import Attempt, Evaluated, Item
from evaluation.probes.report import NothingToMeasure, Subject, build_report
from evaluation.probes.settings import ProbeSettings
from evaluation.stats.paired_tests import holm

FORMAT = "telltale.probe-set/1"
METRIC = "max_diff_correct_rate"
NO_VALUES = "No profile has a gold value of an attribute that is asked about."

Guesses = Mapping[Attempt, Mapping[str, str | None]]


@dataclass(frozen=True, slots=True)
class GoldItem:
    """A profile as the report knows it, without its texts."""

    pseudonym: str
    labels: Mapping[str, Label]


@dataclass(slots=True)
class GuessTable:
    """First guesses by attempt and attribute. An attempt without an answer isn't there."""

    guesses: dict[Attempt, dict[str, str | None]] = field(default_factory=dict)
    problems: dict[str, int] = field(default_factory=dict)


def measure_gold(
    profiles: Sequence[GoldItem], table: GuessTable, settings: ProbeSettings, *, system: str, corpus: str,
    prompt: str, version: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Raises NothingToMeasure if no profile has a value to compare with."""
    signature = str(settings.signature(probe=NAME, system=system, data=corpus, template=prompt, duplicates="keep"))
    subject = Subject(system, "model", signature, version, table.problems)
    reports = {
        attribute: report
        for attribute in ATTRIBUTES
        if (report := _measure(profiles, table.guesses, settings, attribute, subject))
    }
    if not reports:
        raise NothingToMeasure(NO_VALUES)
    rows = _summary(reports)
    return {
        "format": FORMAT,
        "version": version,
        "probe": NAME,
        "name": f"{TITLE}, {system}",
        "system": {"name": system, "kind": "model"},
        "settings": settings.as_json(),
        "inputs": {"corpus": corpus, "profiles": len(profiles), "prompt": prompt},
        "summary": rows,
        "headline": _headline(rows),
        "attributes": reports,
        "signature": signature,
    }


def _measure(
    profiles: Sequence[GoldItem], guesses: Guesses, settings: ProbeSettings, attribute: str, subject: Subject
) -> dict[str, Any] | None:
    """Over profiles that have a value. What the gold says about their sex sets profiles apart."""
    rows = [
        at for at, profile in enumerate(profiles) if attribute in profile.labels and profile.labels[attribute].value
    ]
    if not rows:
        return None
    variants = (*VARIANTS, CONTROL) if settings.has_control else VARIANTS
    shape = (len(rows), len(variants), settings.repetitions)
    tables = [
        [[guesses.get(Attempt(row, column, repetition), {}).get(attribute) for repetition in range(shape[2])]
         for column in range(shape[1])]
        for row in rows
    ]  # fmt: skip
    values = [profiles[row].labels[attribute].value for row in rows]
    codes = np.array(
        [
            [[code_guess(guess, attribute, value) for guess in repeated] for repeated in by_variant]
            for by_variant, value in zip(tables, values, strict=True)
        ],
        np.int8,
    )
    missing = sum(
        Attempt(row, column, repetition) not in guesses
        for row in rows for column in range(shape[1]) for repetition in range(shape[2])
    )  # fmt: skip
    items = tuple(Item(profiles[row].pseudonym, "", True, disclosure=_sex(profiles[row])) for row in rows)
    evaluated = Evaluated(items, variants, codes, unanswered=missing)
    report = build_report(probe_of(attribute), evaluated, settings, subject, {})
    report["beyond"]["guesses"] = count_changes([by_variant[: len(VARIANTS)] for by_variant in tables], attribute)
    return report


def _sex(profile: GoldItem) -> str:
    return profile.labels["sex"].value.lower() if "sex" in profile.labels else ""


def _summary(reports: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each attribute. `p_holm` is corrected for the number of attributes."""
    corrected = holm([report["noise_floor"][METRIC]["p"] for report in reports.values()])
    return [
        {
            "attribute": attribute,
            "profiles": report["attempts"]["items"],
            "rates": {row["name"]: row["correct_rate"]["value"] for row in report["beyond"]["by_variant"]},
            METRIC: report["metrics"][METRIC],
            "noise_floor": report["noise_floor"][METRIC],
            "p_holm": p_holm,
            "guesses": report["beyond"]["guesses"],
            "does_task": report["verdict"]["does_task"],
        }
        for (attribute, report), p_holm in zip(reports.items(), corrected, strict=True)
    ]


def _headline(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The attribute with the smallest p-value first."""
    ordered = sorted(rows, key=lambda row: 1.0 if row["p_holm"] is None else row["p_holm"])
    return [
        {
            "label": f"Gap in {row['attribute'].replace('_', ' ')}", "value": row[METRIC], "low": None, "high": None,
            "reason": row["noise_floor"]["reason"], "note": _note(row), "is_share": True,
        }
        for row in ordered[:4]
    ]  # fmt: skip


def _note(row: Mapping[str, Any]) -> str:
    mean, p = row["noise_floor"]["mean"], row["p_holm"]
    return "" if mean is None or p is None else f"by chance {100 * mean:.1f} %, p {p:.3f}"
