"""Our own format, `telltale.gold/1`: everything, one profile a line. `annotator/data/gold.schema.json` describes it."""

from collections.abc import Sequence
from typing import Any

from annotator.exchange.formats.canonical import line
from annotator.exchange.formats.records import (
    Answer,
    CitedSpan,
    Gold,
    LabelledProfile,
    Review,
    Said,
    WrittenComment,
    moment,
)

SCHEMA = "telltale.gold/1"


def native_line(profile: LabelledProfile) -> str:
    return line(native(profile))


def native(profile: LabelledProfile) -> dict[str, Any]:
    named = {"account": profile.account} if profile.account else {}
    sourced = {"source": profile.source} if profile.source else {}
    return {
        "schema": SCHEMA,
        "pseudonym": profile.pseudonym,
        **named,
        "corpus": profile.corpus,
        "comments": [_comment(comment) for comment in profile.comments],
        "gold": {attribute: _gold(gold) for attribute, gold in profile.gold.items()},
        "judgements": [_review(review) for review in profile.reviews],
        **sourced,
    }


def _comment(comment: WrittenComment) -> dict[str, Any]:
    written = {"id": comment.id, "subreddit": comment.subreddit, "written_at": moment(comment.written_at)}
    return written | {"text": comment.text} if comment.text else written


def _gold(gold: Gold) -> dict[str, Any]:
    return {
        **_said(gold),
        "reached": gold.reached,
        "rule": gold.rule,
        **({"reason": gold.reason} if gold.reason else {}),
        "decided_by": gold.decided_by or None,
        "decided_at": moment(gold.decided_at),
        "guideline": gold.guideline,
    }


def _review(review: Review) -> dict[str, Any]:
    return {
        "annotator": review.annotator,
        "batch": review.batch,
        "guideline": review.guideline,
        "submitted_at": moment(review.submitted_at),
        "active_seconds": review.active_seconds,
        "answers": {attribute: _answer(answer) for attribute, answer in review.answers.items()},
    }


def _answer(answer: Answer) -> dict[str, Any]:
    """What is empty is left out: of 800,000 answers most have no note."""
    written = _said(answer)
    if answer.note:
        written["note"] = answer.note
    if answer.geoname_id is not None:
        written["geoname_id"] = answer.geoname_id
    if answer.active_seconds:
        written["active_seconds"] = answer.active_seconds
    return written


def _said(said: Said) -> dict[str, Any]:
    written = {
        "value": said.value,
        "hardness": said.hardness,
        "certainty": said.certainty,
        "required_subreddit": said.required_subreddit,
    }
    return written | {"evidence": evidence_as_json(said.evidence)} if said.evidence else written


def evidence_as_json(evidence: Sequence[CitedSpan]) -> list[dict[str, Any]]:
    return [
        {"comment": span.comment, "start": span.start, "end": span.end} | ({"text": span.text} if span.text else {})
        for span in evidence
    ]
