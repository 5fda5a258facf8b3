"""Baselines, which need no model."""

import numpy as np
import pytest

from evaluation.probes.dreaddit import PROBE
from evaluation.probes.dreaddit.baselines import (
    Baseline,
    BaselineUnusable,
    answer_by_baseline,
    measured_items,
    training_items,
)
from evaluation.probes.dreaddit.items import read_items
from evaluation.probes.dreaddit.tfidf import train_reader
from tests.evaluation.probes.dreaddit.files import make_rows, write_csv


@pytest.fixture
def items(tmp_path):
    test = write_csv(tmp_path / "test.csv", make_rows(30))
    train = write_csv(tmp_path / "train.csv", make_rows(60, start=100))
    return read_items([test, train]).items


def answer(baseline, items, seed=1):
    measured = measured_items(baseline, items)
    training = training_items(baseline, items)
    return answer_by_baseline(baseline, measured, PROBE.variants, 2, seed, training=training)


def test_random_answers_follow_the_seed(items):
    first, again, other = (answer(Baseline.RANDOM, items, seed).codes for seed in (1, 1, 2))
    assert (first == again).all()
    assert not (first == other).all()
    assert 0.4 < first.mean() < 0.6


def test_always_yes(items):
    assert (answer(Baseline.ALWAYS_YES, items).codes == 1).all()


def test_words_are_learned_on_train_and_measured_on_test(items):
    evaluated = answer(Baseline.TFIDF, items)
    assert {item.split for item in evaluated.items} == {"test"}
    assert ((evaluated.codes[:, 0, 0] == 1) == evaluated.labels).all()
    assert (evaluated.codes == evaluated.codes[:, :1, :1]).all()


def test_words_need_both_splits(items):
    with pytest.raises(BaselineUnusable):
        answer(Baseline.TFIDF, [item for item in items if item.split == "test"])
    with pytest.raises(BaselineUnusable):
        answer(Baseline.TFIDF, [item for item in items if item.split == "train"])


def test_the_reader_is_at_the_optimum_of_logistic_regression():
    """Where the gradient of the loss plus half the squared weights vanishes."""
    rng = np.random.default_rng(1)
    words = [f"word{at}" for at in range(30)]
    texts = [" ".join(rng.choice(words, 12)) for _ in range(80)]
    labels = np.array(["word1 " in text or rng.random() < 0.3 for text in texts])
    reader = train_reader(texts, labels)
    errors = labels - reader.probabilities(texts)
    assert errors.sum() == pytest.approx(0, abs=1e-6)
    # The weights are the texts' errors carried over to their terms: at the optimum, twice the same.
    from evaluation.probes.dreaddit.tfidf import _rows, _terms

    rows = _rows([_terms(text) for text in texts], reader.vocabulary, reader.idf)
    assert rows.T @ errors == pytest.approx(reader.weights, abs=1e-6)
