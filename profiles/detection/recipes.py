"""What determines detections, written down so that a number can be traced to it. Knows neither Presidio nor spaCy."""

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
    """A spaCy model for one language, as it was installed."""

    language: str
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A recogniser of one's own: a regular expression. Words of the context around it raise its score."""

    name: str
    entity_type: str
    regex: str
    score: float = 0.5
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WordList:
    """A recogniser of one's own: whole words or phrases, upper and lower case alike."""

    name: str
    entity_type: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """All of it. Two runs with equal contents find the same."""

    models: tuple[Model, ...]
    presidio: str
    spacy: str
    libraries: tuple[tuple[str, str], ...] = ()  # others that findings depend on, each with its version
    recognisers: tuple[str, ...] = RECOGNISERS
    entities: tuple[str, ...] = ENTITIES
    threshold: float = 0.0
    context: tuple[str, ...] = ()  # words that count as standing near every finding
    patterns: tuple[Pattern, ...] = ()
    word_lists: tuple[WordList, ...] = ()
    overlap: str = OVERLAP

    @property
    def all_entities(self) -> tuple[str, ...]:
        """With those that its own recognisers find, each once, in a stable order."""
        own = [pattern.entity_type for pattern in self.patterns] + [one.entity_type for one in self.word_lists]
        return tuple(dict.fromkeys([*self.entities, *own]))

    def with_own(self, *, patterns: tuple[Pattern, ...] = (), word_lists: tuple[WordList, ...] = ()) -> "Contents":
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
            patterns=tuple(Pattern(**(one | {"context": tuple(one["context"])})) for one in written["patterns"]),
            word_lists=tuple(WordList(**(one | {"words": tuple(one["words"])})) for one in written["word_lists"]),
            overlap=written["overlap"],
        )

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        models = ", ".join(f"{model.name} {model.version}" for model in self.models)
        return f"Presidio {self.presidio}, {models}"


def keep_recipe(contents: Contents, name: str = "") -> Recipe:
    """The recipe with these contents: the one that is there, or a new one."""
    found = Recipe.objects.filter(digest=contents.digest).first()
    if found:
        return found
    wanted = (name or contents.title)[:100]
    taken = Recipe.objects.filter(name=wanted).exists()
    name = f"{wanted[:90]} {contents.digest[:8]}" if taken else wanted
    return Recipe.objects.get_or_create(
        digest=contents.digest, defaults={"name": name, "contents": contents.to_json()}
    )[0]
