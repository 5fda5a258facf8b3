"""The random control: mask as many characters as another defence does, but anywhere.

What a defence protects beyond its control comes from what it masks, not from how much.
"""

import re
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from evaluation.defences.masking import MaskedSpan
from evaluation.defences.recipes import Method

TYPE = "MASKED"
WORD = re.compile(r"\w+")
MODELS = (Method.DETECTIONS, Method.EVIDENCE, Method.BOTH)

Place = tuple[int, int, int]  # the body, start and end


def imitated_method(methods: Collection[Method], *, has_detections: bool) -> Method:
    """Whose number of characters the control masks: detections, else evidence, else both.

    If none of them is run, detections, or evidence where there are no detections.
    """
    spare = Method.DETECTIONS if has_detections else Method.EVIDENCE
    return next((method for method in MODELS if method in methods), spare)


def random_spans(
    bodies: Sequence[str], budget: Sequence[int] | int, rng: np.random.Generator
) -> list[list[MaskedSpan]]:
    """Spans of each body with exactly as many characters as the budget, or all, if the bodies have fewer.

    The budget is for all bodies together, or for each of them. Whole words are drawn as long as they fit; the start of
    another word fills the rest, and only then what stands between words.
    """
    if not isinstance(budget, int):
        return [random_spans([body], amount, rng)[0] for body, amount in zip(bodies, budget, strict=True)]
    spans: list[list[MaskedSpan]] = [[] for _ in bodies]
    for body, start, end in _draw(bodies, budget, rng):
        spans[body].append(MaskedSpan(start, end, TYPE))
    return [sorted(members, key=lambda span: span.start) for members in spans]


def _draw(bodies: Sequence[str], budget: int, rng: np.random.Generator) -> Iterator[Place]:
    words = [(at, match.start(), match.end()) for at, body in enumerate(bodies) for match in WORD.finditer(body)]
    left, skipped = budget, list[Place]()
    for number in rng.permutation(len(words)).tolist():
        at, start, end = words[number]
        if end - start <= left:
            left -= end - start
            yield words[number]
        else:
            skipped.append(words[number])
    if skipped and left > 0:  # every one of them is longer than what is left
        at, start, _ = skipped[0]
        yield at, start, start + left
    elif left > 0:
        yield from _between_words(bodies, left, rng)


def _between_words(bodies: Sequence[str], budget: int, rng: np.random.Generator) -> Iterator[Place]:
    places = [
        (at, start, start + 1)
        for at, body in enumerate(bodies)
        for start, character in enumerate(body)
        if not WORD.match(character)
    ]
    for number in rng.permutation(len(places))[:budget].tolist():
        yield places[number]
