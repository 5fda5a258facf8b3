"""An attribute report as its page and its HTML file show it: made from the report's JSON alone. No database.

Reports from before a part existed lack its key; the section is then left out.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.inference.answer_sections import (
    age_section,
    answer_section,
    calibration_section,
    cost_section,
    named_section,
    negative_section,
    place_section,
)
from evaluation.inference.headlines import JUDGED
from evaluation.inference.judge.agreement import JudgeAgreement
from evaluation.inference.judge_sections import judge_section, kappa_note
from evaluation.inference.records import GOLD_REVIEWER
from evaluation.inference.score_sections import (
    attribute_section,
    certainty_section,
    comparison_section,
    difference_section,
    hardness_section,
    problem_section,
    protection_change_section,
    protection_section,
    scorer_section,
    study_sections,
    subreddit_section,
)
from evaluation.inference.second_look.sections import second_look_section
from evaluation.reports.headlines import Headline, headlines_of, read_headlines
from evaluation.reports.presentation import Block, ShownReport, arrange, cautions_of
from evaluation.reports.tables import Section

Contents = Mapping[str, Any]

Builder = Callable[[Contents], Section | None]

SCORES: tuple[Builder, ...] = (
    attribute_section, hardness_section, certainty_section, subreddit_section, scorer_section, protection_section,
)  # fmt: skip
ANSWERS: tuple[Builder, ...] = (
    calibration_section, negative_section, answer_section, named_section, age_section, place_section, cost_section,
)  # fmt: skip
CLOSING: tuple[Builder, ...] = (
    difference_section, comparison_section, protection_change_section, problem_section,
)  # fmt: skip


def present_inference(
    report: Contents, agreement: JudgeAgreement | None = None, second_look: Contents | None = None
) -> ShownReport:
    """`agreement` is how far people agree with the judge by now, if somebody has checked it.

    `second_look` is what people said by now of claims where they had found nothing, if they looked again.
    """
    return ShownReport(
        tuple(_facts(report)),
        tuple(_headlines(report, agreement)),
        cautions_of(report),
        arrange(
            [*_sections(report, agreement), *_looked_again(second_look), *study_sections(report), *_closing(report)]
        ),
        tuple((_title(other), _blocks(other)) for other in report.get("others") or []),
        report.get("signature", ""),
    )


def _headlines(report: Contents, agreement: JudgeAgreement | None) -> Iterator[Headline]:
    """The kappa stands beside the judged score."""
    for headline in read_headlines(headlines_of(report)):
        note = f"{headline.note} · {kappa_note(agreement)}"
        yield replace(headline, note=note) if headline.label == JUDGED else headline


def _sections(model: Contents, agreement: JudgeAgreement | None = None) -> list[Section]:
    scores, answers = ([build(model) for build in builders] for builders in (SCORES, ANSWERS))
    return [section for section in (*scores, judge_section(model, agreement), *answers) if section]


def _looked_again(measured: Contents | None) -> list[Section]:
    section = second_look_section(measured)
    return [section] if section else []


def _closing(model: Contents) -> list[Section]:
    return [section for section in (build(model) for build in CLOSING) if section]


def _blocks(model: Contents) -> tuple[Block, ...]:
    return arrange([*_sections(model), *_closing(model)])


def _title(model: Contents) -> str:
    return f"{model['input']['model']} ({model['input']['name']})"


def _facts(report: Contents) -> list[str]:
    """What was measured, in a line: model, defence, file, reviewer, labels."""
    source, settings = report["input"], report["settings"]
    bounds = f"certainty {settings['min_certainty']} to {settings['max_certainty']}"
    bounds += f", hardness {settings['min_hardness']} to {settings['max_hardness']}"
    is_ours = source["reviewer"] == GOLD_REVIEWER
    file = [] if is_ours else [f"{source['name']} ({source['format']})"]
    defence = [report["defence"]["title"]] if report.get("defence") else []
    labels = "gold" if is_ours else f"labels by {source['reviewer']}"
    return [
        source["model"],
        *defence,
        *file,
        f"{labels}: {plural(source['profiles'], 'profile')}",
        f"{number(report['sound']['n'])} of {plural(source['labels'], 'label')} scored, {bounds}",
        *_prompted_facts(report),
    ]


def _prompted_facts(report: Contents) -> list[str]:
    """Whether answers count that people confirmed only after a model had claimed them."""
    prompted = report.get("prompted")
    if not prompted or not (prompted["counted"] or prompted["left_out"]):
        return []
    counted = plural(prompted["counted"], "model-prompted answer counts", "model-prompted answers count")
    left_out = f"{number(prompted['left_out'])} that this system prompted left out" if prompted["left_out"] else ""
    return [", ".join(filter(None, (counted, left_out)))]
