"""Score systems on gold with every definition in one run. `evaluate` returns the report that all outputs show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.spans.alignment import Alignment, align, scored_ids
from evaluation.spans.cautions import find_cautions
from evaluation.spans.comparison import compare
from evaluation.spans.errors.lists import suspect_gold
from evaluation.spans.inputs import (
    describe_gold,
    describe_system,
    gold_types,
    scored_types,
    unique_names,
    unknown_labels,
)
from evaluation.spans.problems import group_problems
from evaluation.spans.records import SpanFile
from evaluation.spans.settings import FORMAT, VERSION, Settings
from evaluation.spans.study import phase1_scheme
from evaluation.spans.system_scores import SystemScores, score_system
from evaluation.spans.tables import TooManyOverlaps
from evaluation.stats.bootstrap import Weights, draw_weights

Report = dict[str, Any]
Tell = Callable[[int, int], None]  # done, total


class NothingToScore(Exception):
    """There is no document to score, or more than can be compared. The sentence says why, and what to do."""


IN_PARTS = "Look for thousands of nested spans, or score the documents in parts."


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    gold: SpanFile
    systems: Sequence[SpanFile]
    names: Sequence[str]
    settings: Settings
    alignments: Sequence[Alignment]
    phase1: Sequence[Alignment]  # with the labels of the study's first script
    weights: Weights


def evaluate(
    gold: SpanFile,
    systems: Sequence[SpanFile],
    settings: Settings | None = None,
    *,
    code_version: str = "",
    tell: Tell = lambda done, total: None,
) -> Report:
    """Score each system, and compare the first one with the others. Raises NothingToScore."""
    run = _prepare(gold, systems, settings or Settings())
    try:
        scores = _score_systems(run, tell)
    except TooManyOverlaps as error:
        raise NothingToScore(f"{error} {IN_PARTS}") from error
    comparisons = _compare(run, scores)
    tell(len(systems), len(systems))
    results = _results(run, scores)
    head = _head(run, scores[0], code_version)
    return {**head, "compat": results[0]["compat"], "results": results, "comparisons": comparisons}


def _prepare(gold: SpanFile, systems: Sequence[SpanFile], settings: Settings) -> _Run:
    if not systems:
        raise NothingToScore("There are no predictions to score.")
    ids = scored_ids(gold, systems, settings.missing)
    if not ids:
        raise NothingToScore(
            "The gold file has no documents." if not gold.documents else "No document is in all of the files."
        )
    alignments, phase1 = (
        [align(gold, system, scheme, ids) for system in systems]
        for scheme in (settings.scheme, phase1_scheme(settings.scheme))
    )
    weights = draw_weights(len(ids), settings.bootstrap, np.random.default_rng(settings.seed))
    return _Run(gold, systems, unique_names(systems), settings, alignments, phase1, weights)


def _score_systems(run: _Run, tell: Tell) -> list[SystemScores]:
    scores = []
    for number, (alignment, phase1) in enumerate(zip(run.alignments, run.phase1, strict=True)):
        tell(number, len(run.systems))
        scores.append(score_system(alignment, phase1, run.settings, run.weights))
    return scores


def _head(run: _Run, scores: SystemScores, code_version: str) -> Report:
    problems = _problems(run)
    alignment = run.alignments[0]
    cautions = find_cautions(
        strict=scores.strict,
        relaxed=scores.relaxed,
        gold_types=scored_types(gold_types(alignment), run.settings),
        documents=len(alignment.documents),
        shared_documents=alignment.shared_documents,
        has_texts=alignment.has_texts,
        problems=problems,
    )
    return {
        "format": FORMAT,
        "signature": str(run.settings.signature(run.gold, run.systems[0])),
        "definitions_version": VERSION,
        "version": code_version,
        "settings": run.settings.as_json(),
        "gold": describe_gold(run.gold, alignment, run.settings),
        "systems": [_system(run, number) for number in range(len(run.systems))],
        "problems": problems,
        "warnings": cautions,
    }


def _system(run: _Run, number: int) -> Report:
    described = describe_system(run.systems[number], run.alignments[number])
    signature = str(run.settings.signature(run.gold, run.systems[number]))
    return described | {"name": run.names[number], "signature": signature}


def _problems(run: _Run) -> list[dict[str, Any]]:
    problems = group_problems("gold", run.gold.problems, run.settings.missing)
    for name, system, alignment in zip(run.names, run.systems, run.alignments, strict=True):
        of_system = [*system.problems, *alignment.problems, *unknown_labels(alignment)]
        problems += group_problems(name, of_system, run.settings.missing)
    return problems


def _results(run: _Run, scores: Sequence[SystemScores]) -> list[Report]:
    suspects = suspect_gold(run.alignments[0].documents, limit=0).as_json()
    return [
        {"system": name, **of_system.contents, "suspects": suspects}
        for name, of_system in zip(run.names, scores, strict=True)
    ]


def _compare(run: _Run, scores: Sequence[SystemScores]) -> list[Report]:
    """The first system against each other one, on the same documents and the same resamples."""
    first, *others = zip(run.names, [of_system.tally for of_system in scores], strict=True)
    rng = np.random.default_rng(run.settings.seed)
    return [comparison.as_json() for other in others for comparison in compare(first, other, run.weights, rng)]
