"""Spans to mask in the comments of profiles, from the database."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotator.models import GoldRecord, PromptedAnswer
from evaluation.defences.detector_files import stored_detections
from evaluation.defences.masking import MaskedSpan
from evaluation.inference.gold_profiles import GoldProfile
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure
from profiles.models import Comment, Detection, DetectionRun

DETECTION_GONE = "The detection run that this run masks by no longer exists. Start a new run."
FILE_GONE = "Nothing is left of what the detector’s file marked. Start a new run and upload it again."

Spans = dict[int, list[MaskedSpan]]  # by comment


def detected_in(run: EvaluationRun, mask: Mapping[str, Any], profile_ids: Sequence[int]) -> Spans:
    """What the detector that a mask names marked: another one's file, or a detection run. Raises CannotMeasure."""
    if mask.get("detector_file"):
        return _detected_by_file(run)
    if mask["detection"] is None:
        return {}
    row = DetectionRun.objects.filter(pk=mask["detection"], corpus=run.corpus_id).first()
    if row is None:
        raise CannotMeasure(DETECTION_GONE)
    return detected_spans(row, profile_ids)


def _detected_by_file(run: EvaluationRun) -> Spans:
    spans = stored_detections(run)
    if not spans:
        raise CannotMeasure(FILE_GONE)
    return spans


def detected_spans(run: DetectionRun, profile_ids: Sequence[int]) -> Spans:
    """What Presidio marked, with entity types. 1 query."""
    comments = Comment.objects.filter(profile_id__in=profile_ids)
    rows = Detection.objects.filter(run=run, comment__in=comments).order_by("comment_id", "start", "pk")
    spans = defaultdict[int, list[MaskedSpan]](list)
    for comment, start, end, entity_type in rows.values_list("comment_id", "start", "end", "entity_type"):
        spans[comment].append(MaskedSpan(start, end, entity_type))
    return spans


def evidence_spans(profiles: Sequence[GoldProfile]) -> Spans:
    """The evidence of gold, with the attribute as the type. 1 query, or 2 if model-prompted answers count."""
    ids = [profile.pk for profile in profiles]
    rows = GoldRecord.objects.filter(profile_id__in=ids).order_by("profile_id", "attribute")
    spans = defaultdict[int, list[MaskedSpan]](list)
    for attribute, evidence in [*rows.values_list("attribute", "evidence"), *_prompted_evidence(profiles)]:
        for span in evidence:
            spans[span["comment"]].append(MaskedSpan(span["start"], span["end"], attribute))
    return spans


def _prompted_evidence(profiles: Sequence[GoldProfile]) -> Iterator[tuple[str, Any]]:
    """Of model-prompted answers that count as labels. They stand only where a gold record has no evidence."""
    counted = {profile.pk: profile.prompted for profile in profiles if profile.prompted}
    answers = PromptedAnswer.objects.filter(profile_id__in=counted).order_by("profile_id", "attribute")
    for profile, attribute, evidence in answers.values_list("profile_id", "attribute", "evidence") if counted else ():
        if attribute in counted[profile]:
            yield attribute, evidence


def evidence_digest(spans: Mapping[int, Sequence[MaskedSpan]]) -> str:
    """SHA-256 of what evidence masks. It tells whether evidence has changed, which gold's digest leaves out."""
    rows = sorted((comment, span.start, span.end, span.type) for comment, members in spans.items() for span in members)
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
