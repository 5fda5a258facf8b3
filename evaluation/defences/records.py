"""What the report on defences is made from: attacked profiles, and each defence with its texts and answers."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from evaluation.defences.population import Population
from evaluation.defences.recipes import DefenceRecipe
from evaluation.inference.records import Case
from evaluation.inference.selection import Text
from evaluation.inference.settings import Settings
from evaluation.inference.sound import Decisions

OtherText = tuple[str, str]  # the subreddit of a comment, and its body


@dataclass(frozen=True, slots=True)
class AttackedProfile:
    """A profile under the name that cases give it, with all its comments as they were written."""

    name: str
    texts: Sequence[Text]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """The threat model. `signature` has everything about the attack that can move a number, by name.

    `sees` lists what the attacker reads; `kind` is "baseline" or "endpoint". `rewriter` is a model of its own that
    rewrites, or empty.
    """

    attacker: str
    kind: str
    sees: Sequence[str] = ("comment texts", "dates")
    prompt: str = ""
    tools: str = "none"
    knows_defence: bool = False
    rewriter: str = ""
    signature: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        names = ("attacker", "kind", "tools", "prompt", "knows_defence")
        contents = {name: getattr(self, name) for name in names} | {"sees": list(self.sees)}
        return contents | {"rewriter": self.rewriter} if self.rewriter else contents


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceStudy:
    """What all defences of a run share: the same profiles, labels, attack and settings.

    `others` are the comments of each profile of the corpus that was not attacked: further candidates for linkage, and
    lessons for the classifier of subreddits. `detector` describes another detector's file, if one is the mask. `costs`
    come from `describe_costs`.
    """

    profiles: Sequence[AttackedProfile]
    settings: Settings
    attack: Attack
    scope: str
    gold_sha256: str
    evidence_sha256: str = ""
    detector: Mapping[str, Any] | None = None
    others: Sequence[Sequence[OtherText]] = ()
    population: Population | None = None
    decisions: Decisions | None = None
    costs: Mapping[str, Any] | None = None
    version: str = ""

    @property
    def texts_sha256(self) -> str:
        """Of all comments that the attack, linkage and the classifier can read."""
        digest = hashlib.sha256()
        for profile in self.profiles:
            rows = [(text.subreddit, text.written_at.isoformat(), text.body) for text in profile.texts]
            digest.update(json.dumps([profile.name, rows]).encode())
        for texts in self.others:
            digest.update(json.dumps(texts).encode())
        return digest.hexdigest()

    @property
    def decisions_sha256(self) -> str:
        """Of what people decided about meanings."""
        rows = sorted((*pair, str(grade)) for pair, grade in (self.decisions or {}).items())
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class RewritingCounts:
    """Comments by how their rewriting ended. `kept_original` are those that stay as written, for whatever reason."""

    rounds: int
    rewritten: int = 0
    missing: int = 0
    refused: int = 0
    unrelated: int = 0
    unchanged: int = 0
    kept_original: int = 0

    def as_json(self) -> dict[str, int]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceInput:
    """One defence: the texts it made and what the attack says about them.

    `cases` have the same pairs of profile and attribute for every defence, with the predictions on its texts.
    `changed` has the new body of every comment that changed, by the comment's id. `spans` and `characters` count what
    was masked. Fewer `answered` profiles than there are make the defence incomplete; `reason` then says why.
    """

    recipe: DefenceRecipe
    answered: int
    cases: Sequence[Case] = ()
    changed: Mapping[int, str] = field(default_factory=dict)
    spans: int = 0
    characters: int = 0
    rewriting: RewritingCounts | None = None
    reason: str = ""
