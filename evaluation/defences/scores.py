"""The report on defences: the same attack on the same profiles before and after each, and what is left of the text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from annotator.core.formatting import number, plural
from evaluation.defences.attack_measures import AttackMeasures
from evaluation.defences.cautions import find_cautions
from evaluation.defences.headlines import build_headlines
from evaluation.defences.recipes import EVIDENT, Method
from evaluation.defences.records import DefenceInput, DefenceStudy
from evaluation.defences.text_measures import TextMeasures, describe_changes
from evaluation.inference.report import NothingToScore
from evaluation.inference.settings import DIGEST_LENGTH, plain_name
from evaluation.stats.bootstrap import draw_weights
from evaluation.stats.signature import Signature

FORMAT = 1
VERSION = 2  # of the definitions of the measures; increase it whenever one changes
NO_PROFILES = "There are no profiles to attack."
INCOMPLETE = "{title}: {answered} of {profiles} answered, so it is not scored. {reason}"
MEASURES = (
    "changed", "scores", "difference", "protection", "protection_difference", "linkage", "groups", "utility",
    "rewriting", "still_inferable",
)  # fmt: skip

Json = dict[str, Any]


def build_defence_report(study: DefenceStudy, defences: Sequence[DefenceInput]) -> Json:
    """The first defence is “none”, and complete. Others that are incomplete are named, but not scored.

    Raises NothingToScore if there is no profile, and ValueError if the defences don't belong together.
    """
    if not study.profiles:
        raise NothingToScore(NO_PROFILES)
    _check(study, defences)
    complete = [defence for defence in defences if _is_complete(study, defence)]
    measured = dict(zip((defence.recipe.key for defence in complete), _measure(study, complete), strict=True))
    report: Json = {
        "format": FORMAT,
        "version": study.version,
        "signature": str(_signature(study, defences)),
        "settings": study.settings.as_json(),
        "threat": study.attack.as_json(),
        "gold": _gold(study, defences[0]),
        "population": _population(study),
        "detector": dict(study.detector) if study.detector else None,
        "defences": [
            _describe(study, defence) | measured.get(defence.recipe.key, dict.fromkeys(MEASURES))
            for defence in defences
        ],
        "costs": dict(study.costs) if study.costs else None,
        "missing": [_missing(study, defence) for defence in defences if not _is_complete(study, defence)],
    }
    return report | {"headline": build_headlines(report), "warnings": find_cautions(report)}


def _check(study: DefenceStudy, defences: Sequence[DefenceInput]) -> None:
    keys = Counter(defence.recipe.key for defence in defences)
    if not defences or defences[0].recipe.method is not Method.NONE or not _is_complete(study, defences[0]):
        raise ValueError("The first defence must be “none”, and complete.")
    if repeated := [key for key, count in keys.items() if count > 1]:
        raise ValueError(f"Defences with the same key: {', '.join(repeated)}.")


def _is_complete(study: DefenceStudy, defence: DefenceInput) -> bool:
    return defence.answered >= len(study.profiles)


def _measure(study: DefenceStudy, defences: Sequence[DefenceInput]) -> list[Json]:
    """All from the same resamples of profiles, so that differences are paired."""
    rng = np.random.default_rng(study.settings.seed)
    weights = draw_weights(len(study.profiles), study.settings.bootstrap, rng)
    texts = TextMeasures.of(study, defences, weights)
    attacks = [AttackMeasures.of(study, defence, weights) for defence in defences]
    if any(attack.keys != attacks[0].keys for attack in attacks):
        raise ValueError("All defences need the same pairs of profile and attribute.")
    return [
        _attack_measures(study, attack, attacks[0])
        | {
            "changed": describe_changes(study, defence),
            "linkage": texts.linkage(at),
            "utility": texts.utility(at),
            "rewriting": defence.rewriting.as_json() if defence.rewriting else None,
        }
        for at, (defence, attack) in enumerate(zip(defences, attacks, strict=True))
    ]


def _attack_measures(study: DefenceStudy, attack: AttackMeasures, undefended: AttackMeasures) -> Json:
    is_first = attack is undefended
    return {
        "scores": attack.scores(),
        "difference": None if is_first else attack.difference(undefended, study.settings.seed),
        "protection": attack.protection(),
        "protection_difference": None if is_first else attack.protection_difference(undefended),
        "groups": attack.groups(study.population) if study.population else None,
        "still_inferable": attack.still_inferable(undefended),
    }


def _describe(study: DefenceStudy, defence: DefenceInput) -> Json:
    recipe = defence.recipe
    return {
        "key": recipe.key,
        "title": recipe.title,
        "recipe": recipe.as_json(),
        "digest": recipe.digest,
        "state": "complete" if _is_complete(study, defence) else "incomplete",
        "answered": defence.answered,
        "profiles": len(study.profiles),
    }


def _gold(study: DefenceStudy, undefended: DefenceInput) -> Json:
    labels = sum(study.settings.includes(case) for case in undefended.cases)
    return {
        "scope": study.scope,
        "sha256": study.gold_sha256,
        "profiles": len(study.profiles),
        "labels": labels,
    }


def _population(study: DefenceStudy) -> Json | None:
    population = study.population
    if population is None:
        return None
    return {"attributes": list(population.attributes), "people": population.total, "sha256": population.digest}


def _missing(study: DefenceStudy, defence: DefenceInput) -> str:
    profiles = plural(len(study.profiles), "profile")
    answered, reason = number(defence.answered), defence.reason
    return INCOMPLETE.format(title=defence.recipe.title, answered=answered, profiles=profiles, reason=reason).strip()


def _signature(study: DefenceStudy, defences: Sequence[DefenceInput]) -> Signature:
    settings = study.settings
    return Signature.of(
        metric="defence",
        gold=f"{plain_name(study.scope)}@{study.gold_sha256[:DIGEST_LENGTH]}",
        **_attack_fields(study.attack.signature),
        defences=",".join(f"{defence.recipe.key}@{defence.recipe.digest}" for defence in defences),
        evidence=_evidence(study, defences),
        population=study.population.digest[:DIGEST_LENGTH] if study.population else "none",
        texts=study.texts_sha256[:DIGEST_LENGTH],
        candidates=len(study.profiles) + len(study.others),
        scorer="sound",
        decisions=f"{len(study.decisions)}@{study.decisions_sha256[:DIGEST_LENGTH]}" if study.decisions else "none",
        hardness=f"{settings.min_hardness}-{settings.max_hardness}",
        certainty=f"{settings.min_certainty}-{settings.max_certainty}",
        missing=settings.missing.value,
        bootstrap=settings.bootstrap,
        seed=settings.seed,
        version=VERSION,
    )


def _evidence(study: DefenceStudy, defences: Sequence[DefenceInput]) -> str:
    """What evidence masks isn't part of gold's digest."""
    is_used = any(defence.recipe.source in EVIDENT for defence in defences)
    return study.evidence_sha256[:DIGEST_LENGTH] if is_used else "none"


def _attack_fields(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: plain_name(value) for name, value in fields.items()}
