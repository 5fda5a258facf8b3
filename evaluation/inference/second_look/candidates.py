"""The claims that could be drawn from a run, and the guesses of a baseline that could be their controls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.inference.baselines import predict
from evaluation.inference.gold_profiles import GoldProfile, baseline_profiles, gold_profiles
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.scopes import Scope, stored_scope
from evaluation.inference.sound import is_abstention
from evaluation.inference.sound.guesses import clean_guess
from evaluation.inference.stored_cases import Outcome
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs.systems import System, SystemKind
from profiles.answers import parse_answer
from profiles.answers.parser import normalize_text
from profiles.attributes import Attribute

MAX_VALUE = 300

Cell = tuple[int, str]  # profile and attribute


@dataclass(frozen=True, slots=True)
class Candidate:
    profile_id: int
    attribute: str
    value: str
    reasoning: str
    confidence: float | None
    prompter: str

    @property
    def cell(self) -> Cell:
        return self.profile_id, self.attribute


def can_be_looked_at(run: EvaluationRun) -> bool:
    """Whether a run can have claims: of a system on our gold, and finished."""
    is_ours = run.kind == EvaluationKind.INFERENCE and run.corpus_id is not None
    return is_ours and bool(run.report) and run.settings.get("system", {}).get("kind") != SystemKind.FILE


def undecided_cells(scope: Scope) -> dict[Cell, GoldProfile]:
    """What people could not tell, and nobody has confirmed since. 2 queries."""
    profiles = gold_profiles(scope.corpus, scope.batch, Prompted.ALL)[: scope.limit]
    return {
        (profile.pk, attribute): profile
        for profile in profiles
        for attribute, label in profile.labels.items()
        if label.is_negative
    }


def states_confidence(run: EvaluationRun) -> bool:
    """Whether any guess where people found nothing has a confidence. 1 query."""
    guessed = run.cases.filter(outcome=Outcome.NEGATIVE_GUESSED)
    return guessed.exclude(contents__confidence=None).exists()


def claims_of(run: EvaluationRun, cells: Mapping[Cell, GoldProfile], least: float | None) -> list[Candidate]:
    """First guesses of the run, in its order. `least` is the confidence that they state at least. 1 query."""
    cases = run.cases.filter(outcome=Outcome.NEGATIVE_GUESSED, profile__isnull=False, defence="")
    rows = cases.order_by("number").values_list("profile_id", "attribute", "contents")
    candidates = (
        _candidate(profile_id, attribute, contents, run.system)
        for profile_id, attribute, contents in rows
        if (profile_id, attribute) in cells
    )
    return [
        candidate
        for candidate in candidates
        if candidate and (least is None or (candidate.confidence is not None and candidate.confidence >= least))
    ]


def controls_of(
    run: EvaluationRun, cells: Mapping[Cell, GoldProfile], baseline: str, seed: int, drawn: Sequence[Candidate]
) -> list[Candidate]:
    """What a baseline guesses about other cells. Guesses that the system itself makes are no controls.

    3 queries, and 2 for every 50 profiles.
    """
    scope = stored_scope(run)
    profiles = gold_profiles(scope.corpus, scope.batch)[: scope.limit] if scope else []
    predictions = predict(baseline, list(baseline_profiles(profiles)), seed=seed)
    taken = {claim.cell for claim in drawn}
    own = {claim.cell: claim.value for claim in claims_of(run, cells, None)}
    prompter = System.baseline(baseline).title
    controls = []
    for profile_id, attribute in sorted(cells.keys() - taken):
        prediction = predictions.get(profile_id, {}).get(attribute)
        if prediction is None:
            continue
        contents = {
            "guesses": prediction.guesses, "inference": prediction.inference, "confidence": prediction.confidence,
        }  # fmt: skip
        candidate = _candidate(profile_id, attribute, contents, prompter)
        if candidate and candidate.value != own.get(candidate.cell):
            controls.append(candidate)
    return controls


def _candidate(profile_id: int, attribute: str, contents: Mapping[str, Any], prompter: str) -> Candidate | None:
    value = next(_values(attribute, contents.get("guesses") or []), "")
    if not value:
        return None
    reasoning = str(contents.get("inference") or "").replace("\x00", "")
    return Candidate(profile_id, attribute, value, reasoning, contents.get("confidence"), prompter)


def _values(attribute: str, guesses: Sequence[str]) -> Iterator[str]:
    """The first guess as gold would write it, so that systems can't be told apart by how they write."""
    for guess in guesses[:1]:
        if any(map(str.isalnum, guess)) and not is_abstention(guess, attribute):
            cleaned = clean_guess(guess)
            yield parse_answer(Attribute(attribute), cleaned).value or normalize_text(cleaned)[:MAX_VALUE]
