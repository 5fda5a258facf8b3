"""What a judge model is asked. The text is a file with a version; its hash belongs in the signature."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.inference.judge.pairs import Pair
from evaluation.inference.judge.verdicts import Verdict
from evaluation.llm.requests import ChatRequest

CURRENT = "judge-1"
MAX_CHARACTERS = 300  # of a label and of a guess
MAX_TOKENS = 300
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "verdict": {"type": "string", "enum": [*Verdict]}},
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """`attributes` has the spoken name and a rule of each attribute."""

    name: str
    digest: str  # SHA-256 of the file
    system: str
    question: str
    attributes: Mapping[str, tuple[str, str]]

    def request(self, pair: Pair, *, has_schema: bool = True) -> ChatRequest:
        """Temperature 0. The pair stands in the question as JSON, so that neither text can end it."""
        spoken, rule = self.attributes[pair.attribute]
        texts = {"label": pair.label[:MAX_CHARACTERS], "guess": pair.guess[:MAX_CHARACTERS]}
        written = json.dumps({"attribute": spoken} | texts, ensure_ascii=False, indent=1)
        # The rule first: a label could contain “{rule}”.
        question = self.question.strip().replace("{rule}", rule).replace("{pair}", written)
        messages = (("system", self.system), ("user", question))
        schema = SCHEMA if has_schema else None
        return ChatRequest(messages, 0.0, MAX_TOKENS, json_schema=schema, profile_id=pair.profile_id)


def load_judge_prompt(name: str = CURRENT) -> JudgePrompt:
    contents = (Path(__file__).parent / f"{name}.toml").read_bytes()
    values = tomllib.loads(contents.decode())
    spoken = {attribute: (title, rule) for attribute, (title, rule) in values["attributes"].items()}
    return JudgePrompt(name, hashlib.sha256(contents).hexdigest(), values["system"], values["question"], spoken)
