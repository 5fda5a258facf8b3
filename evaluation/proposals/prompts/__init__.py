"""What a model is asked for subreddits. The words are a file with a version, and a published version never changes."""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CURRENT = "proposals-1"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "subreddits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "reason": {"type": "string"}},
                "required": ["name", "reason"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["subreddits"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Question:
    """One question in two forms: for endpoints that honour a JSON schema, and for all others."""

    as_json: str
    as_lines: str

    def text(self, *, has_schema: bool) -> str:
        return self.as_json if has_schema else self.as_lines


@dataclass(frozen=True, slots=True)
class Prompts:
    """The two questions, and how the people of each attribute are called."""

    name: str
    digest: str  # SHA-256 of the file
    system: str
    words: Mapping[str, Any]

    def first(self, attribute: str, value: str, *, number: int, examples: Sequence[str] = ()) -> Question:
        names = ", ".join(f"r/{name}" for name in examples)
        shown = _fill(self.words["examples"], names=names) if names else ""
        return self._question("first", people=self.people(attribute, value), number=str(number), examples=shown)

    def second(self, attribute: str, value: str) -> Question:
        return self._question("second", people=self.people(attribute, value))

    def people(self, attribute: str, value: str) -> str:
        """Who writes there, in words: “married people”, “people who live in Leeds, England”."""
        words = self.words["people"][attribute]
        if not isinstance(words, str):
            return str(words[value])
        spoken = value.replace("-", " to ") if attribute == "age" else re.sub(r"\s*/\s*", ", ", value)
        return _fill(words, value=spoken)

    def _question(self, name: str, **values: str) -> Question:
        question = _fill(self.words[name], **values).strip()
        return Question(f"{question}\n\n{self.words['as_json']}", f"{question}\n\n{self.words['as_lines']}")


def load_prompts(name: str = CURRENT) -> Prompts:
    contents = (Path(__file__).parent / f"{name}.toml").read_bytes()
    words = tomllib.loads(contents.decode())
    return Prompts(name, hashlib.sha256(contents).hexdigest(), words["system"], words)


def _fill(text: str, **values: str) -> str:
    """In one pass, so that braces in what somebody typed stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)
