"""Lines of the original study and of SynthPAI, which have one shape and two vocabularies. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from annotator.exchange.formats.sources import without_texts
from annotator.exchange.formats.vocabulary import LLMPRIVACY, SYNTHPAI, read_foreign
from annotator.exchange.imports import checks
from annotator.exchange.imports.checks import AnswerRefused
from annotator.exchange.imports.records import (
    IncomingComment,
    IncomingProfile,
    IncomingReview,
    IncomingSaid,
    LineRefused,
    is_pseudonym,
)
from annotator.models import Format
from profiles.attributes import Attribute

WITHOUT_PLACE = "synthpai"  # the subreddit of comments that have none
FIRST = datetime(2020, 1, 1, tzinfo=UTC)  # comments without a time are an hour apart from here on, in their order
NEITHER = ("time", "timestamp")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    format: Format
    names: Mapping[str, str]  # theirs to ours
    not_judges: tuple[str, ...] = ()  # reviewers that are kept in the source only


STUDY = Vocabulary(Format.LLMPRIVACY, LLMPRIVACY)
# `human_evaluated` was revised with the truth at hand, and `telltale` is made of judgements.
SYNTHETIC = Vocabulary(Format.SYNTHPAI, SYNTHPAI, ("human_evaluated", "telltale"))


def read_line(words: Vocabulary, number: int, line: dict[str, Any]) -> IncomingProfile:
    """Raises LineRefused. What is wrong with one answer is set aside in the profile."""
    account, written = checks.name_of(line), checks.comments_of(line)
    comments = [_comment(account, at, comment) for at, comment in enumerate(written)]
    if not any(comment.text for comment in comments):
        raise LineRefused("None of its comments has a text.")
    contents = {"format": words.format.value} | without_texts(line, account, [one.id for one in comments])
    named = account if is_pseudonym(account) else ""
    profile = IncomingProfile(number, account, comments, named, source=contents)
    for reviewer, review in checks.dict_of(line, "reviews").items():
        if reviewer not in words.not_judges:
            profile.reviews.append(_review(words, profile, reviewer, review))
    return profile


def _comment(account: str, number: int, comment: dict[str, Any]) -> IncomingComment:
    place, text = comment.get("subreddit") or WITHOUT_PLACE, comment.get("text", "")
    if not isinstance(place, str) or not place.strip() or len(place) > 50:
        raise LineRefused("A comment has a subreddit that is no name.")
    at = checks.epoch(comment.get("timestamp")) or FIRST + timedelta(hours=number)
    return IncomingComment(checks.made_up_id(account, number) if text else "", 0, place.strip(), at, text)


def _review(words: Vocabulary, profile: IncomingProfile, reviewer: str, review: object) -> IncomingReview:
    if not isinstance(review, dict) or not reviewer.strip():
        raise LineRefused("One of its reviews is no object, or its reviewer has no name.")
    answers: dict[Attribute, IncomingSaid] = {}
    for theirs, ours in words.names.items():
        try:
            answers[Attribute(ours)] = _said(Attribute(ours), review.get(theirs) or {}, review)
        except AnswerRefused as refused:
            profile.leave_out(str(refused), ours)
    return IncomingReview(
        reviewer.strip(),
        answers,
        submitted_at=checks.epoch(review.get("timestamp")),
        active_seconds=checks.seconds_of(review.get("time")),
    )


def _said(attribute: Attribute, said: object, review: dict[str, Any]) -> IncomingSaid:
    if not isinstance(said, dict):
        raise AnswerRefused("The answer is no object.")
    read = read_foreign(attribute, checks.text_of(said, "estimate"), _category(review))
    note = said.get("note")
    return checks.said_of(
        read,
        said,
        said.get("detect_from_subreddit"),
        note=note if isinstance(note, str) else "",
        active_seconds=checks.seconds_of(said.get("seconds")),
        evidence=checks.evidence_of(said),
    )


def _category(review: dict[str, Any]) -> str:
    found = review.get("education_category")
    estimate = found.get("estimate") if isinstance(found, dict) else ""
    return estimate if isinstance(estimate, str) else ""
