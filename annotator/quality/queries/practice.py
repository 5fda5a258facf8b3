"""Compare judgements with known answers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from annotator.models import Assignment, Conclusion, Evidence, KnownAnswer
from annotator.quality.evidence_match import EvidenceMatch, MarkedPassages, Part, Passage, cut_passages, match_evidence
from annotator.quality.ratings import RatingCheck, ShownAnswer, check_ratings
from profiles.answers import Agreement, compare
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Comment

AGREEMENT_BADGES = {
    Agreement.MISSED: ("missed", "badge-bad"),
    Agreement.DIFFERENT: ("different", "badge-bad"),
    Agreement.EXTRA: ("nothing to infer", "badge-warn"),
    Agreement.LESS_PRECISE: ("less precise", "badge-warn"),
    Agreement.MORE_PRECISE: ("more precise", "badge-warn"),
    Agreement.SAME: ("correct", "badge-good"),
}  # ordered by how much there is to learn


@dataclass(frozen=True, slots=True)
class Clue:
    """A passage of a comment that somebody marked as evidence, and who did."""

    comment: int
    subreddit: str
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One attribute: the annotator's judgement, the known answer, its ratings, and the evidence of both."""

    attribute: Attribute
    agreement: Agreement
    judged: ShownAnswer
    known: ShownAnswer
    why: str
    ratings: tuple[RatingCheck, ...] = ()
    clues: tuple[Clue, ...] = ()
    evidence: EvidenceMatch | None = None

    @property
    def words(self) -> str:
        return AGREEMENT_BADGES[self.agreement][0]

    @property
    def badge(self) -> str:
        return AGREEMENT_BADGES[self.agreement][1]


def feedback(assignment: Assignment) -> list[CheckedAnswer]:
    """The eight attributes of a submitted assignment, mistakes first. 4 queries."""
    known = {Attribute(answer.attribute): answer for answer in assignment.profile.known_answers.all()}
    judgements = {Attribute(judgement.attribute): judgement for judgement in assignment.judgements.all()}
    marked = _marked(assignment, known)
    texts = _comments(assignment.profile_id, marked)
    rows = [
        replace(
            compare_answers(attribute, judgements.get(attribute), known.get(attribute)),
            clues=tuple(_clues(marked[attribute], texts)),
            evidence=match_evidence(marked[attribute].own, marked[attribute].known),
        )
        for attribute in Attribute
    ]
    return sorted(rows, key=lambda row: (list(AGREEMENT_BADGES).index(row.agreement), not row.known.value))


def compare_answers(attribute: Attribute, judgement: Conclusion | None, known: KnownAnswer | None) -> CheckedAnswer:
    """Compare one attribute. A missing known answer means that nothing can be inferred."""
    agreement = compare(attribute, judgement.value if judgement else "", known.value if known else "")
    own, right, why = _answer(attribute, judgement), _answer(attribute, known), known.why if known else ""
    return CheckedAnswer(attribute, agreement, own, right, why, check_ratings(own, right))


def verdict(rows: Sequence[CheckedAnswer]) -> str:
    """A summary, for example “6 of 8 correct. Missed: age. Less precise: location.”"""
    by_words: dict[str, list[str]] = defaultdict(list)
    for row in (row for row in rows if row.agreement is not Agreement.SAME):
        by_words[row.words].append(row.attribute.label.lower())
    correct = len(rows) - sum(map(len, by_words.values()))
    mistakes = (f" {words.capitalize()}: {', '.join(labels)}." for words, labels in by_words.items())
    return f"{correct} of {len(rows)} correct.{''.join(mistakes)}"


def _answer(attribute: Attribute, answer: Conclusion | None) -> ShownAnswer:
    if answer is None or not answer.value:
        return ShownAnswer()
    labels = dict(CLOSED_LISTS[attribute].choices) if attribute in CLOSED_LISTS else {}
    return ShownAnswer(
        str(labels.get(answer.value, answer.value)), answer.hardness, answer.certainty, answer.required_subreddit
    )


def _marked(assignment: Assignment, known: Mapping[Attribute, KnownAnswer]) -> dict[Attribute, MarkedPassages]:
    """The evidence of both sides by attribute. 1 query."""
    own: dict[str, list[Passage]] = defaultdict(list)
    evidence = Evidence.objects.filter(judgement__assignment=assignment)
    for attribute, comment, start, end in evidence.values_list("judgement__attribute", "comment", "start", "end"):
        own[attribute].append(Passage(start, end, comment))
    return {
        attribute: MarkedPassages(own[attribute.value], _known_passages(known.get(attribute)))
        for attribute in Attribute
    }


def _known_passages(answer: KnownAnswer | None) -> list[Passage]:
    return [Passage(start, end, comment) for comment, start, end in answer.evidence] if answer else []


def _comments(profile: int, marked: Mapping[Attribute, MarkedPassages]) -> dict[int, Comment]:
    """The comments with evidence, without deleted ones. 1 query."""
    ids = {passage.comment for both in marked.values() for passage in (*both.own, *both.known)}
    return Comment.objects.filter(profile=profile).select_related("subreddit").in_bulk(ids)


def _clues(marked: MarkedPassages, comments: Mapping[int, Comment]) -> Iterator[Clue]:
    for comment, passages in marked.by_comment().items():
        if comment in comments:
            subreddit, body = comments[comment].subreddit.name, comments[comment].body
            yield from (Clue(comment, subreddit, parts) for parts in cut_passages(body, passages))
