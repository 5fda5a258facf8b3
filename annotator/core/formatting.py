"""Numbers and durations as people read them, on pages, in charts and on the terminal."""

from datetime import timedelta
from functools import lru_cache

THIN = "\u202f"  # narrow and no-break: a number never breaks at the end of a line


@lru_cache(maxsize=10_000)  # a page shows a hundred, most of them small
def number(value: float) -> str:
    """1234567 → 1 234 567; 0.12345 → 0.123; whole numbers have no decimal point."""
    rounded = round(value, 3) if abs(value) < 1e15 else value
    if abs(rounded) >= 1e15:
        return f"{rounded:.3g}"
    text = f"{rounded:,.3f}".rstrip("0").rstrip(".")
    return ("0" if text in ("-0", "") else text).replace(",", THIN).replace("-", "−")


def plural(count: int, singular: str, form: str = "") -> str:
    """`1 profile`, `2 profiles`; `form` is the plural if adding an s is not enough."""
    return f"{number(count)} {singular if count == 1 else form or f'{singular}s'}"


def decimal(value: float, places: int = 2) -> str:
    """A score with as many decimals, so that scores line up: 0.50, −0.25, never −0.00."""
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


def short(value: float) -> str:
    """A number for an axis, where space is scarce: 12 000 → 12k."""
    for size, suffix in ((1e9, "bn"), (1e6, "M"), (1e4, "k")):
        if size <= abs(value) < 1e15:
            return number(value / (1e3 if suffix == "k" else size)) + suffix
    return number(value)


def percent(share: float) -> str:
    """A share from 0 to 1 in percent; 100 % only if it is all, 0 % only if it is none."""
    if 0 < share < 0.005:
        return "<1 %".replace(" ", THIN)
    if 0.995 <= share < 1:
        return ">99 %".replace(" ", THIN)
    return f"{share * 100:.0f}{THIN}%"


def format_duration(time: timedelta) -> str:
    """`3 h 20 min`, `12 min`, `40 s`: exact enough to decide whether to wait."""
    seconds = round(time.total_seconds())
    if seconds < 60:
        return f"{seconds} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def format_clock(seconds: float) -> str:
    """`2:05`: minutes and seconds, rounded down."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"
