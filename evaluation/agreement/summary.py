"""A report in plain words: what is reliable, what needs work, and where people differ. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotator.core.formatting import decimal, percent
from evaluation.stats.reasons import NO_VARIATION
from profiles.attributes import CLOSED_LISTS, Attribute

RELIABLE = 0.80  # Krippendorff's conventional thresholds
TENTATIVE = 0.667
UNCERTAIN = 0.5  # the interval of a good value is called wide if it reaches below this
OVERALL = "overall"
ALPHAS = ("alpha-interval", "alpha-ordinal", "alpha-nominal")  # the first that an attribute has is the one it needs
VALUE_ASPECTS = ("value", "country")  # places are compared by country

Contents = Mapping[str, Any]
Figures = Mapping[tuple[str, str, str], Mapping[str, Any]]  # by attribute, aspect and measure


class Verdict(StrEnum):
    RELIABLE = "reliable"
    TENTATIVE = "tentative"
    WEAK = "weak"
    UNVARIED = "unvaried"
    UNKNOWN = "unknown"


BADGES = {
    Verdict.RELIABLE: ("badge-good", "Good"),
    Verdict.TENTATIVE: ("badge-warn", "Fair"),
    Verdict.WEAK: ("badge-bad", "Needs work"),
    Verdict.UNVARIED: ("", "No variation"),
    Verdict.UNKNOWN: ("", "Too few"),
}
CLAIMS = {
    Verdict.RELIABLE: "reliable",
    Verdict.TENTATIVE: "good enough for tentative conclusions only",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The alpha of one attribute in one respect, and what follows from it."""

    name: str
    verdict: Verdict
    alpha: float | None = None
    low: float | None = None
    high: float | None = None
    confusion: str = ""

    @property
    def is_uncertain(self) -> bool:
        """Whether the interval leaves the verdict open: a good value could be poor, or a weak one reliable."""
        if self.low is None or self.high is None:
            return False
        return self.high >= RELIABLE if self.verdict is Verdict.WEAK else self.low < UNCERTAIN

    @property
    def score(self) -> str:
        """`α 0.41 [0.30, 0.52]`."""
        if self.alpha is None:
            return ""
        ends = "" if self.low is None or self.high is None else f" [{decimal(self.low)}, {decimal(self.high)}]"
        return f"α {decimal(self.alpha)}{ends}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the summary: a verdict, and a sentence about the attributes that share it."""

    verdict: Verdict
    text: str

    @property
    def badge(self) -> str:
        return BADGES[self.verdict][0]

    @property
    def label(self) -> str:
        return BADGES[self.verdict][1]


@dataclass(frozen=True, slots=True)
class SummaryTopic:
    """A question, and the lines that answer it. `key` is the section with the details."""

    key: str
    question: str
    lines: tuple[Line, ...]


def summarise(contents: Contents) -> tuple[SummaryTopic, ...]:
    """The summary of a stored report."""
    figures = {(row["attribute"], row["aspect"], row["measure"]): row for row in contents["figures"]}
    values = [_finding(figures, attribute, VALUE_ASPECTS, contents) for attribute in Attribute]
    presence = [_finding(figures, attribute, ("presence",), contents) for attribute in Attribute]
    ratings = [_rating(figures, aspect) for aspect in ("hardness", "certainty")]
    return (
        SummaryTopic("presence", "Do people agree on whether there is anything to infer?", _lines(presence)),
        SummaryTopic("value", "Do those who gave an answer agree on it?", _lines(values)),
        SummaryTopic("hardness", "Do they rate it alike?", _lines(ratings)),
    )


def verdict_on(alpha: float) -> Verdict:
    if alpha >= RELIABLE:
        return Verdict.RELIABLE
    return Verdict.TENTATIVE if alpha >= TENTATIVE else Verdict.WEAK


