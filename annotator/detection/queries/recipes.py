"""A recipe in words, all of it."""

from typing import Any

from annotator.core.formatting import number
from annotator.detection.queries.entity_types import kind_of
from profiles.models import Recipe

NONE = "none"


def recipe_in_words(recipe: Recipe) -> list[tuple[str, str]]:
    """What determines detections, a line for each. No query."""
    said: dict[str, Any] = recipe.contents
    lines = [
        ("Models", ", ".join(f"{one['name']} {one['version']} ({one['language']})" for one in said.get("models", []))),
        ("Presidio", said.get("presidio", "")),
        ("spaCy", said.get("spacy", "")),
        ("Libraries", ", ".join(f"{name} {version}" for name, version in said.get("libraries", []))),
        ("Recognisers", ", ".join(said.get("recognisers", []))),
        ("Entity types", ", ".join(kind_of(one).label for one in said.get("entities", []))),
        ("Threshold", number(said.get("threshold", 0))),
        ("Context words", ", ".join(said.get("context", []))),
        *((f"Pattern {one['name']}", _pattern(one)) for one in said.get("patterns", [])),
        *((f"Word list {one['name']}", _word_list(one)) for one in said.get("word_lists", [])),
        ("Overlaps", said.get("overlap", "")),
        ("Digest", recipe.digest),
    ]
    return [(name, words or NONE) for name, words in lines]


def _pattern(one: dict[str, Any]) -> str:
    context = f", higher near {', '.join(one['context'])}" if one.get("context") else ""
    return f"{one['entity_type']}, score {number(one['score'])}{context}: {one['regex']}"


def _word_list(one: dict[str, Any]) -> str:
    words = one["words"]
    more = f" and {number(len(words) - 20)} more" if len(words) > 20 else ""
    return f"{one['entity_type']}: {', '.join(words[:20])}{more}"
