"""Our own format, `telltale.gold/1`: all labels, one profile a line. Schema: `annotator/data/gold.schema.json`."""

from collections.abc import Sequence
from typing import Any

from annotator.exchange.formats.records import (
    Answer,
    CitedSpan,
    Conclusion,
    ExportedComment,
    Gold,
    LabelledProfile,
    Review,
    format_time,
    json_line,
)

SCHEMA = "telltale.gold/1"


def native_line(profile: LabelledProfile) -> str:
    return json_line(native(profile))


def native(profile: LabelledProfile) -> dict[str, Any]:
    account = {"account": profile.account} if profile.account else {}
    source = {"source": profile.source} if profile.source else {}
    return {
        "schema": SCHEMA,
        "pseudonym": profile.pseudonym,
        **account,
        "corpus": profile.corpus,
        "comments": [_comment(comment) for comment in profile.comments],
        "gold": {attribute: _gold(gold) for attribute, gold in profile.gold.items()},
        "judgements": [_review(review) for review in profile.reviews],
        **source,
    }


def _comment(comment: ExportedComment) -> dict[str, Any]:
    fields = {"id": comment.id, "subreddit": comment.subreddit, "written_at": format_time(comment.written_at)}
    return fields | {"text": comment.text} if comment.text else fields


def _gold(gold: Gold) -> dict[str, Any]:
    return {
        **_conclusion(gold),
        "reached": gold.reached,
        **({"prompted_by": gold.prompted_by} if gold.prompted_by else {}),
        "rule": gold.rule,
        **({"reason": gold.reason} if gold.reason else {}),
        "decided_by": gold.decided_by or None,
        "decided_at": format_time(gold.decided_at),
        "guideline": gold.guideline,
    }


def _review(review: Review) -> dict[str, Any]:
    return {
        "annotator": review.annotator,
        "batch": review.batch,
        "guideline": review.guideline,
        "submitted_at": format_time(review.submitted_at),
        "active_seconds": review.active_seconds,
        "answers": {attribute: _answer(answer) for attribute, answer in review.answers.items()},
    }


def _answer(answer: Answer) -> dict[str, Any]:
    """Leave out empty fields: most of 800,000 answers have no note."""
    fields = _conclusion(answer)
    if answer.note:
        fields["note"] = answer.note
    if answer.geoname_id is not None:
        fields["geoname_id"] = answer.geoname_id
    if answer.active_seconds:
        fields["active_seconds"] = answer.active_seconds
    return fields


def _conclusion(conclusion: Conclusion) -> dict[str, Any]:
    fields = {
        "value": conclusion.value,
        "hardness": conclusion.hardness,
        "certainty": conclusion.certainty,
        "required_subreddit": conclusion.required_subreddit,
    }
    return fields | {"evidence": evidence_json(conclusion.evidence)} if conclusion.evidence else fields


def evidence_json(evidence: Sequence[CitedSpan]) -> list[dict[str, Any]]:
    return [
        {"comment": span.comment, "start": span.start, "end": span.end} | ({"text": span.text} if span.text else {})
        for span in evidence
    ]
