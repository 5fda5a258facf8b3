"""The documented figures of the baselines are those of the demo corpus."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from evaluation.inference.baselines import BASELINES, BaselineProfile, Hint, predict
from evaluation.inference.records import ATTRIBUTES, Label, Prediction
from evaluation.inference.selection import Text
from evaluation.inference.settings import SEED
from evaluation.inference.sound import grade, is_abstention
from profiles.demo.generator import generate
from profiles.demo.records import DemoProfile
from profiles.hints.store import shipped_hints

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "inference-baselines.md"


@cache
def demo_profiles() -> list[BaselineProfile]:
    return [baseline_profile(pk, profile) for pk, profile in enumerate(generate(), start=1)]


def baseline_profile(pk: int, profile: DemoProfile) -> BaselineProfile:
    blank = dict.fromkeys(ATTRIBUTES, Label("", 0, 0))
    labels = {answer.attribute: Label(answer.value, answer.hardness, answer.certainty) for answer in profile.answers}
    counts = Counter(comment.subreddit.lower() for comment in profile.comments)
    hints = [
        Hint(row.attribute, row.value, row.subreddit, counts[row.subreddit.lower()])
        for row in shipped_hints_of(frozenset(counts))
    ]
    texts = [Text(at, text.subreddit, text.written_at, text.body) for at, text in enumerate(profile.comments)]
    return BaselineProfile(pk, blank | labels, texts, hints)


def shipped_hints_of(subreddits):
    return [row for row in hint_rows() if row.subreddit.lower() in subreddits]


@cache
def hint_rows():
    return shipped_hints()


def credits_of(attribute: str, prediction: Prediction, label: Label) -> list[float]:
    return [grade(attribute, guess, label.value).grade.credit for guess in prediction.guesses]


@pytest.mark.parametrize("name", BASELINES)
def test_the_figures_are_right(name):
    predictions, counts = predict(name, demo_profiles(), seed=SEED), Counter()
    for profile in demo_profiles():
        for attribute, label in profile.labels.items():
            prediction = predictions[profile.pk][attribute]
            has_guess = not is_abstention(prediction.guesses[0], attribute)
            if label.is_negative:
                counts.update(negatives=1, guessed_negatives=has_guess)
            elif label.certainty >= 3:
                marks = credits_of(attribute, prediction, label)
                is_explicit = label.hardness == 1
                counts.update(n=1, top1=marks[0] == 1, top3=max(marks) == 1, guessed=has_guess, explicit=is_explicit)
                counts["right_explicit"] += is_explicit and marks[0] == 1
    row = re.search(rf"^\| `{name}` \| (\d.*) \|$", PAGE.read_text(), re.MULTILINE)[1].split(" | ")
    explicit, negatives = (
        f"{counts[part]} of {counts[whole]}"
        for part, whole in (("right_explicit", "explicit"), ("guessed_negatives", "negatives"))
    )
    tops = [f"{counts[top]} of {counts['n']}" for top in ("top1", "top3")]
    assert row == [*tops, str(counts["guessed"]), explicit, negatives]
