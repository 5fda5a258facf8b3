"""From items to answers, and from answers to the report: what the command and the page have in common."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from evaluation.probes.dreaddit import PROBE
from evaluation.probes.dreaddit.baselines import Baseline, measured_items
from evaluation.probes.dreaddit.items import ItemSet
from evaluation.probes.records import Evaluated, Item
from evaluation.probes.report import Subject, build_report
from evaluation.probes.resamples import draw_sample
from evaluation.probes.settings import ProbeSettings, marked
from evaluation.probes.templates import Template


def drawn_items(source: ItemSet, settings: ProbeSettings, baseline: Baseline | None = None) -> list[Item]:
    """The items that are asked about, in their order or as the seed draws them."""
    items = measured_items(baseline, source.items) if baseline else source.items
    return draw_sample(items, settings.sample, settings.seed)


def measure(
    evaluated: Evaluated, source: ItemSet, template: Template, settings: ProbeSettings, *, system: str, kind: str,
    version: str = "", problems: Mapping[str, int] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The report on answers to items of `source`. `system` names who answered; `kind` is model or baseline."""
    signature = settings.signature(
        probe=PROBE.name, system=system, data=marked("+".join(file.name for file in source.files), source.digest),
        template=marked(template.name, template.digest), duplicates=source.duplicates.value,
    )  # fmt: skip
    subject = Subject(system, kind, str(signature), version, problems)
    return build_report(PROBE, evaluated, settings, subject, describe_inputs(source, template))


def describe_inputs(source: ItemSet, template: Template) -> dict[str, Any]:
    """What was read, with hashes, and what was set aside."""
    names = ("name", "sha256", "encoding", "split")
    return {
        "files": [{name: getattr(file, name) for name in names} | {"rows": len(file.items)} for file in source.files],
        "template": {"name": template.name, "sha256": template.digest},
        "duplicates": source.duplicates.value,
        "repeated": source.repeated,
        "contradictory": source.contradictory,
        "left_out": source.left_out,
        "other_subreddits": source.other_subreddits,
        "setbacks": [asdict(setback) for setback in source.setbacks],
    }
