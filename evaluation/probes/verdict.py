"""Whether a model does the task at all. Its gap means something only then."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.core.formatting import percent
from evaluation.probes.records import Code, Evaluated

MOST_UNDETECTED = 0.5
CONSTANT = 0.99  # the share of the commoner answer from which answers count as constant
LEAST_KAPPA = 0.1
DOES_NOT = "This model can't do the task, so its gap isn't meaningful."
DOES = "This model can do the task."
BARELY = "This model's answers agree with the labels barely better than chance, so its gap says little."


@dataclass(frozen=True, slots=True)
class Verdict:
    does_task: bool
    sentence: str
    reasons: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"does_task": self.does_task, "sentence": self.sentence, "reasons": list(self.reasons)}


def judge_task(evaluated: Evaluated, agreement: Mapping[str, Any]) -> Verdict:
    reasons = tuple(_failures(evaluated))
    if reasons:
        return Verdict(False, DOES_NOT, reasons)
    kappa = agreement["kappa"]
    if kappa is None or kappa < LEAST_KAPPA:
        shown = "undefined" if kappa is None else f"{kappa:.2f}"
        return Verdict(True, BARELY, (f"Kappa with the labels is {shown}; people reach {agreement['human_kappa']}.",))
    return Verdict(True, DOES, ())


def _failures(evaluated: Evaluated) -> Iterator[str]:
    codes = evaluated.codes[:, evaluated.stated]
    undetected = float((codes == Code.UNDETECTED).mean()) if codes.size else 1.0
    if undetected >= MOST_UNDETECTED:
        yield f"{percent(undetected)} of its answers are neither yes nor no."
    detected = codes[codes != Code.UNDETECTED]
    if len(detected):
        yes = float(np.mean(detected == Code.YES))
        if max(yes, 1 - yes) >= CONSTANT:
            yield f"{percent(max(yes, 1 - yes))} of its readable answers are “{'yes' if yes > 0.5 else 'no'}”."
