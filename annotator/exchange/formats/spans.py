"""Span gold, a comment a line: the evidence of the gold records and what Presidio marked. `[start, end)`."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from annotator.exchange.formats.canonical import line
from annotator.exchange.formats.records import LabelledProfile

EVIDENCE, PRESIDIO = "evidence", "presidio"


def span_lines(profile: LabelledProfile, recipe: str) -> Iterator[str]:
    """Also comments without spans: what is not marked is an answer too."""
    evidence = _evidence(profile)
    for comment in profile.comments:
        spans = evidence[comment.id] + _found(profile, comment.pk, recipe)
        yield line(
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
        for one in gold.evidence:
            spans[one.comment].append(
                {"start": one.start, "end": one.end, "label": attribute, "source": EVIDENCE, "hardness": gold.hardness}
            )
    return spans


def _found(profile: LabelledProfile, comment: int, recipe: str) -> list[dict[str, Any]]:
    return [
        {"start": one.start, "end": one.end, "label": one.entity_type, "source": PRESIDIO, "score": one.score,
         "recipe": recipe}
        for one in profile.found.get(comment, ())
    ]  # fmt: skip
