"""The report on one or more models: the file's own evaluation, the original rules and ours, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from evaluation.inference.answers import count_answers, describe_answers, describe_negatives, names_something
from evaluation.inference.calibration import StatedConfidence, calibrate
from evaluation.inference.cautions import comparison_cautions, find_cautions
from evaluation.inference.ceiling import HumanPair, measure_ceiling
from evaluation.inference.comparison import compare, correct_p_values
from evaluation.inference.compat import Variant, score_guesses
from evaluation.inference.costs import HumanTime, Usage, describe_costs
from evaluation.inference.details import describe_ages, describe_places
from evaluation.inference.differences import Scored, differences
from evaluation.inference.grades import Grade
from evaluation.inference.headlines import build_headlines
from evaluation.inference.named_answers import NamedAnswer, describe_named
from evaluation.inference.outcomes import Credits, Outcomes, build_outcomes
from evaluation.inference.protection import compare_protection, measure_protection
from evaluation.inference.published_figures import published_figures
from evaluation.inference.records import Case, PredictionFile
from evaluation.inference.scores import score
from evaluation.inference.settings import FORMAT, Settings
from evaluation.inference.sound import Decisions, Graded, grade
from evaluation.stats.bootstrap import Weights, draw_weights

SCORERS = ("published", "compat", "sound")
JUDGED = "judged"  # a fourth scorer, of runs that have a judge
VARIANTS = {"synthpai": Variant.SYNTHPAI, "llmprivacy": Variant.LLMPRIVACY}
NOTHING_TO_SCORE = "{name}: no label passes the filters ({filters})."
NOT_COMPARABLE = "{first} and {second} have no label in common. Check the names of the profiles."


class NothingToScore(Exception):
    """No case is left to score, with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the scorer `judged` says of the first file: credits of the scored cases, in their order, and by whom."""

    credits: Sequence[Credits]
    judge: Mapping[str, Any]  # as the report has it: model, prompt, verdicts


@dataclass(frozen=True, slots=True)
class Measurement:
    """A file with the credits and grades of every case that is scored."""

    file: PredictionFile
    scored: tuple[Scored, ...]
    grades: tuple[Grade, ...] = ()  # of first guesses; a case without one is wrong

    def outcomes(self, scorer: str) -> Outcomes:
        return build_outcomes([item.case for item in self.scored], [getattr(item, scorer) for item in self.scored])


def build_report(
    files: Sequence[PredictionFile],
    settings: Settings,
    code_version: str = "",
    *,
    decisions: Decisions | None = None,
    ceiling: Sequence[HumanPair] = (),
    usage: Usage | None = None,
    human_seconds: HumanTime | None = None,
    judged: Judged | None = None,
    cautions: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """The first file is “the” model; others are compared with it. Raises NothingToScore.

    `decisions` are what people decided about pairs of occupations. `ceiling` has what pairs of people said about the
    same profiles; `usage` is the first model's, `human_seconds` the evaluators' time. `judged` is by `score_cases`.
    `cautions` (`key`, `message`, `why`) come before those that the numbers call for.
    """
    measurements = [_measure(file, settings, decisions) for file in files]
    people = measure_ceiling(ceiling, settings, decisions)
    models = [
        _model(measurement, settings, decisions) | {"ceiling": people, "costs": None} for measurement in measurements
    ]
    if judged:
        models[0][JUDGED] = _judged_section(measurements[0], judged, settings)
    models[0]["costs"] = describe_costs(usage, human_seconds, files[0].profiles)
    comparisons = correct_p_values(
        [row for other in measurements[1:] for row in _comparisons(measurements[0], other, settings)]
    )
    return {
        "format": FORMAT,
        "version": code_version,
        "settings": settings.as_json(),
        "headline": build_headlines(models[0]),
        "warnings": [
            *map(dict, cautions), *find_cautions(models[0]), *comparison_cautions(comparisons, settings.bootstrap),
        ],
        **models[0],
        "published_figures": published_figures(files[0], settings),
        "others": models[1:],
        "comparisons": comparisons,
        "protection_differences": [
            row for other in measurements[1:] for row in _protection(measurements[0], other, settings)
        ],
    }  # fmt: skip


def scorers_of(model: Mapping[str, Any]) -> tuple[str, ...]:
    """The scorers that a model in a report has."""
    return (*SCORERS, JUDGED) if model.get(JUDGED) else SCORERS


def score_cases(file: PredictionFile, settings: Settings, decisions: Decisions | None = None) -> tuple[Scored, ...]:
    """The cases that are scored, as a judge needs them. Raises NothingToScore."""
    return _measure(file, settings, decisions).scored


def _measure(file: PredictionFile, settings: Settings, decisions: Decisions | None) -> Measurement:
    cases = [case for case in file.cases if settings.includes(case)]
    if not cases:
        filters = f"hardness {settings.min_hardness} to {settings.max_hardness}, "
        filters += f"certainty {settings.min_certainty} to {settings.max_certainty}"
        raise NothingToScore(NOTHING_TO_SCORE.format(name=file.name, filters=filters))
    verdicts = [_verdicts(case, decisions) for case in cases]
    scored = [_scored(case, row, VARIANTS[file.format]) for case, row in zip(cases, verdicts, strict=True)]
    first = tuple(row[0].grade if row else Grade.WRONG for row in verdicts)
    return Measurement(file, tuple(scored), first)


def _verdicts(case: Case, decisions: Decisions | None) -> tuple[Graded, ...]:
    return tuple(grade(case.attribute, guess, case.label.value, decisions=decisions) for guess in case.guesses)


def _scored(case: Case, verdicts: Sequence[Graded], variant: Variant) -> Scored:
    sound = tuple(verdict.grade.credit for verdict in verdicts)
    codes = tuple(verdict.rule.value for verdict in verdicts)
    return Scored(case, case.published, score_guesses(case, variant), sound, codes)


def _model(measurement: Measurement, settings: Settings, decisions: Decisions | None) -> dict[str, Any]:
    file, variant = measurement.file, VARIANTS[measurement.file.format]
    cases = [item.case for item in measurement.scored]
    return {
        "signature": str(settings.signature(file, decisions).prefixed(metric="attributes", compat=variant.value)),
        "input": _input(file),
        "answers": count_answers(cases),
        "answer_rates": describe_answers(cases, settings),
        "negatives": describe_negatives(file.cases, settings),
        "named": describe_named(_named(measurement), settings),
        "calibration": _calibration(measurement, settings),
        "ages": describe_ages(measurement.scored, settings),
        "places": describe_places(measurement.scored, measurement.grades),
        **_sections(measurement, settings, variant),
        "differences": differences(measurement.scored, variant),
    }


def _input(file: PredictionFile) -> dict[str, Any]:
    names = ("name", "sha256", "format", "model", "reviewer", "profiles")
    labels = sum(not case.label.is_negative for case in file.cases)
    problems = [asdict(problem) for problem in file.problems]
    return {name: getattr(file, name) for name in names} | {"labels": labels, "problems": problems}


def _sections(measurement: Measurement, settings: Settings, variant: Variant) -> dict[str, Any]:
    outcomes = {scorer: measurement.outcomes(scorer) for scorer in SCORERS}
    rng = np.random.default_rng(settings.seed)
    weights = draw_weights(outcomes["sound"].unit_count, settings.bootstrap, rng)
    sections = {scorer: _scores(outcomes[scorer], weights) for scorer in SCORERS}
    sections["published"]["unscored"] = int((~outcomes["published"].is_scored).sum())
    sections["compat"]["variant"] = variant.value
    sections["sound"]["grades"] = {member.value: measurement.grades.count(member) for member in Grade}
    return sections


def _judged_section(measurement: Measurement, judged: Judged, settings: Settings) -> dict[str, Any]:
    """On the same resamples as the other scorers."""
    scored = tuple(
        replace(item, judged=credit) for item, credit in zip(measurement.scored, judged.credits, strict=True)
    )
    outcomes = replace(measurement, scored=scored).outcomes(JUDGED)
    weights = draw_weights(outcomes.unit_count, settings.bootstrap, np.random.default_rng(settings.seed))
    return _scores(outcomes, weights) | {"judge": dict(judged.judge)}


def _scores(outcomes: Outcomes, weights: Weights) -> dict[str, Any]:
    protection = measure_protection(outcomes.table(), weights)
    return score(outcomes, weights).as_json() | {"protection": protection.as_json()}


def _named(measurement: Measurement) -> list[NamedAnswer]:
    """What the model named where people could tell, by the filters, and where they could not."""
    pairs = [(item.case, grade) for item, grade in zip(measurement.scored, measurement.grades, strict=True)]
    graded: list[tuple[Case, Grade | None]] = [*pairs]
    graded += [(case, None) for case in measurement.file.cases if case.label.is_negative]
    return [NamedAnswer(case.profile, grade, case.confidence) for case, grade in graded if names_something(case)]


def _calibration(measurement: Measurement, settings: Settings) -> dict[str, Any]:
    graded = zip(measurement.scored, measurement.grades, strict=True)
    named = [(item.case, grade) for item, grade in graded if names_something(item.case)]
    stated = [
        StatedConfidence(case.profile, case.confidence, grade.credit == 1)
        for case, grade in named
        if case.confidence is not None
    ]
    return calibrate(stated, len(named), settings)


# ── Two models ──────────────────────────────────────────────────────────────


def _comparisons(first: Measurement, second: Measurement, settings: Settings) -> list[dict[str, Any]]:
    left, right = _shared(first, second)
    rng = np.random.default_rng(settings.seed)
    names = {"first": _title(first.file), "second": _title(second.file)}
    rows = []
    for scorer in SCORERS:
        outcomes = left.outcomes(scorer), right.outcomes(scorer)
        weights = draw_weights(outcomes[0].unit_count, settings.bootstrap, np.random.default_rng(settings.seed))
        rows += [{**names, "scorer": scorer, **row.as_json()} for row in compare(*outcomes, weights, rng)]
    return rows


def _protection(first: Measurement, second: Measurement, settings: Settings) -> list[dict[str, Any]]:
    left, right = _shared(first, second)
    names = {"first": _title(first.file), "second": _title(second.file)}
    rows = []
    for scorer in SCORERS:
        outcomes = left.outcomes(scorer), right.outcomes(scorer)
        weights = draw_weights(outcomes[0].unit_count, settings.bootstrap, np.random.default_rng(settings.seed))
        rows.append({**names, "scorer": scorer, **compare_protection(*outcomes, weights).as_json()})
    return rows


def _shared(first: Measurement, second: Measurement) -> tuple[Measurement, Measurement]:
    """Both on the cases that both have, in the same order. Raises NothingToScore if there are none."""
    left, right = ({(item.case.profile, item.case.attribute): item for item in side.scored} for side in (first, second))
    keys = sorted(left.keys() & right.keys())
    if not keys:
        names = {"first": first.file.name, "second": second.file.name}
        raise NothingToScore(NOT_COMPARABLE.format(**names))
    return (
        Measurement(first.file, tuple(left[key] for key in keys)),
        Measurement(second.file, tuple(right[key] for key in keys)),
    )


def _title(file: PredictionFile) -> str:
    return f"{file.model} ({file.name})"
