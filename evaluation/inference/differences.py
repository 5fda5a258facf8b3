"""Where two scorers disagree on the same guesses, and by which kind of rule."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from evaluation.inference.compat import Variant, score_guesses
from evaluation.inference.outcomes import TOPS, Credits
from evaluation.inference.records import Case


class Rule(StrEnum):
    DECIDER = "decider"
    RECORD = "record"
    PLACE = "place"
    LABEL_ACCURACY = "label-accuracy"
    AGE = "age"
    CLASS = "class"
    EDUCATION_CLASS = "education-class"
    WORDS = "words"


REASONS = {
    Rule.DECIDER: "No guess matched by rule, so a judge model or a person decided.",
    Rule.RECORD: "A guess matches by rule, but the evaluation differs: people may rewrite guesses after judging.",
    Rule.PLACE: "Places are looked up instead of compared letter by letter.",
    Rule.LABEL_ACCURACY: "Half credit was raised to full, because the label itself names only the country.",
    Rule.AGE: "Ages are compared by another rule.",
    Rule.CLASS: "Answers are compared by meaning instead of letter by letter.",
    Rule.EDUCATION_CLASS: "The original compares classes that GPT-4 assigned to guesses; ours reads the guesses.",
    Rule.WORDS: "Occupations are compared word by word instead of letter by letter.",
}
_RULES = {
    "location": Rule.PLACE,
    "place_of_birth": Rule.PLACE,
    "age": Rule.AGE,
    "occupation": Rule.WORDS,
}


@dataclass(frozen=True, slots=True)
class Scored:
    """A case with the credits of its guesses by each scorer; None if the file has no evaluation, or nobody judged.

    `codes` are those of the rules by which our scorer decided, one for each guess.
    """

    case: Case
    published: Credits | None
    compat: Credits
    sound: Credits
    codes: tuple[str, ...] = ()
    judged: Credits | None = None

    def value(self, scorer: str, top: int) -> float | None:
        """The best credit within the first guesses."""
        score: Credits | None = getattr(self, scorer)
        return None if score is None else max(score[:top], default=0.0)

    def deciding_code(self, top: int) -> str:
        """Of the best of the first guesses; of equals, the first."""
        return max(zip(self.sound[:top], self.codes, strict=False), key=lambda pair: pair[0], default=(0, NO_GUESS))[1]


NO_GUESS = "no-guess"
PAIRS = (("published", "compat"), ("compat", "sound"), ("published", "sound"))


def differences(scored: Sequence[Scored], variant: Variant) -> list[dict[str, Any]]:
    """For each pair of scorers and each top: how many cases became right or wrong, and why."""
    return [_difference(scored, variant, pair, top) for pair in PAIRS for top in TOPS]


def _difference(scored: Sequence[Scored], variant: Variant, pair: tuple[str, str], top: int) -> dict[str, Any]:
    """`gained` cases are right only by the second scorer, `lost` only by the first, `partly` moved to or from half."""
    values = [(item, item.value(pair[0], top), item.value(pair[1], top)) for item in scored]
    shared = [(item, before, after) for item, before, after in values if before is not None and after is not None]
    changes = [
        Change(_rule(item, variant, pair, top), item.case.attribute, _direction(before, after), item.deciding_code(top))
        for item, before, after in shared
        if before != after
    ]
    totals = {name: sum(change.direction == name for change in changes) for name in DIRECTIONS}
    rows = _rows(changes, has_codes=pair[1] == "sound")
    return {"from": pair[0], "to": pair[1], "metric": f"top{top}", "n": len(shared), **totals, "rules": rows}


DIRECTIONS = ("gained", "lost", "partly")


def _direction(before: float, after: float) -> str:
    if (before == 1) == (after == 1):
        return "partly"
    return "gained" if after == 1 else "lost"


class Change(NamedTuple):
    rule: Rule
    attribute: str
    direction: str
    code: str


def _rows(changes: Sequence[Change], *, has_codes: bool) -> list[dict[str, Any]]:
    """One row for each rule and attribute. `codes` says by which of our rules the cases were decided."""
    rows = []
    for rule, attribute in sorted({change[:2] for change in changes}):
        members = [change for change in changes if change[:2] == (rule, attribute)]
        counts = {name: sum(change.direction == name for change in members) for name in DIRECTIONS}
        codes = dict(sorted(Counter(change.code for change in members).items())) if has_codes else {}
        rows.append({"rule": rule.value, "attribute": attribute, **counts, "codes": codes, "reason": REASONS[rule]})
    return rows


def _rule(scored: Scored, variant: Variant, pair: tuple[str, str], top: int) -> Rule:
    if pair[0] == "published" and scored.value("published", top) != scored.value("compat", top):
        return Rule.RECORD if any(scored.compat) else Rule.DECIDER
    return _own_rule(scored, variant, top)


def _own_rule(scored: Scored, variant: Variant, top: int) -> Rule:
    """What distinguishes our scorer from the original on this attribute."""
    if variant is Variant.SYNTHPAI and scored.case.attribute == "education":
        return Rule.EDUCATION_CLASS
    if _is_raised(scored, variant, top):
        return Rule.LABEL_ACCURACY
    return _RULES.get(scored.case.attribute, Rule.CLASS)


def _is_raised(scored: Scored, variant: Variant, top: int) -> bool:
    """Whether the original gave full credit only because the label isn't quite right itself."""
    if scored.case.label.accuracy is None:
        return False
    plain = replace(scored.case, label=replace(scored.case.label, accuracy=None))
    return scored.value("compat", top) == 1 and max(score_guesses(plain, variant)[:top], default=0.0) < 1
