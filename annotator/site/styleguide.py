"""The contents of the style guide: tokens, components with their source, charts. No database."""

import re
from dataclasses import dataclass
from pathlib import Path

from django.http import QueryDict

from annotator.charts import (
    Estimate,
    Figure,
    Row,
    Series,
    StackRow,
    bars,
    funnel,
    hbars,
    heatmap,
    intervals,
    lines,
    meter,
    stacks,
)
from annotator.core.sort_order import Sorting
from profiles.attributes import Attribute

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "templates" / "annotator" / "site" / "styleguide"
TOKEN = re.compile(r"--([a-z0-9-]+):\s*([^;]+);")

SECTIONS = {
    "page": "The page",
    "headings": "Headings and text",
    "buttons": "Buttons",
    "form": "A form",
    "choices": "Choices and ratings",
    "states": "Fields in trouble",
    "table": "Table",
    "cards": "Cards, badges, facts",
    "tiles": "Stat tiles",
    "messages": "Messages",
    "progress": "Progress",
    "dialog": "Dialog",
    "tabs": "Tabs, breadcrumbs, pagination",
    "toolbar": "Toolbar",
    "empty": "Empty state",
    "marks": "Marks in text",
    "code": "Code and copying",
}

ENTITY_TYPES = ("EMAIL_ADDRESS", "PHONE_NUMBER", "LOCATION", "PERSON", "NRP")


@dataclass(frozen=True, slots=True)
class Sample:
    """A component's template. The guide renders it and prints its source, so the two can't differ."""

    name: str
    title: str
    template: str
    source: str


@dataclass(frozen=True, slots=True)
class Token:
    """A CSS custom property. A colour has one value per theme."""

    name: str
    value: str

    @property
    def light(self) -> str:
        return self.value.removeprefix("light-dark(").split(",")[0]

    @property
    def dark(self) -> str:
        return self.value.removesuffix(")").split(",")[-1].strip()


def styleguide_context() -> dict[str, object]:
    """The context of `annotator/site/styleguide.html`."""
    return {
        "samples": [_sample(name, title) for name, title in SECTIONS.items()],
        "colours": [token for token in _tokens("tokens.css") if "light-dark(#" in token.value],
        "measures": [token for token in _tokens("tokens.css") if "light-dark" not in token.value],
        "entity_types": [name.lower() for name in ENTITY_TYPES],
        "attributes": Attribute.values,
        "charts": sample_charts(),
        "sorting": Sorting.read(QueryDict(), {"batch": "name", "profiles": "-profile_count"}, default="batch"),
    }


def _sample(name: str, title: str) -> Sample:
    path = SAMPLES / f"_{name}.html"
    return Sample(name, title, f"annotator/site/styleguide/_{name}.html", path.read_text(encoding="utf-8").strip())


def _tokens(stylesheet: str) -> list[Token]:
    text = (ROOT / "static" / "css" / stylesheet).read_text(encoding="utf-8")
    return [Token(name, " ".join(value.split())) for name, value in TOKEN.findall(text)]


def sample_charts() -> dict[str, object]:
    """One chart of each kind, with plausible numbers."""
    return {
        "bars": bars("Comments per month", _months(), unit="comments"),
        "hbars": hbars("Judgements by attribute", [Row(a.replace("_", " "), n, hue=a) for a, n in _counts()]),
        "funnel": funnel("What the rules leave", _FUNNEL),
        "lines": lines("Agreement by week", [f"week {n}" for n in range(1, 9)], _SERIES),
        "intervals": intervals("F1 by attribute, 95 % interval", _ESTIMATES, between=(0, 1)),
        "heatmap": heatmap(
            "Labels by hardness and certainty",
            ["1", "2", "3", "4", "5"],
            ["1", "2", "3", "4", "5"],
            _HEAT,
            axes=("Hardness", "certainty"),
        ),
        "stacks": stacks(
            "Evidence by what became of it",
            ["fully masked", "partly", "left readable"],
            _STACKS,
            axes=("Attribute", "Evidence"),
            columns=["Fully masked"],
        ),
        "meter": meter(12, 50, under_way=3),
    }


def _months() -> list[tuple[str, int]]:
    heights = [3, 8, 14, 9, 22, 41, 57, 63, 48, 30, 18, 12, 9, 4, 0, 0, 7, 15, 33, 52, 60, 44, 21, 10]
    return [(f"{2012 + i // 12}-{i % 12 + 1:02}", height) for i, height in enumerate(heights)]


def _counts() -> list[tuple[str, int]]:
    return list(zip(Attribute.values, (412, 388, 301, 276, 120, 188, 64, 141), strict=True))


_FUNNEL = [
    ("Comments read", 1_500_000),
    ("Long enough", 1_122_480),
    ("Not deleted", 1_060_204),
    ("In the list of subreddits", 84_310),
    ("In the years", 61_977),
]
_SERIES = [
    Series("Location", [0.61, 0.66, 0.7, 0.69, 0.74, 0.78, 0.8, 0.81], hue="location"),
    Series("Age", [0.42, 0.45, 0.5, None, 0.56, 0.61, 0.6, 0.66], hue="age"),
    Series(
        "Income",
        [0.2, 0.26, 0.24, 0.31, 0.33, 0.36, 0.41, 0.4],
        hue="income",
        intervals=[(v - 0.08, v + 0.08) for v in (0.2, 0.26, 0.24, 0.31, 0.33, 0.36, 0.41, 0.4)],
    ),
]
_ESTIMATES = [
    Estimate("location", 0.86, 0.81, 0.9, hue="location"),
    Estimate("age", 0.63, 0.55, 0.7, hue="age"),
    Estimate("income", 0.41, 0.26, 0.57, hue="income"),
    Estimate("education", None, hue="education"),
]
_HEAT = [[2, 5, 14, 41, 120], [3, 9, 22, 64, 71], [8, 21, 33, 40, 12], [11, 18, 9, 4, 1], [6, 2, 1, 0, 0]]
_STACKS = [
    StackRow("Location", (39, 9, 16), [Figure("61 %", "48 to 73 %")]),
    StackRow("Age", (1, 3, 37), [Figure("2 %", "0 to 7 %")]),
    StackRow("Income", (0, 0, 0), [Figure("–", reason="Nothing to count.")]),
]
