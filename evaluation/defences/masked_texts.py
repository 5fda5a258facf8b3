"""Apply the masks of a recipe to the comments of profiles."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaluation.defences.controls import random_spans
from evaluation.defences.masking import MaskedSpan, Replace, by_stars, by_tag, mask, masked_characters, merge
from evaluation.defences.recipes import DefenceRecipe, Method, Replacement
from evaluation.defences.surrogates import Surrogates
from evaluation.inference.selection import Text

Spans = Mapping[int, Sequence[MaskedSpan]]  # by comment


@dataclass(frozen=True, slots=True)
class Marks:
    """What can be masked."""

    detected: Spans = field(default_factory=dict)
    evidence: Spans = field(default_factory=dict)

    def spans(self, method: Method, comment: int) -> list[MaskedSpan]:
        detected, evidence = self.detected.get(comment, ()), self.evidence.get(comment, ())
        match method:
            case Method.DETECTIONS:
                return [*detected]
            case Method.EVIDENCE:
                return [*evidence]
            case _:
                return [*detected, *evidence]


@dataclass(slots=True)
class MaskedTexts:
    """The comments that a defence changed, by id, and how much it masked."""

    changed: dict[int, str] = field(default_factory=dict)
    spans: int = 0
    characters: int = 0

    def add(self, text: Text, spans: Sequence[MaskedSpan], replace: Replace) -> None:
        self.spans += len(merge(spans))
        self.characters += masked_characters(text.body, spans)
        body = mask(text.body, spans, replace)
        if body != text.body:
            self.changed[text.id] = body


def mask_profiles(recipe: DefenceRecipe, profiles: Iterable[tuple[str, Sequence[Text]]], marks: Marks) -> MaskedTexts:
    """Mask the comments of each profile, given with its name, which surrogates and the control depend on."""
    masked = MaskedTexts()
    for name, texts in profiles:
        replace, spans = _replacement(recipe, name), _spans(recipe, name, texts, marks)
        for text, chosen in zip(texts, spans, strict=True):
            masked.add(text, chosen, replace)
    return masked


def _replacement(recipe: DefenceRecipe, name: str) -> Replace:
    replacements: dict[Replacement, Callable[[], Replace]] = {
        Replacement.TAG: lambda: by_tag,
        Replacement.STARS: lambda: by_stars,
        Replacement.SURROGATE: lambda: Surrogates(recipe.seed, name),
    }
    return replacements[recipe.replacement]()


def _spans(recipe: DefenceRecipe, name: str, texts: Sequence[Text], marks: Marks) -> list[list[MaskedSpan]]:
    if recipe.method is Method.NONE:
        return [[] for _ in texts]
    if recipe.method is not Method.RANDOM:
        return [marks.spans(recipe.source, text.id) for text in texts]
    imitated = sum(masked_characters(text.body, marks.spans(recipe.source, text.id)) for text in texts)
    return random_spans([text.body for text in texts], imitated, _rng(recipe.seed, name))


def _rng(seed: int, name: str) -> np.random.Generator:
    """The same for a profile whichever others are there."""
    digest = hashlib.sha256(f"{seed}\0{name}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8]))
