"""Measure spans: from the stored files of a run to its report, documents and errors."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings

from evaluation.models import EvaluationInput, EvaluationRun
from evaluation.runs.results import CannotMeasure, MeasuredDocument, Measurement
from evaluation.runs.storage import path_of
from evaluation.spans.alignment import MissingPolicy
from evaluation.spans.checks import InputRefused, check_texts, read_gold, read_predictions
from evaluation.spans.errors.lists import list_errors
from evaluation.spans.evaluation import NothingToScore, evaluate
from evaluation.spans.inputs import unique_names
from evaluation.spans.label_files import UnreadableScheme, load_preset, parse_scheme
from evaluation.spans.labels import IgnorePolicy, LabelScheme
from evaluation.spans.records import LabelledSpan, SpanFile
from evaluation.spans.settings import Settings
from evaluation.spans.systems.documents import texts_of
from evaluation.spans.systems.predictions import count_labels

Tell = Callable[[int, int], None]
ROLE = EvaluationInput.Role
MAX_ERRORS = 2000  # of each kind
FILE_GONE = "One of its files is no longer on the server. Start a new evaluation and upload it again."


def measure_spans(run: EvaluationRun, tell: Tell) -> Measurement:
    """Raises CannotMeasure with a sentence, and JobLost once somebody cancelled the run."""
    files = list(run.files.order_by("role", "position"))
    if not all(path_of(file).exists() for file in files):
        raise CannotMeasure(FILE_GONE)
    try:
        return _measure(run, files, tell)
    except (InputRefused, NothingToScore, UnreadableScheme, ValueError) as refusal:
        raise CannotMeasure(str(refusal)) from refusal


def _measure(run: EvaluationRun, files: Sequence[EvaluationInput], tell: Tell) -> Measurement:
    (stored_gold,) = _with_role(files, ROLE.GOLD)
    gold = read_gold(path_of(stored_gold), stored_gold.name)
    chosen = _settings(run.settings, files)
    systems = _systems(run, files, gold, chosen.scheme, tell)
    report = evaluate(gold, systems, chosen, code_version=settings.VERSION)
    inputs = {"gold": _described(gold), "systems": [_described(system) for system in systems]}
    errors = distinct_errors(list_errors(gold, systems[0], chosen, limit=MAX_ERRORS))
    return Measurement(report, _documents(gold, systems, chosen.scheme), errors, inputs)


def _with_role(files: Sequence[EvaluationInput], role: EvaluationInput.Role) -> list[EvaluationInput]:
    return [file for file in files if file.role == role]


def _settings(contents: dict[str, Any], files: Sequence[EvaluationInput]) -> Settings:
    own = _with_role(files, ROLE.SCHEME)
    scheme = _own_scheme(own[0]) if own else load_preset(contents["scheme"])
    return Settings(
        scheme=scheme, threshold=contents["threshold"], ignore=IgnorePolicy(contents["ignore"]),
        missing=MissingPolicy(contents["missing"]), bootstrap=contents["bootstrap"], seed=contents["seed"],
    )  # fmt: skip


def _own_scheme(file: EvaluationInput) -> LabelScheme:
    return parse_scheme(path_of(file).read_text(encoding="utf-8-sig"), name=Path(file.name).stem)


def _systems(
    run: EvaluationRun, files: Sequence[EvaluationInput], gold: SpanFile, scheme: LabelScheme, tell: Tell
) -> list[SpanFile]:
    system: dict[str, Any] = run.settings["system"]
    if system["kind"] == "presidio":
        check_texts(gold)
        return [_detect(gold, system, scheme, tell)]
    tell(0, len(gold.documents))
    return [read_predictions(path_of(file), file.name, gold) for file in _with_role(files, ROLE.PREDICTIONS)]


def _detect(gold: SpanFile, system: dict[str, Any], scheme: LabelScheme, tell: Tell) -> SpanFile:
    # Presidio takes seconds to import, which only runs that use it should pay.
    from evaluation.spans.systems.presidio import RecipeUnusable, build_recipe, keep_mapped  # noqa: PLC0415
    from profiles.detection.presidio import ModelMissing  # noqa: PLC0415

    try:
        recipe = build_recipe(
            system["model"] or None, entities=_entities(system["entities"]), threshold=system["threshold"]
        )
        recipe = keep_mapped(recipe, scheme, count_labels(gold)) if system["entities"] == "mapped" else recipe
        predictions = _detect_with(recipe, texts_of(gold), tell)
    except (ModelMissing, RecipeUnusable) as refusal:
        raise CannotMeasure(str(refusal)) from refusal
    return replace(predictions, name="presidio", sha256=recipe.digest)


def _detect_with(recipe: Any, texts: dict[str, str], tell: Tell) -> SpanFile:
    """A cache that can't be used is no reason to stop; then everything is detected anew."""
    from evaluation.spans.systems.cache import CacheUnusable  # noqa: PLC0415 as above
    from evaluation.spans.systems.presidio import detect_spans  # noqa: PLC0415

    try:
        return detect_spans(texts, recipe, workers=0, cache=settings.HOME.root / "detections", show=tell)
    except CacheUnusable:
        return detect_spans(texts, recipe, workers=0, show=tell)


def _entities(text: str) -> list[str] | None:
    names = [name.strip() for name in text.split(",") if name.strip()]
    return None if text in ("all", "mapped") or not names else names


def _described(file: SpanFile) -> dict[str, str]:
    return {"name": file.name, "format": file.format, "sha256": file.sha256}


def distinct_errors(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each error once, with `times`: the number of annotators whose spans it was found with."""
    distinct: dict[str, dict[str, Any]] = {}
    for item in items:
        kept = distinct.setdefault(json.dumps(item, sort_keys=True), {**item, "times": 0})
        kept["times"] += 1
    return list(distinct.values())


def _documents(gold: SpanFile, systems: Sequence[SpanFile], scheme: LabelScheme) -> Iterator[MeasuredDocument]:
    """The documents of the gold file, with labels as they were scored."""
    names = unique_names(systems)
    for document in gold.documents.values():
        predicted = {name: system.documents.get(document.id) for name, system in zip(names, systems, strict=True)}
        texts = [document.text, *(other.text for other in predicted.values() if other)]
        yield MeasuredDocument(
            document.id,
            {
                "text": next((text for text in texts if text is not None), None),
                "gold": {name: _spans(spans, scheme) for name, spans in document.layers.items()},
                "predicted": {
                    name: _spans(other.all_spans if other else (), scheme) for name, other in predicted.items()
                },
            },
        )


def _spans(spans: Sequence[LabelledSpan], scheme: LabelScheme) -> list[list[Any]]:
    return [[span.start, span.end, scheme.mapped(span.label)] for span in spans]
