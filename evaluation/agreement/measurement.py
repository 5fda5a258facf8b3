"""From the judgements that count to everything that is said about agreement."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from annotator.models import Annotator
from evaluation.agreement.codes.answers import Answers
from evaluation.agreement.codes.lines import STEPS, presence_line, rating_line, value_lines
from evaluation.agreement.judgements import Judged, counted_judgements, decided_the_same
from evaluation.agreement.report import Found, Line, measure_all
from evaluation.agreement.scopes import Scope
from evaluation.stats.bootstrap import draw
from evaluation.stats.panel import NOBODY, Panel, seat
from evaluation.stats.signature import Signature
from profiles.attributes import CLOSED_LISTS, Attribute

FORMAT = 1  # of what is kept; a reader accepts older ones

Contents = dict[str, Any]


def measure(scope: Scope, signature: Signature) -> Contents:
    """Everything as it is kept: numbers and codes, nothing that anybody wrote. 3 queries."""
    judged = counted_judgements(scope)
    panel = seat(judged.profiles, judged.people)
    weights = draw(panel.size, signature.resamples, np.random.default_rng(signature.seed))
    found = measure_all(panel, _lines(panel, judged), weights, signature)
    return {
        "format": FORMAT,
        "scope": signature.scope,
        "signature": str(signature),
        "least_profiles": signature.least_profiles,
        "resamples": signature.resamples,
        "judgements": len(judged.profiles),
        "profiles": panel.size,
        "people": len(np.unique(panel.seats[panel.seats != NOBODY])),
        **_kept(found),
    }


def _lines(panel: Panel, judged: Judged) -> Iterator[Line]:
    decided = decided_the_same()
    places = panel.places(judged.profiles, judged.people)
    for number, attribute in enumerate(Attribute):
        chosen = np.flatnonzero((judged.attributes == number) & (places[0] != NOBODY))
        answers = Answers(panel, places[0][chosen], places[1][chosen], judged.values[chosen], judged.texts)
        yield presence_line(attribute, answers)
        yield from value_lines(attribute, answers, decided.get(attribute, []))
        yield rating_line(attribute, "hardness", answers, judged.hardness[chosen])
        yield rating_line(attribute, "certainty", answers, judged.certainty[chosen])


def _kept(found: Found) -> Contents:
    codes = dict(Annotator.objects.values_list("pk", "code"))
    return {
        "figures": [
            {"attribute": attribute, "aspect": aspect, "measure": str(measure), **figure.as_json()}
            for (attribute, aspect, measure), figure in found.figures.items()
        ],
        "confusions": [
            {
                "attribute": attribute,
                "aspect": aspect,
                "codes": _codes(Attribute(attribute), aspect),
                "pairs": table.tolist(),
                "far_apart": found.far_apart[attribute, aspect],
            }
            for (attribute, aspect), table in found.confusions.items()
        ],
        "pairs": {
            aspect: [pair.as_json(codes[pair.one], codes[pair.other]) for pair in pairs]
            for aspect, pairs in found.pairs.items()
        },
    }


def _codes(attribute: Attribute, aspect: str) -> list[str]:
    if aspect == "presence":
        return ["nothing", "something"]
    return CLOSED_LISTS[attribute].values if aspect == "value" else [str(step + 1) for step in range(STEPS)]
