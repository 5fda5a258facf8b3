"""Ask about defended texts: an inference run whose texts are masked first, or were stored by a run over defences."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotator.core.formatting import plural
from evaluation.defences.checks import NO_EVIDENCE
from evaluation.defences.detector_files import DetectorFile
from evaluation.defences.masked_texts import Marks, mask_profiles
from evaluation.defences.plans import PlanRefused, complete_recipes
from evaluation.defences.recipes import EVIDENT, DefenceRecipe, Method, UnknownRecipe
from evaluation.defences.rewritten_texts import text_loader
from evaluation.defences.sections import complete_defences
from evaluation.defences.spans import detected_in, detected_spans, evidence_digest, evidence_spans
from evaluation.inference.gold_profiles import GoldProfile, LoadTexts, texts_by_profile
from evaluation.inference.measurement import measure_inference as measure
from evaluation.inference.scopes import stored_scope
from evaluation.inference.settings import DIGEST_LENGTH
from evaluation.inference.text_versions import ORIGINALS, TextVersion
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs.results import CannotMeasure, Measurement
from profiles.models import DetectionRun

MASKS_ONLY = (
    "Rewriting takes a run of bin/manage defend. Name one that has rewritten these profiles: --defence-run NUMBER."
)
RUN_GONE = "The run over defences that has these texts no longer exists."
NO_TEXTS = "Evaluation {run} has no complete defence “{key}” of this corpus."
OTHER_PROFILES = "Evaluation {run} didn’t defend {count} of these profiles. Choose the batch and the limit that it had."


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
        """Raises PlanRefused if there is no evidence to mask."""
        if self.recipe.source in EVIDENT and not evidence_spans(profiles):
            raise PlanRefused(NO_EVIDENCE)
        return mask_texts(self.recipe, profiles, self.detected)


@dataclass(frozen=True, slots=True)
class StoredDefence:
    """The texts that a defence has in a finished run, whichever model attacks them now."""

    run: int
    recipe: DefenceRecipe
    detector: None = None

    @classmethod
    def of(cls, number: int, key: str, corpus: int) -> "StoredDefence":
        """Raises PlanRefused."""
        run = EvaluationRun.objects.filter(pk=number, kind=EvaluationKind.DEFENCE, corpus=corpus).first()
        rows = complete_defences(run.report) if run and run.report else []
        contents = next((row["recipe"] for row in rows if row["key"] == key), None)
        if run is None or contents is None:
            raise PlanRefused(NO_TEXTS.format(run=number, key=key))
        recipe = DefenceRecipe.from_json(contents)
        if recipe.method is Method.REWRITE and not recipe.rewriter:
            recipe = replace(recipe, rewriter=run.system)
        return cls(run.pk, recipe)

    def as_json(self) -> dict[str, Any]:
        return {"title": self.recipe.title, "recipe": self.recipe.as_json(), "run": self.run}

    def version(self, profiles: Sequence[GoldProfile]) -> TextVersion:
        """2 queries, and 1 for every chunk that is loaded. Raises PlanRefused."""
        run = EvaluationRun.objects.filter(pk=self.run).defer("report").first()
        if run is None:
            raise PlanRefused(RUN_GONE)
        ids = {profile.pk for profile in profiles}
        defended = run.cases.filter(defence=self.recipe.key, profile__in=ids).values_list("profile_id", flat=True)
        if missing := len(ids - set(defended)):
            raise PlanRefused(OTHER_PROFILES.format(run=self.run, count=plural(missing, "profile")))
        texts = run.defended_texts.filter(defence=self.recipe.key, profile__in=ids)
        changed = dict(texts.order_by("comment_id").values_list("comment_id", "body"))
        digest = hashlib.sha256(json.dumps(list(changed.items())).encode()).hexdigest()
        return TextVersion(
            lambda ids: text_loader(texts_by_profile(ids), changed)(ids),
            _signature(self.recipe) | {"texts": digest[:DIGEST_LENGTH]},
            _details(self.recipe),
        )


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
        if contents.get("run"):
            return StoredDefence(contents["run"], recipe).version(scope.profiles())
    except (UnknownRecipe, PlanRefused) as refusal:
        raise CannotMeasure(str(refusal)) from refusal
    return mask_texts(recipe, scope.profiles(), lambda ids: detected_in(run, contents, ids))


def mask_texts(
    recipe: DefenceRecipe, profiles: Sequence[GoldProfile], detected: Callable[[Sequence[int]], Mapping[int, Any]]
) -> TextVersion:
    """The comments of the profiles as a mask changes them. 1 to 4 queries, and 1 for every chunk that is loaded."""
    ids, names = [profile.pk for profile in profiles], {profile.pk: profile.pseudonym for profile in profiles}
    marks = Marks(detected(ids), evidence_spans(profiles))
    signature = _signature(recipe)
    if recipe.source in EVIDENT:
        signature["evidence"] = evidence_digest(marks.evidence)[:DIGEST_LENGTH]
    return TextVersion(_loader(recipe, names, marks), signature, _details(recipe))


def _signature(recipe: DefenceRecipe) -> dict[str, str]:
    return {"defence": f"{recipe.key}@{recipe.digest}"}


def _details(recipe: DefenceRecipe) -> dict[str, Any]:
    return {"defence": {"key": recipe.key, "title": recipe.title, "digest": recipe.digest}}


def _loader(recipe: DefenceRecipe, names: Mapping[int, str], marks: Marks) -> LoadTexts:
    def load(profile_ids: Sequence[int]) -> Mapping[int, Any]:
        texts = texts_by_profile(profile_ids)
        masked = mask_profiles(recipe, [(names[pk], members) for pk, members in texts.items()], marks)
        return text_loader(texts, masked.changed)(profile_ids)

    return load
