"""Read lines of our own format, written by this or another Telltale. Pure."""

from dataclasses import replace
from typing import Any

from annotator.exchange.formats.native import SCHEMA
from annotator.exchange.formats.sources import with_ids
from annotator.exchange.imports import checks
from annotator.exchange.imports.checks import AnswerRefused
from annotator.exchange.imports.records import (
    IncomingAnswer,
    IncomingComment,
    IncomingGold,
    IncomingProfile,
    IncomingReview,
    LineRefused,
    is_code,
)
from annotator.models import MODEL_PROMPTED, Reached
from profiles.answers import ParsedAnswer, parse_answer
from profiles.answers.parser import PLACES
from profiles.attributes import Attribute

PROMPTED = "It was confirmed after a model had claimed it. Such answers are not imported."
NO_ATTRIBUTE = "“{}” is not an attribute."


class UnknownAttribute(Exception):
    """The answer is about an attribute that we do not have."""


def read_native(number: int, line: dict[str, Any]) -> IncomingProfile:
    """Read a profile; invalid answers are set aside in it. Raises LineRefused."""
    if line.get("schema") != SCHEMA:
        raise LineRefused(f"The schema is not {SCHEMA}.")
    pseudonym = checks.name_of(line, "pseudonym")
    account = checks.name_of(line, "account") if "account" in line else pseudonym
    comments = [_comment(comment) for comment in checks.comments_of(line)]
    if len({(comment.id, comment.copy) for comment in comments}) < len(comments):
        raise LineRefused("Two comments have the same id.")
    profile = IncomingProfile(number, account, comments, pseudonym[:60], source=_source(line), has_own_ids=True)
    if _are_numbered(comments):
        _give_ids(profile)
    _add_reviews(profile, line.get("judgements") or [])
    for attribute, gold in checks.dict_of(line, "gold").items():
        _add_gold(profile, attribute, gold)
    return profile


def _are_numbered(comments: list[IncomingComment]) -> bool:
    """True for a file without Reddit's ids, whose comments are numbered from 1 on."""
    return [comment.stored_id for comment in comments] == [str(number + 1) for number in range(len(comments))]


def _give_ids(profile: IncomingProfile) -> None:
    profile.has_own_ids = False
    ids = {comment.id: checks.generated_id(profile.account, number) for number, comment in enumerate(profile.comments)}
    profile.comments = [replace(comment, id=ids[comment.id]) for comment in profile.comments]
    profile.source = with_ids(profile.source, ids) if profile.source else None


def _source(line: dict[str, Any]) -> dict[str, Any] | None:
    source = line.get("source")
    if source is None:
        return None
    kinds = {"format": str, "keys": list, "line": dict, "comments": list}
    if not isinstance(source, dict) or not all(isinstance(source.get(key), kind) for key, kind in kinds.items()):
        raise LineRefused("The source is not in the format of our exports.")
    return source


def _comment(comment: dict[str, Any]) -> IncomingComment:
    reddit_id, _, copy = str(comment.get("id", "")).partition(".")
    try:
        is_valid = 0 <= int(reddit_id, 36) < 2**63 and 0 <= int(copy or 0) < 2**15
    except ValueError:
        is_valid = False
    subreddit = comment.get("subreddit")
    if not is_valid or not isinstance(subreddit, str) or not 0 < len(subreddit.strip()) <= 50:
        raise LineRefused("A comment has no valid id or subreddit.")
    at = checks.time_of(comment.get("written_at"))
    return IncomingComment(reddit_id.lower(), int(copy or 0), subreddit.strip(), at, comment.get("text", ""))


def _add_reviews(profile: IncomingProfile, reviews: object) -> None:
    if not isinstance(reviews, list):
        raise LineRefused("judgements is not a list.")
    for review in reviews:
        if not isinstance(review, dict):
            raise LineRefused("A judgement is not a JSON object.")
        profile.reviews.append(_review(profile, review))


def _review(profile: IncomingProfile, review: dict[str, Any]) -> IncomingReview:
    answers: dict[Attribute, IncomingAnswer] = {}
    for attribute, fields in checks.dict_of(review, "answers").items():
        try:
            answers[_attribute(attribute)] = _answer(_attribute(attribute), fields)
        except UnknownAttribute:
            profile.leave_out_unknown(attribute, NO_ATTRIBUTE)
        except AnswerRefused as refused:
            profile.leave_out(str(refused), attribute)
    batch = review.get("batch")
    return IncomingReview(
        checks.name_of(review, "annotator"),
        answers,
        batch=batch[:100] if isinstance(batch, str) else "",
        guideline=checks.number_of(review.get("guideline")),
        submitted_at=checks.time_of(review.get("submitted_at")),
        active_seconds=checks.seconds_of(review.get("active_seconds")),
    )


def _add_gold(profile: IncomingProfile, attribute: str, gold: object) -> None:
    try:
        profile.gold[_attribute(attribute)] = _gold(_attribute(attribute), gold)
    except UnknownAttribute:
        profile.leave_out_unknown(attribute, f"Gold: {NO_ATTRIBUTE}")
    except AnswerRefused as refused:
        profile.leave_out(f"Gold: {refused}", attribute)


def _gold(attribute: Attribute, gold: object) -> IncomingGold:
    answer = _answer(attribute, gold)
    assert isinstance(gold, dict)  # noqa: S101 `_answer` refused everything else
    by = gold.get("decided_by") or ""
    if gold.get("reached") == MODEL_PROMPTED:
        raise AnswerRefused(PROMPTED)
    if gold.get("reached") not in Reached.values or (by and not is_code(by)):
        raise AnswerRefused("How the record was reached, or by whom, can’t be read.")
    if gold["reached"] == Reached.ADJUDICATED and not by:
        raise AnswerRefused("It was adjudicated, but no adjudicator is given.")
    rule, reason = checks.text_of(gold, "rule")[:40], checks.text_of(gold, "reason")
    at, guideline = checks.time_of(gold.get("decided_at")), checks.number_of(gold.get("guideline"))
    return IncomingGold(answer, gold["reached"], rule, reason, by, at, guideline)


def _answer(attribute: Attribute, fields: object) -> IncomingAnswer:
    if not isinstance(fields, dict):
        raise AnswerRefused("The answer is not a JSON object.")
    parsed = parse_answer(attribute, checks.text_of(fields, "value"))
    stored = ParsedAnswer(parsed.value, problem=parsed.problem, geoname_id=_geoname(attribute, fields, parsed))
    seconds, note = checks.seconds_of(fields.get("active_seconds")), checks.text_of(fields, "note")
    evidence = checks.evidence_of(fields)
    required = fields.get("required_subreddit")
    written = checks.text_of(fields, "value")
    return checks.answer_of(
        stored, fields, required, note=note, active_seconds=seconds, evidence=evidence, written=written
    )


def _geoname(attribute: Attribute, fields: dict[str, Any], parsed: ParsedAnswer) -> int | None:
    """Keep the id in the file: gazetteers differ between versions."""
    return checks.number_of(fields.get("geoname_id")) if attribute in PLACES and parsed.value else None


def _attribute(name: str) -> Attribute:
    if name not in Attribute.values:
        raise UnknownAttribute
    return Attribute(name)
