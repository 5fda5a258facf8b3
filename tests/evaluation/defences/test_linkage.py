"""Linkage: the nearest original by its words."""

import numpy as np
import pytest

from evaluation.defences import linkage
from evaluation.defences.linkage import link
from evaluation.defences.words import words_of

ORIGINALS = ["bread oven garlic soup", "bike helmet brakes hill", "garden seeds soil tulips", "chess rook bishop pawn"]


def test_texts_that_stay_are_found():
    linkage = link(ORIGINALS, ORIGINALS)
    assert linkage.top1.tolist() == [1, 1, 1, 1]
    assert linkage.candidates == 4


def test_a_text_that_became_another_is_not_found_first_but_among_ten():
    linkage = link(ORIGINALS, ["bike helmet", *ORIGINALS[1:]])
    assert linkage.top1.tolist() == [0, 1, 1, 1]
    assert linkage.top10.tolist() == [1, 1, 1, 1]


def test_an_empty_text_is_found_by_chance():
    linkage = link(ORIGINALS * 5, [""], [0])
    assert linkage.top1.tolist() == pytest.approx([1 / 20])
    assert linkage.top10.tolist() == pytest.approx([10 / 20])


def test_equal_originals_share_the_chance():
    assert link(["same words", "same words"], ["same words"]).top1.tolist() == [0.5]


def test_a_single_candidate_is_always_found():
    assert link(["alone"], [""]).top1.tolist() == [1]


def test_nobody_at_all():
    assert link([], []).top1.tolist() == []


@pytest.mark.parametrize("frequent", [0, 3, 2000])
def test_dense_and_rare_words_give_the_same_similarity(monkeypatch, frequent):
    """However many words are dense: same as cosines by hand."""
    monkeypatch.setattr(linkage, "FREQUENT", frequent)
    rng = np.random.default_rng(1)
    words = [f"w{number}" for number in range(12)]
    originals = [" ".join(rng.choice(words, 9)) for _ in range(7)]
    defended = [" ".join(rng.choice(words, 4)) for _ in range(7)]
    linker = linkage.Linker([words_of(text) for text in originals])
    entries = linker._entries([linkage.Counter(words_of(text)) for text in defended])
    assert linker._similarities(entries) == pytest.approx(_cosines(originals, defended), abs=1e-5)


def _cosines(originals, defended):
    names = sorted({word for text in originals for word in text.split()})
    frequencies = np.array([sum(name in text.split() for text in originals) for name in names])
    idf = np.log((1 + len(originals)) / (1 + frequencies)) + 1

    def vector(text):
        counts = np.array([text.split().count(name) for name in names])
        weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * idf
        return weights / (np.linalg.norm(weights) or 1)

    return np.array([[vector(first) @ vector(second) for second in originals] for first in defended])
