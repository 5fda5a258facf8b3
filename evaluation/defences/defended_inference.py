"""Ask about defended texts: an inference run whose texts were masked first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.defences.detector_files import DetectorFile
from evaluation.defences.masked_texts import Marks, mask_profiles
from evaluation.defences.plans import PlanRefused, complete_recipes
from evaluation.defences.recipes import EVIDENT, DefenceRecipe, UnknownRecipe
from evaluation.defences.rewritten_texts import text_loader
from evaluation.defences.spans import detected_in, detected_spans, evidence_digest, evidence_spans
from evaluation.inference.gold_profiles import GoldProfile, LoadTexts, texts_by_profile
from evaluation.inference.measurement import measure_inference as measure
from evaluation.inference.scopes import stored_scope
from evaluation.inference.settings import DIGEST_LENGTH
from evaluation.inference.text_versions import ORIGINALS, TextVersion
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure, Measurement
from profiles.models import DetectionRun

MASKS_ONLY = "Only masks can be applied here. Rewriting is measured by bin/manage defend."


@dataclass(frozen=True, slots=True)
class Mask:
    """A complete recipe, and whose detections it masks. Raises PlanRefused."""

    recipe: DefenceRecipe
    detection: DetectionRun | None = None
    detector: DetectorFile | None = None

    def __post_init__(self) -> None:
        if not self.recipe.is_mask:
            raise PlanRefused(MASKS_ONLY)

    @classmethod
    def of(cls, recipe: DefenceRecipe, detection: DetectionRun | None, detector: DetectorFile | None) -> "Mask":
        (complete,) = complete_recipes([recipe], detection, detector)
        return cls(complete, detection, detector)

    def as_json(self) -> dict[str, Any]:
        """As the settings of a run keep it."""
        return {
            "title": self.recipe.title,
            "recipe": self.recipe.as_json(),
            "detection": self.detection.pk if self.detection and not self.detector else None,
            "detector_file": self.detector.as_json() if self.detector else None,
        }

    def detected(self, profile_ids: Sequence[int]) -> Mapping[int, Any]:
        if self.detector:
            return self.detector.spans
        return detected_spans(self.detection, profile_ids) if self.detection else {}

    def version(self, profiles: Sequence[GoldProfile]) -> TextVersion:
        return mask_texts(self.recipe, profiles, self.detected)


def measure_inference(run: EvaluationRun, tell: Callable[[int, int], None]) -> Measurement:
    """Of a run with or without a defence. Raises CannotMeasure, and JobLost once somebody cancelled the run."""
    return measure(run, tell, _texts_of(run))


def _texts_of(run: EvaluationRun) -> TextVersion:
    contents = run.settings.get("defence")
    scope = stored_scope(run) if contents else None
    if not contents or scope is None:
        return ORIGINALS  # without a scope, nothing is measured
    try:
        recipe = DefenceRecipe.from_json(contents["recipe"])
    except UnknownRecipe as refusal:
        raise CannotMeasure(str(refusal)) from refusal
    return mask_texts(recipe, scope.profiles(), lambda ids: detected_in(run, contents, ids))


def mask_texts(
    recipe: DefenceRecipe, profiles: Sequence[GoldProfile], detected: Callable[[Sequence[int]], Mapping[int, Any]]
) -> TextVersion:
    """The comments of the profiles as a mask changes them. 1 to 4 queries, and 1 for every chunk that is loaded."""
    ids, names = [profile.pk for profile in profiles], {profile.pk: profile.pseudonym for profile in profiles}
    marks = Marks(detected(ids), evidence_spans(profiles))
    signature = {"defence": f"{recipe.key}@{recipe.digest}"}
    if recipe.source in EVIDENT:
        signature["evidence"] = evidence_digest(marks.evidence)[:DIGEST_LENGTH]
    details = {"defence": {"key": recipe.key, "title": recipe.title, "digest": recipe.digest}}
    return TextVersion(_loader(recipe, names, marks), signature, details)


def _loader(recipe: DefenceRecipe, names: Mapping[int, str], marks: Marks) -> LoadTexts:
    def load(profile_ids: Sequence[int]) -> Mapping[int, Any]:
        texts = texts_by_profile(profile_ids)
        masked = mask_profiles(recipe, [(names[pk], members) for pk, members in texts.items()], marks)
        return text_loader(texts, masked.changed)(profile_ids)

    return load
