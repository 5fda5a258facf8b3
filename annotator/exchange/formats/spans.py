"""Spans, one comment a line: evidence of the gold records and Presidio's detections. `[start, end)`."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from annotator.exchange.formats.records import LabelledProfile, json_line

EVIDENCE, PRESIDIO = "evidence", "presidio"


def span_lines(profile: LabelledProfile, recipe: str) -> Iterator[str]:
    """One line per comment, even without spans: no span is an answer too."""
    evidence = _evidence(profile)
    for comment in profile.comments:
        spans = evidence[comment.id] + _detections(profile, comment.pk, recipe)
        yield json_line(
            {
                "profile": profile.name,
                "comment": comment.id,
                "subreddit": comment.subreddit,
                **({"text": comment.text} if comment.text else {}),
                "spans": sorted(spans, key=lambda span: (span["start"], span["end"], span["source"], span["label"])),
            }
        )


def _evidence(profile: LabelledProfile) -> defaultdict[str, list[dict[str, Any]]]:
    spans = defaultdict(list)
    for attribute, gold in profile.gold.items():
        for span in gold.evidence:
            label = {"label": attribute, "source": EVIDENCE, "hardness": gold.hardness}
            spans[span.comment].append({"start": span.start, "end": span.end} | label)
    return spans


def _detections(profile: LabelledProfile, comment: int, recipe: str) -> list[dict[str, Any]]:
    return [
        {"start": span.start, "end": span.end, "label": span.entity_type, "source": PRESIDIO, "score": span.score,
         "recipe": recipe}
        for span in profile.detections.get(comment, ())
    ]  # fmt: skip
