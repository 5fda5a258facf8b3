"""What a defence does to texts: a recipe with a version and a hash, kept with the run that used it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from annotator.core.formatting import plural

VERSION = 1  # of the definitions; increase it whenever one changes
SEED = 12345
MAX_ROUNDS = 5
DIGEST_LENGTH = 12


class Method(StrEnum):
    NONE = "none"
    DETECTIONS = "detections"
    EVIDENCE = "evidence"
    BOTH = "both"
    RANDOM = "random"  # a control: as many characters as another defence masks, but anywhere
    REWRITE = "rewrite"


class Replacement(StrEnum):
    TAG = "tag"  # [LOCATION]
    STARS = "stars"  # one for each character
    SURROGATE = "surrogate"  # something made up of the same type


ORIGINALS = {Method.NONE, Method.REWRITE}  # which mask nothing
METHOD_TITLES = {
    Method.NONE: "No defence",
    Method.DETECTIONS: "Presidio",
    Method.EVIDENCE: "Evidence",
    Method.BOTH: "Presidio and evidence",
    Method.RANDOM: "Random words",
}
REPLACEMENT_TITLES = {
    Replacement.TAG: "replaced by type",
    Replacement.STARS: "replaced by stars",
    Replacement.SURROGATE: "replaced by surrogates",
}
FILE_TITLES = {Method.DETECTIONS: "Detector’s file", Method.BOTH: "Detector’s file and evidence"}
DETECTED = {Method.DETECTIONS, Method.BOTH}  # whose spans depend on a detector
EVIDENT = {Method.EVIDENCE, Method.BOTH}  # whose spans depend on evidence


class UnknownRecipe(ValueError):
    """Not a recipe, with a sentence that says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceRecipe:
    """`detector` is the digest of a detection recipe, or the SHA-256 of a detector's file.

    The seed is that of surrogates and of the random control, which masks as many characters as `imitates`. `rounds`
    of infer, rewrite, infer are those of a rewrite; `rewriter` is its model, or empty if the attacking model rewrites.
    """

    method: Method
    replacement: Replacement = Replacement.TAG
    detector: str = ""
    is_file: bool = False
    imitates: Method = Method.DETECTIONS
    seed: int = SEED
    rounds: int = 1
    rewriter: str = ""

    def __post_init__(self) -> None:
        if self.imitates not in DETECTED | EVIDENT:
            raise UnknownRecipe("The random control can imitate detections, evidence or both.")
        if not 1 <= self.rounds <= MAX_ROUNDS:
            raise UnknownRecipe(f"Choose 1 to {MAX_ROUNDS} rounds of rewriting.")

    @property
    def is_mask(self) -> bool:
        return self.method not in ORIGINALS

    @property
    def source(self) -> Method:
        """Whose spans it masks, or as many characters as they have."""
        return self.imitates if self.method is Method.RANDOM else self.method

    @property
    def key(self) -> str:
        """Short, and unique among the defences of a run."""
        if self.method is Method.REWRITE:
            return f"{self.method}-{self.rounds}"
        return f"{self.method}-{self.replacement}" if self.is_mask else str(self.method)

    @property
    def title(self) -> str:
        if self.method is Method.REWRITE:
            return f"Rewritten by {self.rewriter or 'the model'}, {plural(self.rounds, 'round')}"
        title = (FILE_TITLES if self.is_file else METHOD_TITLES).get(self.method, METHOD_TITLES[self.method])
        return f"{title}, {REPLACEMENT_TITLES[self.replacement]}" if self.is_mask else title

    @property
    def digest(self) -> str:
        text = json.dumps(self.as_json() | {"version": VERSION}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]

    def as_json(self) -> dict[str, Any]:
        """Only what changes the texts, so that a setting without effect gives no other digest."""
        values: dict[str, Any] = {"method": self.method.value}
        if self.is_mask:
            values["replacement"] = self.replacement.value
        if self.method is Method.RANDOM:
            values["imitates"] = self.imitates.value
        if self.source in DETECTED:
            values |= {"detector": self.detector, "is_file": self.is_file}
        if self.method is Method.RANDOM or (self.is_mask and self.replacement is Replacement.SURROGATE):
            values["seed"] = self.seed
        if self.method is Method.REWRITE:
            values |= {"rounds": self.rounds, "rewriter": self.rewriter}
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Raises UnknownRecipe."""
        try:
            method, replacement = Method(values["method"]), Replacement(values.get("replacement", Replacement.TAG))
            imitates = Method(values.get("imitates", Method.DETECTIONS))
            numbers = int(values.get("seed", SEED)), int(values.get("rounds", 1))
        except (KeyError, TypeError, ValueError) as problem:
            raise UnknownRecipe("This is not a defence that this version knows.") from problem
        return cls(
            method=method, replacement=replacement, detector=str(values.get("detector", "")),
            is_file=bool(values.get("is_file")), imitates=imitates, seed=numbers[0], rounds=numbers[1],
            rewriter=str(values.get("rewriter", "")),
        )  # fmt: skip
