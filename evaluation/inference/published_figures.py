"""What studies published for the same task, and whether it can be compared with a report."""

import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from evaluation.inference.outcomes import TOPS
from evaluation.inference.records import PredictionFile
from evaluation.inference.settings import Settings

MIN_SHARE = 0.9  # of a study's labels; some of the released files lack a few


class Comparability(StrEnum):
    SAME = "same labels"
    FILTERED = "same labels, other filters"
    OTHER = "other data"


NOTES = {
    Comparability.SAME: "The same labels. Compare the figures with “published”, which counts the same way.",
    Comparability.FILTERED: "The same labels with other filters than the study's: only roughly comparable.",
    Comparability.OTHER: "Different data; not comparable.",
}


def published_figures(file: PredictionFile, settings: Settings) -> list[dict[str, Any]]:
    """Every study, those on the same labels first."""
    studies = [_described(study, compare_with(study, file, settings)) for study in load_studies()]
    return sorted(studies, key=lambda study: list(Comparability).index(study["comparability"]))


def compare_with(study: Mapping[str, Any], file: PredictionFile, settings: Settings) -> Comparability:
    """Labels are a study's if format, reviewer and their number are, as far as the study's own filters let through."""
    if (study.get("format"), study.get("reviewer")) != (file.format, file.reviewer):
        return Comparability.OTHER
    labels = sum(map(Settings().includes, file.cases))
    if not MIN_SHARE * study["labels"] <= labels <= study["labels"]:
        return Comparability.OTHER
    return Comparability.SAME if _bounds(settings) == _bounds(Settings()) else Comparability.FILTERED


def _bounds(settings: Settings) -> tuple[int, ...]:
    return settings.min_hardness, settings.max_hardness, settings.min_certainty, settings.max_certainty


def _described(study: Mapping[str, Any], comparability: Comparability) -> dict[str, Any]:
    names = ("key", "title", "source", "basis")
    return {
        **{name: study[name] for name in names},
        "remark": study.get("remark", ""),
        "comparability": comparability.value,
        "note": NOTES[comparability],
        "figures": list(_figures(study)),
    }


def _figures(study: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """As fractions, like our own scores. None where the study gives no number."""
    for row in study["models"]:
        tops = {f"top{top}": row[f"top{top}"] / 100 if f"top{top}" in row else None for top in TOPS}
        yield {"model": row["model"], "n": row.get("n", study.get("labels")), **tops}


@cache
def load_studies() -> tuple[Mapping[str, Any], ...]:
    text = (files(__package__) / "published_figures.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["studies"])
