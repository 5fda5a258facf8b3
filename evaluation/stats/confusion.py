"""Who said what where another said something else."""

import numpy as np

from evaluation.stats.panel import Ints
from evaluation.stats.questions import Meetings, Question


def confusion(question: Question, met: Meetings) -> Ints:
    """Pairs by their two codes. One that differs stands on both sides of the diagonal: neither person is the first."""
    size = question.size
    flat = np.bincount(met.codes * size + met.other_codes, minlength=size**2)
    table: Ints = flat.reshape(size, size)
    return table + table.T - np.diag(np.diag(table))


def far_apart(met: Meetings, steps: int = 1) -> int:
    """Pairs whose codes are more than so many steps apart."""
    return int((np.abs(met.codes - met.other_codes) > steps).sum())
