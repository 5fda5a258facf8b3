"""Recipes: everything that determines detections, so that results can be traced. Imports no Presidio or spaCy."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from profiles.models import EntityType, Recipe

RECOGNISERS = ("EmailRecognizer", "PhoneRecognizer", "SpacyRecognizer")
ENTITIES = tuple(EntityType.values)
OVERLAP = "longest, then score, then type"


@dataclass(frozen=True, slots=True)
class Model:
    """An installed spaCy model for one language."""

    language: str
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A custom recogniser: a regular expression. Context words near a match raise its score."""

    name: str
    entity_type: str
    regex: str
    score: float = 0.5
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WordList:
    """A custom recogniser: whole words or phrases, ignoring case."""

    name: str
    entity_type: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything that determines detections: two runs with equal contents detect the same."""

    models: tuple[Model, ...]
    presidio: str
    spacy: str
    libraries: tuple[tuple[str, str], ...] = ()  # others that detections depend on, with versions
    recognisers: tuple[str, ...] = RECOGNISERS
    entities: tuple[str, ...] = ENTITIES
    threshold: float = 0.0
    context: tuple[str, ...] = ()  # words that count as near every detection
    patterns: tuple[Pattern, ...] = ()
    word_lists: tuple[WordList, ...] = ()
    overlap: str = OVERLAP

    @property
    def all_entities(self) -> tuple[str, ...]:
        """The entity types, including those of custom recognisers, each once, in a stable order."""
        custom: tuple[Pattern | WordList, ...] = (*self.patterns, *self.word_lists)
        own = [recogniser.entity_type for recogniser in custom]
        return tuple(dict.fromkeys([*self.entities, *own]))

    def with_custom(self, *, patterns: tuple[Pattern, ...] = (), word_lists: tuple[WordList, ...] = ()) -> "Contents":
        return replace(self, patterns=self.patterns + patterns, word_lists=self.word_lists + word_lists)

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, written: dict[str, Any]) -> "Contents":
        return cls(
            models=tuple(Model(**model) for model in written["models"]),
            presidio=written["presidio"],
            spacy=written["spacy"],
            libraries=tuple((name, version) for name, version in written.get("libraries", [])),
            recognisers=tuple(written["recognisers"]),
            entities=tuple(written["entities"]),
            threshold=written["threshold"],
            context=tuple(written["context"]),
            patterns=tuple(Pattern(**(data | {"context": tuple(data["context"])})) for data in written["patterns"]),
            word_lists=tuple(WordList(**(data | {"words": tuple(data["words"])})) for data in written["word_lists"]),
            overlap=written["overlap"],
        )

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        models = ", ".join(f"{model.name} {model.version}" for model in self.models)
        return f"Presidio {self.presidio}, {models}"


def get_or_create_recipe(contents: Contents, name: str = "") -> Recipe:
    """Return the recipe with these contents, created if needed."""
    existing = Recipe.objects.filter(digest=contents.digest).first()
    if existing:
        return existing
    title = (name or contents.title)[:100]
    taken = Recipe.objects.filter(name=title).exists()
    name = f"{title[:90]} {contents.digest[:8]}" if taken else title
    return Recipe.objects.get_or_create(
        digest=contents.digest, defaults={"name": name, "contents": contents.to_json()}
    )[0]
