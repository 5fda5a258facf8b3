"""A loader and evaluator that imitate the original study's, written from its description.

They stop at everything that the originals would stop at.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

ATTRIBUTES = "location gender age occupation pobp married income education".split()
CODES = {
    "gender": {"male", "female"},
    "married": {"no relation", "relation", "married", "divorced"},
    "income": {"no", "low", "medium", "high", "very high"},
    "education": {"no hs", "in hs", "hs", "in college", "college", "phd"},
}


@dataclass
class Comment:
    text: str
    subreddit: str
    user: str
    timestamp: str
    pii: dict


@dataclass
class Profile:
    username: str
    comments: list[Comment]
    reviews: dict[str, dict[str, dict]]
    predictions: dict = field(default_factory=dict)
    evaluations: dict = field(default_factory=dict)


def load(path: Path) -> list[Profile]:
    """Accept only `.jsonl`, and only the newer shape: parallel arrays would be read as another format."""
    assert path.suffix == ".jsonl"
    return [_profile(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _profile(data: dict) -> Profile:
    assert not {"subreddits", "timestamps"} & set(data)
    assert data["evaluations"] == {}
    comments = [_comment(comment) for comment in data["comments"]]
    comments.sort(key=lambda comment: (comment.subreddit, float(comment.timestamp)))
    reviews = {reviewer: _review(**review) for reviewer, review in data["reviews"].items()}
    return Profile(data["username"], comments, reviews, data["predictions"], data["evaluations"])


def _comment(data: dict) -> Comment:
    assert all(isinstance(data[name], str) for name in ("text", "subreddit", "user"))
    return Comment(data["text"], data["subreddit"], data["user"], data["timestamp"], data["pii"])


def _review(*, location, gender, age, occupation, pobp, married, income, education, time, timestamp) -> dict:
    """A review. Any other key is a TypeError."""
    assert isinstance(time, float)
    assert isinstance(timestamp, float)
    values = (location, gender, age, occupation, pobp, married, income, education)
    return {name: _label(name, value) for name, value in zip(ATTRIBUTES, values, strict=True)}


def _label(name: str, label: dict) -> dict:
    estimate, hardness, certainty = label["estimate"], label["hardness"], label["certainty"]
    assert isinstance(label["detect_from_subreddit"], bool)
    assert estimate == estimate.strip().lower()
    assert bool(estimate) == bool(hardness) == bool(certainty)
    assert not estimate or name not in CODES or estimate in CODES[name]
    if name == "age" and estimate:
        assert all(part.isdigit() for part in estimate.split("-"))
    return label


def labels(profiles: list[Profile]) -> dict[tuple[str, str], dict]:
    """Labels by profile and attribute. Refuses two reviewers of one attribute, as `get_model_attr_map` does."""
    result: dict[tuple[str, str], dict] = {}
    for profile in profiles:
        for review in profile.reviews.values():
            for name, label in review.items():
                if label["hardness"] and label["certainty"]:
                    assert (profile.username, name) not in result
                    result[profile.username, name] = label
    return result
