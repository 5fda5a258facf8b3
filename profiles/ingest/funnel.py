"""All rules by name, in the order they apply, and how many comments are left after each."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from profiles.ingest.options import ALL, Options


class Rule(StrEnum):
    """The first rule that a line fails removes it."""

    # about one line, applied while reading
    SET_ASIDE = "set_aside"
    TOO_SHORT = "too_short"
    DELETED_AUTHOR = "deleted_author"
    REMOVED_TEXT = "removed_text"
    OTHER_SUBREDDIT = "other_subreddit"
    OTHER_YEARS = "other_years"
    NOT_OWN = "not_own"
    # about all comments of an account, applied once everything is read
    DUPLICATE = "duplicate"
    BOT = "bot"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NOT_DRAWN = "not_drawn"
    # about what is already stored
    FORGOTTEN = "forgotten"
    LOADED_BEFORE = "loaded_before"


@dataclass(frozen=True, slots=True)
class Step:
    """What a rule removed, and what was left after it."""

    rule: str
    label: str
    removed: int
    left: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def build_funnel(lines: int, removed: Mapping[str, int], options: Options) -> list[Step]:
    """From all lines to the loaded comments. Rules that were not applied are left out."""
    steps, left = [Step("", "Lines read", 0, lines)], lines
    counts = Counter(removed)
    for rule, label in _labels(options).items():
        left -= counts[rule]
        steps.append(Step(rule, label, counts[rule], left))
    return steps


def _labels(options: Options) -> dict[Rule, str]:
    """Describe what is left after each rule."""
    is_as_written = options.keep_quotes and options.keep_entities
    labels = {
        Rule.SET_ASIDE: "Readable comments",
        Rule.TOO_SHORT: f"At least {options.min_chars} characters",
        Rule.DELETED_AUTHOR: "Author not deleted",
        Rule.REMOVED_TEXT: "Text not removed",
        Rule.OTHER_SUBREDDIT: "" if options.subreddits == ALL else f"In one of {len(options.names):,} subreddits",
        Rule.OTHER_YEARS: f"From {options.since} to before {options.until}",
        Rule.NOT_OWN: "" if is_as_written else f"At least {options.min_chars} characters of their own",
        Rule.DUPLICATE: "" if options.keep_duplicates else "Each comment once",
        Rule.BOT: "" if options.keep_bots else "Not by a bot",
        Rule.TOO_FEW: f"Profiles of at least {options.min_comments:,} comments" if options.min_comments > 1 else "",
        Rule.TOO_MANY: f"Profiles of at most {options.max_comments:,} comments" if options.max_comments else "",
        Rule.NOT_DRAWN: f"In the sample of {options.sample:,} profiles" if options.sample else "",
        Rule.FORGOTTEN: "Not by a removed account",
        Rule.LOADED_BEFORE: "Not loaded before",
    }
    return {rule: label for rule, label in labels.items() if label}
