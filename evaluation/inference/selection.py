"""Which comments of a long profile a model gets to read.

Subreddits take turns, the one with the newest comment first, and each gives its newest comment that is still there.
A comment that no longer fits is left out; shorter ones may still follow. If not even one fits, the newest is cut.
What remains is in reading order: by subreddit, then date. What was left out is counted, never dropped silently.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import zip_longest

RULE = "newest-round-robin-1"  # belongs in the signature; change it with the rule
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Text:
    """A comment. The id settles the order of comments that were written in the same second."""

    id: int
    subreddit: str
    written_at: datetime
    body: str

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.body)


@dataclass(frozen=True, slots=True)
class Selection:
    """The comments to show, in reading order, and what was left out."""

    texts: tuple[Text, ...]
    tokens: int
    left_out: int
    left_out_tokens: int  # of comments left out, and of the end of one that was cut
    is_cut: bool = False

    def as_json(self) -> dict[str, int | bool]:
        """Numbers only."""
        return {name: value for name, value in asdict(self).items() if name != "texts"} | {"comments": len(self.texts)}


def estimate_tokens(text: str) -> int:
    """A quarter of the characters, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def select_texts(texts: Iterable[Text], budget: int) -> Selection:
    """Choose comments of at most `budget` tokens together."""
    ordered = list(_take_turns(texts))
    chosen, tokens = list[Text](), 0
    for text in ordered:
        if tokens + text.tokens <= budget:
            chosen.append(text)
            tokens += text.tokens
    if ordered and not chosen and budget > 0:
        return _cut_newest(ordered, budget)
    total = sum(text.tokens for text in ordered)
    return Selection(_in_reading_order(chosen), tokens, len(ordered) - len(chosen), total - tokens)


def _take_turns(texts: Iterable[Text]) -> Iterator[Text]:
    by_subreddit = defaultdict[str, list[Text]](list)
    for text in sorted(texts, key=lambda text: (text.written_at, text.id), reverse=True):
        by_subreddit[text.subreddit].append(text)
    for turn in zip_longest(*by_subreddit.values()):
        yield from (text for text in turn if text is not None)


def _cut_newest(ordered: Sequence[Text], budget: int) -> Selection:
    newest = ordered[0]
    cut = replace(newest, body=newest.body[: budget * CHARACTERS_PER_TOKEN])
    total = sum(text.tokens for text in ordered)
    return Selection((cut,), cut.tokens, len(ordered) - 1, total - cut.tokens, is_cut=True)


def _in_reading_order(texts: Iterable[Text]) -> tuple[Text, ...]:
    return tuple(sorted(texts, key=lambda text: (text.subreddit.lower(), text.written_at, text.id)))
