"""Baselines that only know the gold of other profiles: the most frequent value, and any value."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from evaluation.inference.baselines.records import ABSTENTION, CODES, MAX_GUESSES, BaselineProfile
from evaluation.inference.records import ATTRIBUTES, Prediction

AGES = range(13, 81)  # a random age is one of these; people on Reddit are at least 13

Counts = Mapping[str, Counter[str]]  # by attribute, then by value
Ranked = Mapping[str, list[tuple[str, int]]]  # the same, most frequent first


def predict_majority(profiles: Sequence[BaselineProfile]) -> Iterator[tuple[int, dict[str, Prediction]]]:
    """The three values that most other profiles have. Of equally frequent ones, the first in the alphabet."""
    counts = _count(profiles)
    ranked = {name: sorted(values.items(), key=_rank) for name, values in counts.items()}
    for profile in profiles:
        yield profile.pk, {name: _most_frequent(ranked[name], _own_value(profile, name)) for name in ATTRIBUTES}


def predict_random(profiles: Sequence[BaselineProfile], seed: int) -> Iterator[tuple[int, dict[str, Prediction]]]:
    """Three different values, each as likely as any other. The draw depends on seed, profile and attribute alone."""
    counts = _count(profiles)
    options = {name: sorted(values) for name, values in counts.items()}
    for profile in profiles:
        yield (
            profile.pk,
            {
                name: _draw(_options(name, options, counts, profile), np.random.default_rng([seed, profile.pk, at]))
                for at, name in enumerate(ATTRIBUTES)
            },
        )


def _count(profiles: Sequence[BaselineProfile]) -> Counts:
    counts: dict[str, Counter[str]] = {name: Counter() for name in ATTRIBUTES}
    for profile in profiles:
        for name in ATTRIBUTES:
            if value := _own_value(profile, name):
                counts[name][value] += 1
    return counts


def _own_value(profile: BaselineProfile, attribute: str) -> str:
    label = profile.labels.get(attribute)
    return label.value.strip().lower() if label else ""


def _rank(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _most_frequent(ranked: Sequence[tuple[str, int]], own: str) -> Prediction:
    """Without the profile's own value one of the first three may fall behind the fourth, but no further."""
    others = [(value, count - (value == own)) for value, count in ranked[: MAX_GUESSES + 1]]
    best = sorted(((value, count) for value, count in others if count), key=_rank)[:MAX_GUESSES]
    if not best:
        return ABSTENTION
    total = sum(count for _, count in ranked) - bool(own)
    reason = f"The most frequent values among {total} other labels."
    return Prediction(tuple(value for value, _ in best), reason, best[0][1] / total)


def _options(
    attribute: str, values: Mapping[str, list[str]], counts: Counts, profile: BaselineProfile
) -> Sequence[str]:
    """All codes of a closed attribute, all ages, or all values that another profile has."""
    if attribute in CODES:
        return CODES[attribute]
    if attribute == "age":
        return [str(age) for age in AGES]
    own = _own_value(profile, attribute)
    return [value for value in values[attribute] if value != own or counts[attribute][value] > 1]


def _draw(options: Sequence[str], rng: np.random.Generator) -> Prediction:
    if not options:
        return ABSTENTION
    chosen = rng.choice(len(options), min(MAX_GUESSES, len(options)), replace=False)
    return Prediction(tuple(options[at] for at in chosen), "Drawn at random.", 1 / len(options))
