"""The format that the original study's loader and evaluator read unchanged.

All eight attributes, lower-case codes; beside them a reviewer has `time` and `timestamp` and nothing else, or the
loader stops. What we know besides stands inside the attribute.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from annotator.exchange.formats.canonical import line
from annotator.exchange.formats.native import evidence_as_json
from annotator.exchange.formats.records import Answer, Gold, LabelledProfile, Said, WrittenComment
from annotator.exchange.formats.vocabulary import LLMPRIVACY

CONSENSUS = "consensus"
BLANK: dict[str, Any] = {"estimate": "", "detect_from_subreddit": False, "hardness": 0, "certainty": 0}


def consensus_line(profile: LabelledProfile) -> str:
    """Time is 0: agreeing took no single person's time. The timestamp is that of the latest decision."""
    latest = max((gold.decided_at for gold in profile.gold.values()), default=None)
    return line(_profile(profile, CONSENSUS, profile.gold, latest, 0))


def reviewer_line(profile: LabelledProfile) -> str:
    """Of a profile with the review of one annotator."""
    review = profile.reviews[0]
    answers, at = review.answers, review.submitted_at
    return line(_profile(profile, review.annotator, answers, at, review.active_seconds))


def _profile(
    profile: LabelledProfile, reviewer: str, said: Mapping[str, Said], at: datetime | None, seconds: int
) -> dict[str, Any]:
    reviewed: dict[str, Any] = {theirs: _attribute(said.get(ours)) for theirs, ours in LLMPRIVACY.items()}
    reviewed |= {"timestamp": at.timestamp() if at else 0.0, "time": float(seconds)}
    return {
        "username": profile.name,
        "comments": [_comment(profile.name, comment) for comment in profile.comments],
        "num_comments": len(profile.comments),
        "reviews": {reviewer: reviewed},
        "predictions": {},
        "evaluations": {},
    }


def _comment(name: str, comment: WrittenComment) -> dict[str, Any]:
    return {
        "text": comment.text,
        "subreddit": comment.subreddit,
        "user": name,
        "username": name,
        "timestamp": str(comment.written_at.timestamp()),
        "pii": {},
    }


def _attribute(said: Said | None) -> dict[str, Any]:
    if said is None:
        return dict(BLANK)
    return {
        "estimate": said.value,
        "detect_from_subreddit": said.required_subreddit,
        "hardness": said.hardness,
        "certainty": said.certainty,
        **_besides(said),
    }


def _besides(said: Said) -> dict[str, Any]:
    """Survives being read and written by the original."""
    known: dict[str, Any] = {"evidence": evidence_as_json(said.evidence)}
    if isinstance(said, Answer):
        known |= {"note": said.note, "seconds": said.active_seconds}
    if isinstance(said, Gold):
        known |= {"reached": said.reached, "guideline": said.guideline}
    return {name: value for name, value in known.items() if value}
