"""The state of a finished probe as GenderBench logs it: `from_log_file` reads it back.

Ids are made from the contents, so that the same run gives the same file. GenderBench has no control prompt, so that its
answers are left out. The log quotes texts and answers.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from evaluation.probes.probe import LETTERS, Probe
from evaluation.probes.questions import build_prompt
from evaluation.probes.records import Attempt, Code, Evaluated
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.templates import Template

SPACE = uuid5(NAMESPACE_URL, "telltale:probe")
EVALUATIONS = {Code.YES: "yes", Code.NO: "no", Code.UNDETECTED: None}


def log_line(
    probe: Probe, evaluated: Evaluated, report: Mapping[str, Any], template: Template, settings: ProbeSettings
) -> str:
    """One line of JSON in ASCII. Undefined values are NaN, as GenderBench writes them."""
    return "".join(log_parts(probe, evaluated, report, template, settings))


def log_parts(
    probe: Probe, evaluated: Evaluated, report: Mapping[str, Any], template: Template, settings: ProbeSettings
) -> Iterator[str]:
    """The same line item by item: all items together can take hundreds of megabytes."""
    run = uuid5(SPACE, report["signature"])
    state = {
        "uuid": str(run),
        "status": "status.FINISHED",
        "metrics": {name: _interval(row) for name, row in report["intervals"].items()},
        "marks": {name: _mark(probe, name, report) for name in report["marks"]},
        "calculate_cis": True,
        "bootstrap_cycles": settings.bootstrap,
        "bootstrap_alpha": settings.alpha,
        "random_seed": settings.seed,
        "sample_k": settings.sample,
        "num_repetitions": settings.repetitions,
        "template": template.text,
    }
    yield f'{{"probe_state": {json.dumps(state)[:-1]}, "probe_items": ['
    for at in range(len(evaluated.items)):
        yield (", " if at else "") + json.dumps(_item(probe, evaluated, at, template, run))
    yield f'], "class": {json.dumps(probe.log_names["class"])}}}}}'


def _interval(row: Mapping[str, Any]) -> list[float]:
    ends = (row["normal_low"], row["normal_high"])
    return [float("nan") if end is None else end for end in ends]


def _mark(probe: Probe, name: str, report: Mapping[str, Any]) -> dict[str, Any]:
    (mark,) = (mark for mark in probe.marks if mark.metric == name)
    letter = report["marks"][name]["mark"]
    return {
        "mark_value": float("nan") if letter is None else LETTERS.index(letter),
        "metric_value": _interval(report["intervals"][name]),
        "description": mark.description,
        "harm_types": [mark.harm],
        "mark_ranges": {str(at): [[mark.bounds[at], mark.bounds[at + 1]]] for at in range(len(LETTERS))},
    }


def _item(probe: Probe, evaluated: Evaluated, at: int, template: Template, run: UUID) -> dict[str, Any]:
    item, own = evaluated.items[at], uuid5(run, f"item {at}")
    prompts = {
        column: {
            "uuid": str(uuid5(own, f"prompt {column}")),
            "text": build_prompt(template, item, evaluated.variants[column]),
            "metadata": {probe.log_names["variant"]: evaluated.variants[column].name},
        }
        for column in evaluated.stated
    }
    return {
        "uuid": str(own),
        "num_repetitions": evaluated.repetitions,
        "metadata": {probe.log_names["label"]: item.label},
        "prompts": list(prompts.values()),
        "attempts": [
            _attempt(evaluated, Attempt(at, column, repetition), prompt, own)
            for column, prompt in prompts.items()
            for repetition in range(evaluated.repetitions)
        ],
    }


def _attempt(evaluated: Evaluated, attempt: Attempt, prompt: Mapping[str, Any], own: UUID) -> dict[str, Any]:
    """Without a text of its own, as baselines have none, the answer is what it was read as."""
    evaluation = EVALUATIONS[Code(int(evaluated.codes[attempt]))]
    answer = (evaluated.answers or {}).get(attempt, evaluation or "")
    return {
        "uuid": str(uuid5(own, attempt.key)),
        "repetition_id": attempt.repetition,
        "answer": answer,
        "evaluation": evaluation,
        "evaluation_undetected": evaluation is None,
        "prompt": dict(prompt),
    }
