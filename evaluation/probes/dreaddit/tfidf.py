"""A small trained reader of stress: TF-IDF and logistic regression, in numpy alone.

Words that occur in at least two texts, 1 + ln(count), times ln((1 + n) / (1 + df)) + 1,
rows of length 1; logistic regression with a penalty of half the squared weights (C = 1) and a free intercept. These are
the usual definitions, so that scikit-learn gives the same.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.stats.panel import Bools, Floats

WORD = re.compile(r"\b\w\w+\b")
LEAST_TEXTS = 2
STEPS, TOLERANCE, LEAST_CURVATURE = 50, 1e-8, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class StressReader:
    vocabulary: dict[str, int]
    idf: Floats
    weights: Floats
    intercept: float

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """Of stress."""
        rows = _rows([_terms(text) for text in texts], self.vocabulary, self.idf)
        return _sigmoid(rows @ self.weights + self.intercept)


def train_reader(texts: Sequence[str], labels: Bools) -> StressReader:
    terms = [_terms(text) for text in texts]
    frequencies = Counter(term for text in terms for term in text)
    kept = sorted(term for term, count in frequencies.items() if count >= LEAST_TEXTS)
    vocabulary = {term: at for at, term in enumerate(kept)}
    idf = np.log((1 + len(texts)) / (1 + np.array([frequencies[term] for term in kept], float))) + 1
    rows = _rows(terms, vocabulary, idf)
    alpha, intercept = _fit(rows @ rows.T, labels.astype(float))
    return StressReader(vocabulary, idf, rows.T @ alpha, intercept)


def _terms(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def _rows(terms: Sequence[Counter[str]], vocabulary: dict[str, int], idf: Floats) -> Floats:
    table = np.zeros((len(terms), len(vocabulary)))
    for row, text in zip(table, terms, strict=True):
        for term, count in text.items():
            if term in vocabulary:
                row[vocabulary[term]] = 1 + np.log(count)
    table *= idf
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    return np.asarray(table / np.where(lengths > 0, lengths, 1))


def _fit(kernel: Floats, labels: Floats) -> tuple[Floats, float]:
    """Newton's method on the texts' own weights: there are fewer texts than terms. The optimum is the same."""
    alpha, intercept = np.zeros(len(labels)), 0.0
    for _ in range(STEPS):
        values = kernel @ alpha + intercept
        chances = _sigmoid(values)
        curvature = np.maximum(chances * (1 - chances), LEAST_CURVATURE)
        target = values + (labels - chances) / curvature
        both = np.linalg.solve(kernel + np.diag(1 / curvature), np.column_stack([target, np.ones(len(labels))]))
        intercept = float(both[:, 0].sum() / both[:, 1].sum())
        step = both[:, 0] - intercept * both[:, 1]
        is_done = float(np.abs(step - alpha).max()) < TOLERANCE
        alpha = step
        if is_done:
            break
    return alpha, intercept


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -500, 500))))
