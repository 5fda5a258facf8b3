"""Recipes of defences: names, digests, and what can't be read."""

import pytest

from evaluation.defences.recipes import DefenceRecipe, Method, Replacement, UnknownRecipe


@pytest.mark.parametrize(
    ("recipe", "key", "title"),
    [
        (DefenceRecipe(method=Method.NONE), "none", "No defence"),
        (DefenceRecipe(method=Method.DETECTIONS), "detections-tag", "Presidio, replaced by type"),
        (DefenceRecipe(method=Method.DETECTIONS, is_file=True), "detections-tag", "Detector’s file, replaced by type"),
        (DefenceRecipe(method=Method.BOTH, replacement=Replacement.STARS), "both-stars", None),
        (DefenceRecipe(method=Method.REWRITE), "rewrite-1", "Rewritten by the model, 1 round"),
        (DefenceRecipe(method=Method.REWRITE, rounds=2), "rewrite-2", "Rewritten by the model, 2 rounds"),
    ],
)
def test_keys_and_titles(recipe, key, title):
    assert recipe.key == key
    assert title is None or recipe.title == title


@pytest.mark.parametrize("method", list(Method))
def test_json_and_back_is_the_same_defence(method):
    recipe = DefenceRecipe(method=method, replacement=Replacement.SURROGATE, detector="abc", seed=7, rounds=3)
    again = DefenceRecipe.from_json(recipe.as_json())
    assert (again.digest, again.key) == (recipe.digest, recipe.key)


def test_only_what_changes_texts_changes_the_digest():
    def digest(**values):
        return DefenceRecipe(**values).digest

    assert digest(method=Method.NONE, seed=1) == digest(method=Method.NONE, seed=2)
    assert digest(method=Method.EVIDENCE, seed=1) == digest(method=Method.EVIDENCE, seed=2)
    assert digest(method=Method.RANDOM, seed=1) != digest(method=Method.RANDOM, seed=2)
    assert digest(method=Method.DETECTIONS, detector="a") != digest(method=Method.DETECTIONS, detector="b")
    assert digest(method=Method.RANDOM) != digest(method=Method.RANDOM, imitates=Method.EVIDENCE)
    assert digest(method=Method.RANDOM) != digest(method=Method.RANDOM, imitates=Method.BOTH)
    imitation = {"method": Method.RANDOM, "imitates": Method.EVIDENCE}
    assert digest(**imitation, detector="a") == digest(**imitation, detector="b")
    assert digest(method=Method.BOTH, detector="a") != digest(method=Method.BOTH, detector="a", is_file=True)
    assert digest(method=Method.REWRITE, rewriter="a") != digest(method=Method.REWRITE, rewriter="b")


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"method": "magic"},
        {"method": "rewrite", "rounds": 6},
        {"method": None},
        {"method": "random", "imitates": "rewrite"},
    ],
)
def test_refuses_what_is_no_recipe(values):
    with pytest.raises(UnknownRecipe):
        DefenceRecipe.from_json(values)
