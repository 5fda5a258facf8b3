"""A run that somebody wants: who is asked what about whom, how it is scored, and what it may cost."""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.inference.judge.prompts import load_judge_prompt
from evaluation.inference.judge.verdicts import VERSION as JUDGE_VERSION
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.scopes import Scope
from evaluation.inference.selection import RULE
from evaluation.inference.settings import Settings
from evaluation.llm.budget import Limit
from evaluation.models import ModelEndpoint
from evaluation.runs.systems import System


@dataclass(frozen=True, slots=True)
class InferencePlan:
    """`scope`, `question` and `prompt` are None for uploaded predictions, which bring their own labels.

    `judge` decides what the rules call wrong; None is no judge. `defence` describes what was done to the texts first,
    with its title and whatever is needed to do it again; None is nothing.
    """

    system: System
    scoring: Settings = field(default_factory=Settings)
    scope: Scope | None = None
    question: QuestionSettings | None = None
    prompt: Prompt | None = None
    limit: Limit = field(default_factory=Limit)
    name: str = ""
    judge: ModelEndpoint | None = None
    defence: Mapping[str, Any] | None = None

    @property
    def title(self) -> str:
        if self.name:
            return self.name
        place = (self.scope.batch or self.scope.corpus).name if self.scope else ""
        title = f"{self.system.title} on {place}" if place else self.system.title
        return f"{title}: {self.defence['title']}" if self.defence else title

    def settings(self) -> dict[str, Any]:
        """Complete enough to repeat the run."""
        contents: dict[str, Any] = {
            "system": self.system.as_json(),
            "batch": self.scope.batch.pk if self.scope and self.scope.batch else None,
            "limit": self.scope.limit if self.scope else None,
            "scoring": self.scoring.as_json(),
            "budget": self.limit.as_json(),
        }
        if self.scope and self.scope.prompted is not Prompted.NONE:
            contents["prompted"] = self.scope.prompted.value
        if self.system.is_asked and self.question and self.prompt:
            contents["question"] = question_settings(self.question, self.prompt)
            contents["account"] = f"infer:{secrets.token_hex(8)}"  # under which it pays; a run that goes on keeps it
        if self.defence:
            contents["defence"] = dict(self.defence)
        if self.judge:
            contents["judge"] = judge_settings(self.judge) | {"account": f"judge:{secrets.token_hex(8)}"}
        return contents

    @property
    def digest(self) -> str:
        """Tells whether a plan is the one that was checked by a dry run."""
        judge = judge_settings(self.judge) if self.judge else None
        contents = self.settings() | {
            "account": "",
            "judge": judge,
            "corpus": self.scope.corpus.pk if self.scope else None,
        }
        return hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()[:16]


def question_settings(question: QuestionSettings | None, prompt: Prompt | None) -> dict[str, Any]:
    """As the settings of a run keep them. A model can't be asked without either."""
    if question is None or prompt is None:
        raise ValueError("To ask a model, give a question and a prompt.")
    return question.as_json() | {"prompt_sha256": prompt.digest, "selection": RULE}


def judge_settings(row: ModelEndpoint) -> dict[str, Any]:
    prompt = load_judge_prompt()
    details = {"endpoint": row.pk, "base_url": row.base_url, "model": row.model}
    return details | {"prompt": prompt.name, "prompt_sha256": prompt.digest, "version": JUDGE_VERSION}


def file_title(name: str, model: str) -> str:
    return f"{model} ({Path(name).stem})"
