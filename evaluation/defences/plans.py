"""A run over defences that somebody wants: whom to defend how, who attacks, and what it may cost."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evaluation.defences.controls import imitated_method
from evaluation.defences.detector_files import DetectorFile
from evaluation.defences.recipes import MAX_ROUNDS, SEED, DefenceRecipe, Method, Replacement
from evaluation.defences.rewriting import load_rewriting_prompt
from evaluation.inference.plans import InferencePlan, question_settings
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.scopes import Scope
from evaluation.inference.settings import Settings
from evaluation.llm.budget import Limit
from evaluation.runs.systems import System
from profiles.models import DetectionRun

NO_DEFENCE = DefenceRecipe(method=Method.NONE)
NEEDS_DETECTION = (
    "Masking what Presidio marked needs a finished detection run of the corpus. Start one, or use a detector’s file."
)
NEEDS_MODEL = "Rewriting needs a language model. Choose one that rewrites, or leave rewriting out."
NOTHING_TO_REWRITE = "A model that rewrites needs a defence that rewrites. Choose at least one round, or leave it out."
NO_DEFENCES = "Choose at least one defence."
TWICE = "Each defence can be chosen once."
UNKNOWN = "“{key}” is not a defence. Use one of: {keys}."
NO_ACCOUNTS = {"account": "", "rewriter_account": ""}  # the names under which a run pays
DEFAULT_KEYS = ("detections-tag", "evidence-tag", "both-tag", "random-tag")
KEYS = (
    *(f"{method}-{replacement}" for method in (Method.DETECTIONS, Method.EVIDENCE, Method.BOTH, Method.RANDOM)
      for replacement in Replacement),
    *(f"{Method.REWRITE}-{rounds}" for rounds in range(1, MAX_ROUNDS + 1)),
)  # fmt: skip


class PlanRefused(ValueError):
    """The defences can't be measured like this. The message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefencePlan:
    """`recipes` are the defences besides none, which is always measured first.

    Detections are those of a finished run or, instead, of another detector's file. `population` is the text of a table
    of counts, or empty. `rewriter` is the model that rewrites; None is the attacking one. Raises PlanRefused.
    """

    system: System
    scope: Scope
    recipes: Sequence[DefenceRecipe]
    detection: DetectionRun | None = None
    detector: DetectorFile | None = None
    rewriter: System | None = None
    question: QuestionSettings | None = None
    prompt: Prompt | None = None
    scoring: Settings = field(default_factory=Settings)
    limit: Limit = field(default_factory=Limit)
    population: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        methods = {recipe.method for recipe in self.recipes}
        if not methods - {Method.NONE}:
            raise PlanRefused(NO_DEFENCES)
        if len({recipe.key for recipe in self.recipes}) < len(self.recipes):
            raise PlanRefused(TWICE)
        if methods & {Method.DETECTIONS, Method.BOTH} and not (self.detection or self.detector):
            raise PlanRefused(NEEDS_DETECTION)
        if Method.REWRITE in methods and not self.is_asked:
            raise PlanRefused(NEEDS_MODEL)
        if self.rewriter and Method.REWRITE not in methods:
            raise PlanRefused(NOTHING_TO_REWRITE)

    @property
    def is_asked(self) -> bool:
        """Whether it takes requests to a model, and may cost something."""
        return self.system.is_asked or self.rewriter is not None

    @property
    def title(self) -> str:
        return self.name or f"Defences against {self._attack.title}"

    def settings(self) -> dict[str, Any]:
        """Complete enough to repeat the run."""
        contents = self._attack.settings() | {
            "defences": [recipe.as_json() for recipe in self.all_recipes],
            "detection": self.detection.pk if self.detection and not self.detector else None,
            "detector_file": self.detector.as_json() if self.detector else None,
            "population": self.population,
        }
        if any(recipe.method is Method.REWRITE for recipe in self.recipes):
            contents["rewriting_prompt"] = load_rewriting_prompt().digest
        if self.rewriter:
            # A model of its own infers before it rewrites, and pays under a name of its own.
            contents["rewriter"] = self.rewriter.as_json()
            contents["rewriter_account"] = f"rewrite:{secrets.token_hex(8)}"
            contents["question"] = question_settings(self.question, self.prompt)
        return contents

    @property
    def all_recipes(self) -> list[DefenceRecipe]:
        """None first."""
        chosen = [recipe for recipe in self.recipes if recipe.method is not Method.NONE]
        rewriter = self.rewriter.title if self.rewriter else ""
        named = [replace(recipe, rewriter=rewriter) if recipe.method is Method.REWRITE else recipe for recipe in chosen]
        return [NO_DEFENCE, *complete_recipes(named, self.detection, self.detector)]

    @property
    def digest(self) -> str:
        """Tells whether a plan is the one that was checked by a dry run."""
        contents = self.settings() | NO_ACCOUNTS | {"corpus": self.scope.corpus.pk}
        return hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def _attack(self) -> InferencePlan:
        return InferencePlan(
            self.system, scoring=self.scoring, scope=self.scope, question=self.question, prompt=self.prompt,
            limit=self.limit,
        )  # fmt: skip


def complete_recipes(
    recipes: Sequence[DefenceRecipe], detection: DetectionRun | None, detector: DetectorFile | None
) -> list[DefenceRecipe]:
    """What is masked depends on the detector, and what the control imitates on the other defences."""
    digest = detection.recipe.digest if detection else ""
    digest = detector.sha256 if detector else digest
    imitated = imitated_method({recipe.method for recipe in recipes}, has_detections=bool(digest))
    return [replace(recipe, detector=digest, is_file=bool(detector), imitates=imitated) for recipe in recipes]


def recipe_of(key: str, seed: int = SEED) -> DefenceRecipe:
    """The recipe with this key. Raises PlanRefused."""
    method, _, detail = key.partition("-")
    if key not in KEYS:
        raise PlanRefused(UNKNOWN.format(key=key, keys=", ".join(KEYS)))
    if method == Method.REWRITE:
        return DefenceRecipe(method=Method.REWRITE, rounds=int(detail))
    return DefenceRecipe(method=Method(method), replacement=Replacement(detail), seed=seed)
