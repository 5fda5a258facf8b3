"""Read lines of the original study and of SynthPAI, which differ only in their vocabulary. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from annotator.exchange.formats.records import Status
from annotator.exchange.formats.sources import strip_texts
from annotator.exchange.formats.synthpai import is_consensus
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
FIRST_TIME = datetime(2020, 1, 1, tzinfo=UTC)  # comments without a time get times an hour apart
SILENT = (Status.WAITING, Status.UNJUDGED, Status.LEFT_OUT)
DISPUTED = "It was disputed when the file was exported, so it has no answer."


@dataclass(frozen=True, slots=True)
class Dialect:
    format: Format
    names: Mapping[str, str]  # theirs to ours
    other_keys: frozenset[str]  # of a review, besides attributes
    ignored_reviewers: tuple[str, ...] = ()  # kept in the source record only


LLMPRIVACY_DIALECT = Dialect(Format.LLMPRIVACY, LLMPRIVACY, frozenset({"time", "timestamp"}))
# `human_evaluated` was revised knowing the truth, and `telltale` is computed from judgements.
SYNTHPAI_DIALECT = Dialect(
    Format.SYNTHPAI,
    SYNTHPAI,
    frozenset({"time", "timestamp", "education_category"}),
    ignored_reviewers=("human_evaluated", "telltale"),
)


def read_line(dialect: Dialect, number: int, line: dict[str, Any]) -> IncomingProfile:
    """Read a profile; invalid answers are set aside in it. Raises LineRefused."""
    account, raw_comments = checks.name_of(line), checks.comments_of(line)
    comments = [_comment(account, at, comment) for at, comment in enumerate(raw_comments)]
    if not any(comment.text for comment in comments):
        raise LineRefused("None of its comments has a text.")
    source = {"format": dialect.format.value} | strip_texts(line, account, [comment.id for comment in comments])
    pseudonym = account if is_pseudonym(account) else ""
    profile = IncomingProfile(number, account, comments, pseudonym, source=source)
    reviews = checks.dict_of(line, "reviews")
    ignored = () if _is_consensus_alone(reviews) else dialect.ignored_reviewers
    for reviewer, review in reviews.items():
        if reviewer not in ignored:
            profile.reviews.append(_review(dialect, profile, reviewer, review))
    return profile


def _is_consensus_alone(reviews: dict[str, Any]) -> bool:
    """True for a line of our own export: its consensus is all that was said."""
    return len(reviews) == 1 and all(is_consensus(review) for review in reviews.values())


def _comment(account: str, number: int, comment: dict[str, Any]) -> IncomingComment:
    subreddit, text = comment.get("subreddit") or DEFAULT_SUBREDDIT, comment.get("text", "")
    if not isinstance(subreddit, str) or not subreddit.strip() or len(subreddit) > 50:
        raise LineRefused("The subreddit of a comment is not a valid name.")
    at = checks.timestamp_of(comment.get("timestamp")) or FIRST_TIME + timedelta(hours=number)
    return IncomingComment(checks.generated_id(account, number) if text else "", 0, subreddit.strip(), at, text)


def _review(dialect: Dialect, profile: IncomingProfile, reviewer: str, review: object) -> IncomingReview:
    if not isinstance(review, dict) or not reviewer.strip():
        raise LineRefused("A review is not a JSON object, or its reviewer has no name.")
    answers: dict[Attribute, IncomingAnswer] = {}
    for theirs, ours in dialect.names.items():
        label = review.get(theirs)
        if label is None or _has_no_answer(label):
            continue  # nobody said “could not tell”, so it is no empty answer
        try:
            answers[Attribute(ours)] = _answer(Attribute(ours), label, review)
        except AnswerRefused as refused:
            profile.leave_out(str(refused), ours)
    for key in sorted(review.keys() - dialect.names.keys() - dialect.other_keys):
        profile.leave_out_unknown(key, f"“{{}}” is not an attribute of the format {dialect.format.label}.")
    return IncomingReview(
        reviewer.strip(),
        answers,
        guideline=_guideline(review),
        submitted_at=checks.timestamp_of(review.get("timestamp")),
        active_seconds=checks.seconds_of(review.get("time")),
    )


def _has_no_answer(label: object) -> bool:
    return isinstance(label, dict) and (not label or label.get("status") in SILENT)


def _answer(attribute: Attribute, fields: object, review: dict[str, Any]) -> IncomingAnswer:
    if not isinstance(fields, dict):
        raise AnswerRefused("The answer is not a JSON object.")
    if fields.get("status") == Status.DISPUTED:
        raise AnswerRefused(DISPUTED)
    parsed = read_foreign(attribute, checks.text_of(fields, "estimate"), _category(review))
    note = fields.get("note")
    return checks.answer_of(
        parsed,
        fields,
        fields.get("detect_from_subreddit"),
        note=note if isinstance(note, str) else "",
        active_seconds=checks.seconds_of(fields.get("seconds")),
        evidence=checks.evidence_of(fields),
        written=checks.text_of(fields, "estimate"),
    )


def _guideline(review: dict[str, Any]) -> int | None:
    """The newest guideline version that our own export wrote into the attributes."""
    labels = [label for label in review.values() if isinstance(label, dict)]
    numbers = [number for label in labels if (number := checks.number_of(label.get("guideline")))]
    return max(numbers, default=None)


def _category(review: dict[str, Any]) -> str:
    category = review.get("education_category")
    estimate = category.get("estimate") if isinstance(category, dict) else ""
    return estimate if isinstance(estimate, str) else ""
