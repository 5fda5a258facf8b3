"""The classifier of subreddits."""

import numpy as np

from evaluation.defences.classifier import ClassifiedComment, classify

WORDS = {"cooking": "soup oven garlic".split(), "cycling": "bike brakes hill".split()}


def make_comments(profiles=10):
    return [ClassifiedComment(at, name, WORDS[name]) for at in range(profiles) for name in WORDS]


def rng():
    return np.random.default_rng(1)


def test_learns_what_differs_and_fails_where_it_is_gone():
    comments = make_comments()
    swapped = {
        at: WORDS["cycling" if comment.subreddit == "cooking" else "cooking"] for at, comment in enumerate(comments)
    }
    result = classify(comments, [{}, swapped], rng())
    assert result.is_right.mean(axis=1).tolist() == [1, 1, 0]
    assert result.classes == 2


def test_nobody_is_recognised_by_their_own_words():
    """Each profile has words of its own that name the subreddit; nothing else does."""
    comments = [ClassifiedComment(at, name, [f"own{at}{name}"]) for at in range(10) for name in WORDS]
    assert classify(comments, [], rng()).is_right.mean() == 0.5


def test_learns_from_others_who_are_never_classified():
    comments = make_comments(2)
    others = [ClassifiedComment(at, name, WORDS[name]) for at in range(2, 6) for name in WORDS]
    assert classify(comments, [], rng()) is None
    result = classify(comments, [], rng(), others)
    assert (result.is_right.mean(), len(result.rows), result.classes) == (1, 4, 2)
    assert classify([], [], rng(), make_comments()) is None


def test_empty_texts_are_classified_too():
    comments = make_comments()
    result = classify(comments, [{key: [] for key in range(len(comments))}], rng())
    assert result.is_right[1].mean() == 0.5


def test_no_words_at_all():
    comments = [ClassifiedComment(at, name, []) for at in range(10) for name in WORDS]
    assert classify(comments, [], rng()).is_right.mean() == 0.5


def test_needs_two_subreddits_with_five_profiles():
    assert classify(make_comments(4), [], rng()) is None
    assert classify([], [], rng()) is None
    rare = [*make_comments(6), ClassifiedComment(0, "rare", ["x"])]
    assert len(classify(rare, [], rng()).rows) == 12
