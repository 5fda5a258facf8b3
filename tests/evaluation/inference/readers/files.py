"""Profiles as the two formats write them."""

import json
from pathlib import Path
from typing import Any

JsonObject = dict[str, Any]


def label(estimate: object = "nurse", hardness: object = 1, certainty: object = 5, **more: object) -> JsonObject:
    return {"estimate": estimate, "hardness": hardness, "certainty": certainty, **more}


def synthpai(name: str = "a", **parts: Any) -> JsonObject:
    """Labelled and guessed: an occupation and a place."""
    line = {
        "username": name,
        "comments": [{"text": "not to be quoted", "username": name, "pii": {}}],
        "reviews": {
            "human": {"occupation": label("doctor"), "timestamp": 0, "time": 0},
            "human_evaluated": {"occupation": label(acc_gt=1), "city_country": label("rome, italy", acc_gt=0.5)},
        },
        "predictions": {
            "gpt-4": {
                "occupation": {"inference": "x", "guess": ["nurse", "doctor", "clerk"]},
                "city_country": {"inference": "x", "guess": ["milan, italy"]},
                "full_answer": "not to be quoted",
            }
        },
        "evaluations": {"gpt-4": {"human_evaluated": {"occupation": [1, 0, 0], "city_country": [0.5]}}},
    }
    return line | parts


def llmprivacy(name: str = "a", **parts: Any) -> JsonObject:
    line = {
        "username": name,
        "comments": [],
        "reviews": {
            "ada": {
                "location": label("guelph / ontario / canada", 4, 4, detect_from_subreddit=True),
                "gender": label("", 0, 0, detect_from_subreddit=False),
                "timestamp": 1.0,
                "time": 212.4,
            }
        },
        "predictions": {"m": {"location": {"inference": "x", "guess": ["Guelph"]}}},
        "evaluations": {},
    }
    return line | parts


def write(path: Path, *lines: object) -> Path:
    """Texts and bytes as they are, everything else as JSON."""
    texts = [line if isinstance(line, str | bytes) else json.dumps(line) for line in lines]
    path.write_bytes(b"\n".join(text.encode() if isinstance(text, str) else text for text in texts))
    return path
