"""Compute an agreement report from the counted judgements and store it, one at a time per scope."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from annotator.models import Annotator
from evaluation.agreement.codes.answers import Answers
from evaluation.agreement.codes.aspects import RATING_STEPS, presence_aspect, rating_aspect, value_aspects
from evaluation.agreement.judgements import JudgementArrays, counted_judgements, equivalent_answers
from evaluation.agreement.scopes import RESAMPLES, SEED, Scope, scope_state
from evaluation.agreement.scores import AgreementScores, Aspect, score_all
from evaluation.models import AgreementJob, AgreementReport
from evaluation.stats.bootstrap import draw_weights
from evaluation.stats.panel import MISSING, Panel, build_panel
from evaluation.stats.signature import MIN_PROFILES, Signature
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.jobs.claims import JobLost, NotFree
from profiles.jobs.heartbeat import Heartbeat, work_on

BROKE = "Agreement couldn’t be computed because of a server error; the details are in the log."
FORMAT = 1  # of stored reports; readers accept older ones

Contents = dict[str, Any]
Tell = Callable[[int, int], object]


def make_report(scope: Scope) -> AgreementReport | None:
    """Return the newest report if nothing has changed, otherwise a new one. None while another worker computes it."""
    columns = {"corpus": scope.corpus, "batch": scope.batch}
    AgreementJob.objects.bulk_create([AgreementJob(**columns)], ignore_conflicts=True)
    job = AgreementJob.objects.get(**columns)
    with suppress(NotFree, JobLost), work_on(job, broke=BROKE, again=True, done=0, total=len(Attribute)) as heartbeat:
        return _current_report(scope, heartbeat)
    return None


def _current_report(scope: Scope, heartbeat: Heartbeat[AgreementJob]) -> AgreementReport:
    began, state = time.monotonic(), scope_state(scope)
    newest = AgreementReport.objects.in_scope(scope.corpus, scope.batch).first()
    if newest and newest.signature == str(state.signature):
        return newest
    contents = report_contents(scope, state.signature, heartbeat.tell)
    heartbeat.check()  # whoever took over stores its own
    return AgreementReport.objects.create(
        corpus=scope.corpus,
        batch=scope.batch,
        seconds=round(time.monotonic() - began, 2),
        counted_until=state.until,
        judgement_count=contents["judgements"],
        signature=str(state.signature),
        contents=contents,
    )


def report_contents(scope: Scope, signature: Signature, tell: Tell = lambda done, total: None) -> Contents:
    """The report as stored: numbers and codes, without any text that people wrote. 3 queries."""
    judgements = counted_judgements(scope)
    panel = build_panel(judgements.profiles, judgements.annotators)
    weights = draw_weights(panel.size, RESAMPLES, np.random.default_rng(SEED))
    results = score_all(panel, _aspects(panel, judgements, tell), weights, signature)
    return {
        "format": FORMAT,
        "scope": scope.name,
        "signature": str(signature),
        "least_profiles": MIN_PROFILES,
        "resamples": RESAMPLES,
        "judgements": len(judgements.profiles),
        "profiles": panel.size,
        "people": len(np.unique(panel.annotators[panel.annotators != MISSING])),
        **_scores_as_json(results),
    }


def _aspects(panel: Panel, judgements: JudgementArrays, tell: Tell) -> Iterator[Aspect]:
    """All aspects, attribute by attribute. `tell` gets the number of attributes that are done."""
    equivalent = equivalent_answers()
    rows, columns = panel.positions(judgements.profiles, judgements.annotators)
    for index, attribute in enumerate(Attribute):
        chosen = np.flatnonzero((judgements.attributes == index) & (rows != MISSING))
        answers = Answers(panel, rows[chosen], columns[chosen], judgements.values[chosen], judgements.texts)
        yield presence_aspect(attribute, answers)
        yield from value_aspects(attribute, answers, equivalent.get(attribute, []))
        yield rating_aspect(attribute, "hardness", answers, judgements.hardness[chosen])
        yield rating_aspect(attribute, "certainty", answers, judgements.certainty[chosen])
        tell(index + 1, len(Attribute))


def _scores_as_json(results: AgreementScores) -> Contents:
    codes = dict(Annotator.objects.values_list("pk", "code"))
    return {
        "figures": [
            {"attribute": attribute, "aspect": aspect, "measure": str(metric), **score.as_json()}
            for (attribute, aspect, metric), score in results.scores.items()
        ],
        "confusions": [
            {
                "attribute": attribute,
                "aspect": aspect,
                "codes": _code_names(Attribute(attribute), aspect),
                "pairs": table.tolist(),
                "far_apart": results.distant[attribute, aspect],
            }
            for (attribute, aspect), table in results.confusions.items()
        ],
        "pairs": {
            aspect: [pair.as_json(codes[pair.first], codes[pair.second]) for pair in pairs]
            for aspect, pairs in results.pairs.items()
        },
    }


def _code_names(attribute: Attribute, aspect: str) -> list[str]:
    if aspect == "presence":
        return ["nothing", "something"]
    return CLOSED_LISTS[attribute].values if aspect == "value" else [str(step + 1) for step in range(RATING_STEPS)]
