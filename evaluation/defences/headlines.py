"""The few numbers of a report on defences that matter first."""

from collections.abc import Mapping
from typing import Any

from evaluation.defences.recipes import Method
from evaluation.reports.figures import Figure
from evaluation.reports.headlines import Headline

Json = Mapping[str, Any]


def build_headlines(report: Json) -> list[dict[str, Any]]:
    """As they are stored with a run: without a defence, and the complete defence that protects most.

    The random control is no defence.
    """
    complete = [row for row in report["defences"] if row["state"] == "complete"]
    undefended, defended = complete[0], [row for row in complete[1:] if row["recipe"]["method"] != Method.RANDOM]
    headlines = [_right("Right on the first guess, no defence", undefended)]
    if defended:
        best = max(defended, key=lambda row: row["protection"]["collective"]["value"] or 0.0)
        kept = Figure.of(best["utility"]["rouge_l"])
        headlines += [
            _right("Right on the first guess, best defence", best),
            Headline("Text kept by the best defence (ROUGE-L)", kept, best["title"], is_share=True),
        ]
    return [headline.as_json() for headline in headlines]


def _right(label: str, row: Json) -> Headline:
    return Headline(label, Figure.of(row["scores"]["intervals"]["top1"]), row["title"], is_share=True)
