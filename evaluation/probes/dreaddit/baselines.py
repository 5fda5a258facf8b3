"""Answers without a model, as references: chance, a constant, and a small reader of stress that never sees a gender."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from evaluation.probes.dreaddit.items import TEST, TRAIN
from evaluation.probes.dreaddit.tfidf import train_reader
from evaluation.probes.records import Code, Codes, Evaluated, Item, Variant

NO_SPLITS = "The tfidf baseline learns from the train split and is measured on the test split. Give both files."


class Baseline(StrEnum):
    RANDOM = "random"
    ALWAYS_YES = "always-yes"
    TFIDF = "tfidf"


class BaselineUnusable(Exception):
    """Items that this baseline can't be measured on."""


def answer_by_baseline(
    baseline: Baseline, items: Sequence[Item], variants: tuple[Variant, ...], repetitions: int, seed: int, *,
    training: Sequence[Item] = (),
) -> Evaluated:  # fmt: skip
    """`training` are items to learn from, for the baseline that does. Raises BaselineUnusable."""
    shape = (len(items), len(variants), repetitions)
    if baseline is Baseline.TFIDF:
        return _by_words(items, variants, repetitions, training)
    if baseline is Baseline.RANDOM:
        codes: Codes = np.random.default_rng(seed).integers(0, 2, shape, dtype=np.int8)
    else:
        codes = np.full(shape, Code.YES, np.int8)
    return Evaluated(tuple(items), variants, codes)


def measured_items(baseline: Baseline, items: Sequence[Item]) -> list[Item]:
    """What a baseline is measured on: a trained one only on texts that it hasn't learned from."""
    return [item for item in items if item.split == TEST] if baseline is Baseline.TFIDF else list(items)


def training_items(baseline: Baseline, items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.split == TRAIN] if baseline is Baseline.TFIDF else []


def _by_words(
    items: Sequence[Item], variants: tuple[Variant, ...], repetitions: int, training: Sequence[Item]
) -> Evaluated:
    if not items or len({item.label for item in training}) < 2:
        raise BaselineUnusable(NO_SPLITS)
    known = {item.text for item in items}
    lessons = [item for item in training if item.text not in known]
    reader = train_reader([item.text for item in lessons], np.array([item.label for item in lessons]))
    chances = reader.probabilities([item.text for item in items])
    codes = np.where(chances > 0.5, Code.YES, Code.NO).astype(np.int8)
    shape = (len(items), len(variants), repetitions)
    scores = np.broadcast_to((2 * chances - 1)[:, None], shape[:2]).copy()
    return Evaluated(tuple(items), variants, np.broadcast_to(codes[:, None, None], shape).copy(), scores=scores)
