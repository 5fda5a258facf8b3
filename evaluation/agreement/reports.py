"""Compute an agreement report from the counted judgements and store it. One at a time per corpus and batch."""

import time
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import numpy as np
from django.db import connection, transaction

from annotator.models import Annotator
from evaluation.agreement.codes.answers import Answers
from evaluation.agreement.codes.aspects import RATING_STEPS, presence_aspect, rating_aspect, value_aspects
from evaluation.agreement.judgements import JudgementArrays, counted_judgements, equivalent_answers
from evaluation.agreement.scopes import RESAMPLES, SEED, Scope, scope_state
from evaluation.agreement.scores import AgreementScores, Aspect, score_all
from evaluation.models import AgreementReport
from evaluation.stats.bootstrap import draw_weights
from evaluation.stats.panel import MISSING, Panel, build_panel
from evaluation.stats.signature import MIN_PROFILES, Signature
from profiles.attributes import CLOSED_LISTS, Attribute

LOCK_NAMESPACE = 7_311  # of our advisory locks in the database; the second number stands for the scope
FORMAT = 1  # of a stored report; readers accept older ones

Contents = dict[str, Any]


def make_report(scope: Scope) -> AgreementReport | None:
    """Return the newest report if nothing has changed, a new one otherwise, or None while another worker computes it.

    The lock ends with the transaction, so a killed worker leaves none behind.
    """
    began = time.monotonic()
    with transaction.atomic():
        if not _try_lock(scope):
            return None
        state = scope_state(scope)
        newest = AgreementReport.objects.in_scope(scope.corpus, scope.batch).first()
        if newest and newest.signature == str(state.signature):
            return newest
        contents = report_contents(scope, state.signature)
        return AgreementReport.objects.create(
            corpus=scope.corpus,
            batch=scope.batch,
            seconds=round(time.monotonic() - began, 2),
            counted_until=state.until,
            judgement_count=contents["judgements"],
            signature=str(state.signature),
            contents=contents,
        )


def report_contents(scope: Scope, signature: Signature) -> Contents:
    """The report as it is stored: numbers and codes, no text that anybody wrote. 3 queries."""
    judgements = counted_judgements(scope)
    panel = build_panel(judgements.profiles, judgements.annotators)
    weights = draw_weights(panel.size, RESAMPLES, np.random.default_rng(SEED))
    results = score_all(panel, _aspects(panel, judgements), weights, signature)
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


def lock_key(scope: Scope) -> int:
    return crc32(scope.name.encode()) & 0x7FFFFFFF


def _try_lock(scope: Scope) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [LOCK_NAMESPACE, lock_key(scope)])
        return bool(cursor.fetchone()[0])


def _aspects(panel: Panel, judgements: JudgementArrays) -> Iterator[Aspect]:
    equivalent = equivalent_answers()
    rows, columns = panel.positions(judgements.profiles, judgements.annotators)
    for index, attribute in enumerate(Attribute):
        chosen = np.flatnonzero((judgements.attributes == index) & (rows != MISSING))
        answers = Answers(panel, rows[chosen], columns[chosen], judgements.values[chosen], judgements.texts)
        yield presence_aspect(attribute, answers)
        yield from value_aspects(attribute, answers, equivalent.get(attribute, []))
        yield rating_aspect(attribute, "hardness", answers, judgements.hardness[chosen])
        yield rating_aspect(attribute, "certainty", answers, judgements.certainty[chosen])


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
