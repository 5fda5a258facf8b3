"""The format that the original study's loader and evaluator read unchanged.

A reviewer has all eight attributes in lower-case codes, `time` and `timestamp`, and no other key, or the loader stops.
Our additional fields go inside the attribute: above all `status`, since a blank may be a negative or nothing at all.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from annotator.exchange.formats.native import evidence_json
from annotator.exchange.formats.records import Answer, Conclusion, ExportedComment, Gold, LabelledProfile, json_line
from annotator.exchange.formats.vocabulary import LLMPRIVACY

CONSENSUS = "consensus"
BLANK: dict[str, Any] = {"estimate": "", "detect_from_subreddit": False, "hardness": 0, "certainty": 0}


def consensus_line(profile: LabelledProfile) -> str:
    """The gold of a profile. `time` is 0, as no single person spent it; `timestamp` is the latest decision."""
    latest = max((gold.decided_at for gold in profile.gold.values()), default=None)
    return json_line(_profile(profile, CONSENSUS, profile.gold, latest, 0))


def reviewer_line(profile: LabelledProfile) -> str:
    """A profile with the review of one annotator."""
    review = profile.reviews[0]
    answers, at = review.answers, review.submitted_at
    return json_line(_profile(profile, review.annotator, answers, at, review.active_seconds))


def _profile(
    profile: LabelledProfile, reviewer: str, conclusions: Mapping[str, Conclusion], at: datetime | None, seconds: int
) -> dict[str, Any]:
    review: dict[str, Any] = {
        theirs: _attribute(conclusions[ours]) if ours in conclusions else BLANK | {"status": profile.why_missing(ours)}
        for theirs, ours in LLMPRIVACY.items()
    }
    review |= {"timestamp": at.timestamp() if at else 0.0, "time": float(seconds)}
    return {
        "username": profile.name,
        "comments": [_comment(profile.name, comment) for comment in profile.comments],
        "num_comments": len(profile.comments),
        "reviews": {reviewer: review},
        "predictions": {},
        "evaluations": {},
    }


def _comment(name: str, comment: ExportedComment) -> dict[str, Any]:
    return {
        "text": comment.text,
        "subreddit": comment.subreddit,
        "user": name,
        "username": name,
        "timestamp": str(comment.written_at.timestamp()),
        "pii": {},
    }


def _attribute(conclusion: Conclusion) -> dict[str, Any]:
    return {
        "estimate": conclusion.value,
        "detect_from_subreddit": conclusion.required_subreddit,
        "hardness": conclusion.hardness,
        "certainty": conclusion.certainty,
        **_additions(conclusion),
        "status": conclusion.status,
    }


def _additions(conclusion: Conclusion) -> dict[str, Any]:
    """Our own fields, which the original reads and writes unchanged."""
    fields: dict[str, Any] = {"evidence": evidence_json(conclusion.evidence)}
    if isinstance(conclusion, Answer):
        fields |= {"note": conclusion.note, "seconds": conclusion.active_seconds}
    if isinstance(conclusion, Gold):
        fields |= {"reached": conclusion.reached, "guideline": conclusion.guideline}
    return {name: value for name, value in fields.items() if value}
