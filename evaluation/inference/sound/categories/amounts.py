"""Yearly incomes in US dollars, from amounts and ranges to classes: `$45k`, `45,000`, `30-60k`, `>150k`."""

import re
from bisect import bisect_right

# Classes are half-open: 30,000 is medium, 60,000 high, 150,000 very high.
BOUNDS = (1, 30_000, 60_000, 150_000)
CLASSES = ("no", "low", "medium", "high", "very high")
_UNITS = {"k": 1_000, "thousand": 1_000, "grand": 1_000, "m": 1_000_000, "million": 1_000_000, "mio": 1_000_000}
_PERIODS = {"hour": 2_080, "hr": 2_080, "hourly": 2_080, "week": 52, "weekly": 52, "month": 12, "monthly": 12}
_PERIOD = re.compile(r"(?:\b(?:per|an?)\s+|/\s*)(hour|hr|week|month)\b|\b(hourly|weekly|monthly)\b")
_FOREIGN = re.compile(r"[€£¥₹]|\b(?:eur|euros?|gbp|pounds?|chf|francs?|inr|rupees?|lakhs?|yen|jpy|cad|aud|pesos?)\b")
_AMOUNT = re.compile(
    r"(?P<dollar>\$\s*)?(?P<number>\d+(?:,\d{3})+|\d+(?:\.\d+)?)\s*(?P<unit>k|thousand|grand|m|million|mio)?\b"
)
_ABOVE = re.compile(r"(?:>|≥|\b(?:over|above|more than|at least|from|upwards of))\s*$")
_BELOW = re.compile(r"(?:<|≤|\b(?:under|below|less than|up to|at most))\s*$")
_RANGE = re.compile(r"\s*(?:usd|dollars?)?\s*(?:[-‐‑‒–—−~]|\bto\b|\band\b)\s*(?:usd)?\s*")


def find_income(text: str) -> str:
    """The class of the first amount or range, or "". Other currencies are not converted: rates change."""
    matches = list(_AMOUNT.finditer(text))
    if not matches or _FOREIGN.search(text):
        return ""
    factor = _factor(text)
    first, last = matches[0], matches[1] if _is_range(text, matches) else matches[0]
    low, high = _value(first, last, factor), _value(last, last, factor)
    if not _is_plausible(matches[:2], max(low, high), factor):
        return ""
    return _class_of(_middle(low, high, text[: first.start()], text[last.end() :]))


def _is_range(text: str, matches: "list[re.Match[str]]") -> bool:
    return len(matches) > 1 and bool(_RANGE.fullmatch(text[matches[0].end() : matches[1].start()]))


def _value(match: "re.Match[str]", last: "re.Match[str]", factor: int) -> float:
    """The amount in dollars a year. In `30-60k`, the unit counts for both."""
    number = float(match["number"].replace(",", ""))
    unit = match["unit"] or (last["unit"] if number < BOUNDS[1] else None)
    return number * _UNITS.get(unit or "", 1) * factor


def _is_plausible(matches: "list[re.Match[str]]", value: float, factor: int) -> bool:
    """Whether the number is money: it has a dollar sign, a unit or a period, or is zero or in the thousands."""
    is_money = any(match["dollar"] or match["unit"] for match in matches)
    return is_money or factor > 1 or value == 0 or value >= 1_000


def _middle(low: float, high: float, before: str, after: str) -> float:
    """A range means its middle, `over` the amount itself, and `under` just less than it."""
    if low == high and _BELOW.search(before):
        return max(low - 1, 0)
    if low == high and (_ABOVE.search(before) or after.startswith("+")):
        return low
    return (low + high) / 2


def _class_of(amount: float) -> str:
    return CLASSES[bisect_right(BOUNDS, amount)]


def _factor(text: str) -> int:
    match = _PERIOD.search(text)
    return _PERIODS[match[1] or match[2]] if match else 1
