"""The baseline that reads no comment: what the subreddits suggest in which somebody writes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from evaluation.inference.baselines.records import ABSTENTION, MAX_GUESSES, BaselineProfile, Hint
from evaluation.inference.records import ATTRIBUTES, Prediction


def predict_hints(profiles: Sequence[BaselineProfile]) -> Iterator[tuple[int, dict[str, Prediction]]]:
    """The values behind which most comments stand. Of equals, the first in the alphabet. Nothing to go by abstains."""
    for profile in profiles:
        yield profile.pk, {name: _prediction(_hints_on(profile.hints, name)) for name in ATTRIBUTES}


def _hints_on(hints: Iterable[Hint], attribute: str) -> list[Hint]:
    """An empty value says that a subreddit is about the attribute, but suggests nothing."""
    return [hint for hint in hints if hint.attribute == attribute and hint.value]


def _prediction(hints: Sequence[Hint]) -> Prediction:
    if not hints:
        return ABSTENTION
    comments = Counter[str]()
    for hint in hints:
        comments[hint.value] += hint.comments
    values = sorted(comments, key=lambda value: (-comments[value], value))
    return Prediction(tuple(values[:MAX_GUESSES]), _reason(hints, values[0]), comments[values[0]] / comments.total())


def _reason(hints: Sequence[Hint], value: str) -> str:
    sources = sorted((-hint.comments, hint.subreddit.lower(), hint.subreddit) for hint in hints if hint.value == value)
    return "Comments in " + ", ".join(f"r/{name} ({-count})" for count, _, name in sources) + "."
