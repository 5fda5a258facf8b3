"""Read lines of the original study and of SynthPAI, which differ only in their vocabulary. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from annotator.exchange.formats.sources import strip_texts
from annotator.exchange.formats.vocabulary import LLMPRIVACY, SYNTHPAI, read_foreign
from annotator.exchange.imports import checks
from annotator.exchange.imports.checks import AnswerRefused
from annotator.exchange.imports.records import (
    IncomingAnswer,
    IncomingComment,
    IncomingProfile,
    IncomingReview,
    LineRefused,
    is_pseudonym,
)
from annotator.models import Format
from profiles.attributes import Attribute

DEFAULT_SUBREDDIT = "synthpai"  # for comments without one
FIRST_TIME = datetime(2020, 1, 1, tzinfo=UTC)  # comments without a time follow an hour apart
NEITHER = ("time", "timestamp")


@dataclass(frozen=True, slots=True)
class Dialect:
    format: Format
    names: Mapping[str, str]  # theirs to ours
    ignored_reviewers: tuple[str, ...] = ()  # kept in the source record only


LLMPRIVACY_DIALECT = Dialect(Format.LLMPRIVACY, LLMPRIVACY)
# `human_evaluated` was revised knowing the truth, and `telltale` is computed from judgements.
SYNTHPAI_DIALECT = Dialect(Format.SYNTHPAI, SYNTHPAI, ("human_evaluated", "telltale"))


def read_line(dialect: Dialect, number: int, line: dict[str, Any]) -> IncomingProfile:
    """Read a profile; invalid answers are set aside in it. Raises LineRefused."""
    account, raw_comments = checks.name_of(line), checks.comments_of(line)
    comments = [_comment(account, at, comment) for at, comment in enumerate(raw_comments)]
    if not any(comment.text for comment in comments):
        raise LineRefused("None of its comments has a text.")
    source = {"format": dialect.format.value} | strip_texts(line, account, [comment.id for comment in comments])
    pseudonym = account if is_pseudonym(account) else ""
    profile = IncomingProfile(number, account, comments, pseudonym, source=source)
    for reviewer, review in checks.dict_of(line, "reviews").items():
        if reviewer not in dialect.ignored_reviewers:
            profile.reviews.append(_review(dialect, profile, reviewer, review))
    return profile


def _comment(account: str, number: int, comment: dict[str, Any]) -> IncomingComment:
    subreddit, text = comment.get("subreddit") or DEFAULT_SUBREDDIT, comment.get("text", "")
    if not isinstance(subreddit, str) or not subreddit.strip() or len(subreddit) > 50:
        raise LineRefused("A comment has a subreddit that is no name.")
    at = checks.timestamp_of(comment.get("timestamp")) or FIRST_TIME + timedelta(hours=number)
    return IncomingComment(checks.generated_id(account, number) if text else "", 0, subreddit.strip(), at, text)


def _review(dialect: Dialect, profile: IncomingProfile, reviewer: str, review: object) -> IncomingReview:
    if not isinstance(review, dict) or not reviewer.strip():
        raise LineRefused("One of its reviews is no object, or its reviewer has no name.")
    answers: dict[Attribute, IncomingAnswer] = {}
    for theirs, ours in dialect.names.items():
        try:
            answers[Attribute(ours)] = _answer(Attribute(ours), review.get(theirs) or {}, review)
        except AnswerRefused as refused:
            profile.leave_out(str(refused), ours)
    return IncomingReview(
        reviewer.strip(),
        answers,
        submitted_at=checks.timestamp_of(review.get("timestamp")),
        active_seconds=checks.seconds_of(review.get("time")),
    )


def _answer(attribute: Attribute, fields: object, review: dict[str, Any]) -> IncomingAnswer:
    if not isinstance(fields, dict):
        raise AnswerRefused("The answer is no object.")
    parsed = read_foreign(attribute, checks.text_of(fields, "estimate"), _category(review))
    note = fields.get("note")
    return checks.answer_of(
        parsed,
        fields,
        fields.get("detect_from_subreddit"),
        note=note if isinstance(note, str) else "",
        active_seconds=checks.seconds_of(fields.get("seconds")),
        evidence=checks.evidence_of(fields),
    )


def _category(review: dict[str, Any]) -> str:
    category = review.get("education_category")
    estimate = category.get("estimate") if isinstance(category, dict) else ""
    return estimate if isinstance(estimate, str) else ""