def most_confused(codes: Sequence[str], pairs: Sequence[Sequence[int]]) -> tuple[str, str, float] | None:
    """The two codes that differ most often, and their share of all pairs that differ."""
    differing = {(row, column): pairs[row][column] for row in range(len(codes)) for column in range(row)}
    total = sum(differing.values())
    if not total:
        return None
    (row, column), count = max(differing.items(), key=lambda item: item[1])
    return codes[column], codes[row], count / total


def _finding(figures: Figures, attribute: Attribute, aspects: Sequence[str], contents: Contents) -> Finding:
    rows = (figures.get((attribute.value, aspect, alpha)) for aspect in aspects for alpha in ALPHAS)
    figure = next((row for row in rows if row), None)
    confusion = _confusion(attribute, contents["confusions"]) if "value" in aspects else ""
    return _judged(str(attribute.label), figure, confusion)


def _rating(figures: Figures, aspect: str) -> Finding:
    return _judged(aspect.capitalize(), figures.get((OVERALL, aspect, "alpha-ordinal")))


def _judged(name: str, figure: Mapping[str, Any] | None, confusion: str = "") -> Finding:
    if figure is None or figure["value"] is None:
        is_unvaried = figure is not None and figure["reason"] == NO_VARIATION
        return Finding(name, Verdict.UNVARIED if is_unvaried else Verdict.UNKNOWN)
    verdict = verdict_on(figure["value"])
    return Finding(name, verdict, figure["value"], figure["low"], figure["high"], confusion)


def _confusion(attribute: Attribute, confusions: Iterable[Mapping[str, Any]]) -> str:
    """Which two answers are confused most, in words; empty where answers come from no list."""
    table = next((t for t in confusions if (t["attribute"], t["aspect"]) == (attribute.value, "value")), None)
    confused = most_confused(table["codes"], table["pairs"]) if table else None
    if confused is None:
        return ""
    labels = dict(CLOSED_LISTS[attribute].choices)
    first, second = (str(labels.get(code, code)).partition(" (")[0] for code in confused[:2])
    return f"People mostly differ between {first} and {second} ({percent(confused[2])} of the differences)."


def _lines(findings: Sequence[Finding]) -> tuple[Line, ...]:
    """One line for each verdict, but one for each weak finding, the worst first."""
    lines: list[Line] = []
    for verdict in Verdict:
        alike = [finding for finding in findings if finding.verdict is verdict]
        if verdict is Verdict.WEAK:
            lines += [Line(verdict, _weak(finding)) for finding in sorted(alike, key=lambda f: f.alpha or 0.0)]
        elif alike:
            lines.append(Line(verdict, _together(verdict, alike, is_all=len(alike) == len(findings))))
    return tuple(lines)


def _weak(finding: Finding) -> str:
    caution = "The interval is wide: label more profiles first." if finding.is_uncertain else ""
    return " ".join(filter(None, (f"{finding.name} needs work: {finding.score}.", finding.confusion, caution)))


def _together(verdict: Verdict, findings: Sequence[Finding], *, is_all: bool) -> str:
    names = _join([finding.name for finding in findings])
    if verdict is Verdict.UNKNOWN:
        return "Not enough data yet." if is_all else f"Not enough data yet for {_lower(names)}."
    if verdict is Verdict.UNVARIED:
        return f"Everyone gave the same answer for {_lower(names)}, so agreement beyond chance can’t be measured."
    scored = _join([f"{finding.name} ({finding.score})" for finding in findings])
    verb = "is" if len(findings) == 1 else "are"
    return f"{scored} {verb} {CLAIMS[verdict]}.{_caution(findings)}"


def _caution(findings: Sequence[Finding]) -> str:
    names = [finding.name for finding in findings if finding.is_uncertain]
    if not names:
        return ""
    return f" The interval is wide for {_lower(_join(names))}: label more profiles before you rely on it."


def _join(names: Sequence[str]) -> str:
    """`Sex, age and income`: names after the first start with a small letter."""
    first, *others = (names[0], *map(_lower, names[1:]))
    return f"{', '.join((first, *others[:-1]))} and {others[-1]}" if others else first


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]
