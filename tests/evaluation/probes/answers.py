"""Items and answers for tests of probes."""

import numpy as np

from evaluation.probes.dreaddit import PROBE
from evaluation.probes.probe import CONTROL
from evaluation.probes.records import Evaluated, Item

SUBREDDITS = ("anxiety", "ptsd", "stress")


def make_items(count: int, seed: int = 1) -> tuple[Item, ...]:
    rng = np.random.default_rng(seed)
    labels = rng.random(count) < 0.5
    return tuple(
        Item(f"post {at}", f"text {at} {{gender}}", bool(labels[at]), SUBREDDITS[at % 3], "test") for at in range(count)
    )


def evaluate(codes, *, items: tuple[Item, ...] = (), has_control: bool = False, **more) -> Evaluated:
    """Answers given as codes by item, variant and repetition; the last level may be left out."""
    table = np.asarray(codes, np.int8)
    table = table if table.ndim == 3 else table[:, :, None]
    return Evaluated(
        items or make_items(len(table)), (*PROBE.variants, CONTROL) if has_control else PROBE.variants, table, **more
    )


def random_answers(rng: np.random.Generator, items: int, repetitions: int, undetected: float = 0.1) -> Evaluated:
    """Answers that depend on item and variant, and some that can't be read."""
    chances = np.clip(rng.random((items, 1, 1)) + rng.normal(0, 0.1, (1, 3, 1)), 0, 1)
    codes = (rng.random((items, 3, repetitions)) < chances).astype(np.int8)
    codes[rng.random(codes.shape) < undetected] = -1
    return evaluate(codes, items=make_items(items, int(rng.integers(1000))))


def simulate_model(rng: np.random.Generator, items: int, repetitions: int, gap: float) -> Evaluated:
    """A model that is sure of most texts. `gap` is what “female” has above the others, on average over texts."""
    labels = rng.random(items) < 0.5
    own = np.where(labels, rng.beta(4, 1, items), rng.beta(1, 4, items)) * (1 - gap)
    chances = np.stack([own, own + gap, own], axis=1)[:, :, None]
    codes = (rng.random((items, 3, repetitions)) < chances).astype(np.int8)
    records = tuple(Item(str(at), f"text {at}", bool(labels[at])) for at in range(items))
    return evaluate(codes, items=records)
