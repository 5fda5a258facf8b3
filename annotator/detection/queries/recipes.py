"""Describe a recipe in full."""

from typing import Any

from annotator.core.formatting import number
from annotator.detection.queries.entity_types import kind_of
from profiles.models import Recipe

NONE = "none"


def describe_recipe(recipe: Recipe) -> list[tuple[str, str]]:
    """Everything that determines detections, as pairs of name and value. No query."""
    contents: dict[str, Any] = recipe.contents
    lines = [
        (
            "Models",
            ", ".join(
                f"{model['name']} {model['version']} ({model['language']})" for model in contents.get("models", [])
            ),
        ),
        ("Presidio", contents.get("presidio", "")),
        ("spaCy", contents.get("spacy", "")),
        ("Libraries", ", ".join(f"{name} {version}" for name, version in contents.get("libraries", []))),
        ("Recognisers", ", ".join(contents.get("recognisers", []))),
        ("Entity types", ", ".join(kind_of(entity_type).label for entity_type in contents.get("entities", []))),
        ("Threshold", number(contents.get("threshold", 0))),
        ("Context words", ", ".join(contents.get("context", []))),
        *((f"Pattern {pattern['name']}", _pattern(pattern)) for pattern in contents.get("patterns", [])),
        *((f"Word list {word_list['name']}", _word_list(word_list)) for word_list in contents.get("word_lists", [])),
        ("Overlaps", contents.get("overlap", "")),
        ("Digest", recipe.digest),
    ]
    return [(name, value or NONE) for name, value in lines]


def _pattern(pattern: dict[str, Any]) -> str:
    context = f", higher near {', '.join(pattern['context'])}" if pattern.get("context") else ""
    return f"{pattern['entity_type']}, score {number(pattern['score'])}{context}: {pattern['regex']}"


def _word_list(word_list: dict[str, Any]) -> str:
    words = word_list["words"]
    more = f" and {number(len(words) - 20)} more" if len(words) > 20 else ""
    return f"{word_list['entity_type']}: {', '.join(words[:20])}{more}"
