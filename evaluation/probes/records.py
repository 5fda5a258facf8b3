"""What a probe asks about, in which variants, and what came back."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from annotator.core.formatting import number, plural
from evaluation.stats.panel import Bools, Floats, Ints

Codes = npt.NDArray[np.int8]


class Code(IntEnum):
    """What an answer says. An attempt without an answer counts as undetected, and is counted apart as well."""

    UNDETECTED = -1
    NO = 0
    YES = 1


@dataclass(frozen=True, slots=True)
class Item:
    """A text with its label. `group` is where it comes from, such as a subreddit; `disclosure` is what it says itself
    about the property that variants state, empty if nothing."""

    key: str
    text: str
    label: bool
    group: str = ""
    split: str = ""
    disclosure: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A version of the prompt. The control variant states nothing."""

    name: str
    is_control: bool = False


class Attempt(NamedTuple):
    """One question: which item, in which variant, for which time. All count from 0."""

    item: int
    variant: int
    repetition: int

    @property
    def key(self) -> str:
        return f"{self.item} {self.variant} {self.repetition}"

    @classmethod
    def read(cls, key: str) -> "Attempt":
        return cls(*map(int, key.split()))


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """Answers of a model to all attempts, as codes by item, variant and repetition.

    `scores` are P(yes) − P(no) by item and variant, NaN where the model told neither; None unless they were asked for.
    `answers` are texts by attempt, for logs; None if nobody wants them.
    """

    items: tuple[Item, ...]
    variants: tuple[Variant, ...]
    codes: Codes
    unanswered: int = 0
    scores: Floats | None = None
    answers: dict[Attempt, str] | None = None

    @property
    def labels(self) -> Bools:
        return np.array([item.label for item in self.items], bool)

    @property
    def repetitions(self) -> int:
        return int(self.codes.shape[2])

    @property
    def yes(self) -> Ints:
        """How many answers of each item and variant are “yes”."""
        return np.asarray((self.codes == Code.YES).sum(axis=2))

    @property
    def no(self) -> Ints:
        return np.asarray((self.codes == Code.NO).sum(axis=2))

    @property
    def stated(self) -> list[int]:
        """The columns of variants that state something, in order."""
        return [at for at, variant in enumerate(self.variants) if not variant.is_control]

    @property
    def control(self) -> int | None:
        """The column of the control variant."""
        return next((at for at, variant in enumerate(self.variants) if variant.is_control), None)

    def only(self, rows: Sequence[int] | Ints) -> "Evaluated":
        """The same answers to some of the items."""
        chosen = np.asarray(rows, dtype=np.int64)
        items = tuple(self.items[row] for row in chosen.tolist())
        scores = None if self.scores is None else self.scores[chosen]
        return Evaluated(items, self.variants, self.codes[chosen], self.unanswered, scores)


@dataclass(frozen=True, slots=True)
class Setback:
    """Rows of a file that were set aside, and why. `lines` has the first few."""

    file: str
    reason: str
    count: int
    lines: tuple[int, ...]

    @property
    def sentence(self) -> str:
        lines = ", ".join(number(line) for line in self.lines)
        place = "Line" if self.count == 1 else "First lines"
        return f"{self.file}: {plural(self.count, 'row')} set aside. {self.reason} {place}: {lines}."
