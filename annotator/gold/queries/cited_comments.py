"""The comments beside a decision, with everybody's evidence marked by person."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from annotator.comments.blocks import BLOCK_SIZE, CommentSelection, Part, chapters, comment_position, read_block
from annotator.comments.citations import Citation, colour_of
from annotator.core.evidence import EvidenceSpan
from annotator.gold.consensus import CountedJudgement
from annotator.gold.judgements import counted_judgements
from profiles.attributes import Attribute
from profiles.highlights import Highlight
from profiles.models import DetectionRun, Profile

LETTERS = "ABCDEFGHIJLOPQRTVXYZ"  # without the page's keyboard shortcuts
UNKNOWN_RANK = 1 << 31  # of evidence in a comment that is gone


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator on one profile's page, by a letter that does not identify them. `number` counts from 1."""

    number: int
    letter: str

    @property
    def colour(self) -> int:
        return colour_of(self.number)


@dataclass(frozen=True, slots=True)
class CitedComment:
    subreddit: str
    rank: int  # in reading order, among the cited comments


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """The judgements that count, who made them, and the comments that they cite."""

    judgements: Mapping[str, list[CountedJudgement]]  # by attribute
    people: Mapping[int, Person]  # by annotator
    comments: Mapping[int, CitedComment]

    def order_of(self, span: EvidenceSpan) -> tuple[int, int, int]:
        """Sorts evidence as one reads."""
        comment = self.comments.get(span.comment)
        return comment.rank if comment else UNKNOWN_RANK, span.start, span.end

    def subreddit_of(self, span: EvidenceSpan) -> str:
        comment = self.comments.get(span.comment)
        return comment.subreddit if comment else ""

    def first_comment(self, attribute: str) -> int | None:
        """The comment with the first piece of evidence for this attribute, as one reads."""
        spans = [span for judgement in self.judgements.get(attribute, ()) for span in judgement.evidence]
        known = [span for span in spans if span.comment in self.comments]
        return min(known, key=self.order_of).comment if known else None

    @property
    def highlights(self) -> dict[int, list[Highlight]]:
        """Everybody's evidence as highlights, by comment."""
        highlights: dict[int, list[Highlight]] = {}
        for attribute, judgements in self.judgements.items():
            for judgement in judgements:
                person = self.people[judgement.annotator]
                meaning = Citation(person.number, person.letter, Attribute(attribute)).meaning
                for span in judgement.evidence:
                    highlights.setdefault(span.comment, []).append(Highlight(span.start, span.end, meaning))
        return highlights


@dataclass(frozen=True, slots=True)
class CommentBlock:
    """One block of comments, and the positions where the blocks before and after it start, if there are any."""

    parts: list[Part]
    first: int
    total: int

    @property
    def before(self) -> int | None:
        return max(0, self.first - BLOCK_SIZE) if self.first else None

    @property
    def after(self) -> int | None:
        return self.first + BLOCK_SIZE if self.first + BLOCK_SIZE < self.total else None


def cited_evidence(profile: Profile) -> CitedEvidence:
    """3 queries."""
    by_key = counted_judgements(profile.corpus, [profile.pk])
    by_attribute = {attribute: judgements for (_, attribute), judgements in by_key.items()}
    every = [judgement for judgements in by_key.values() for judgement in judgements]
    return CitedEvidence(by_attribute, _people(profile, every), _cited_comments(profile, every))


def read_comments(
    profile: Profile, run: DetectionRun | None, cited: CitedEvidence, *, first: int = 0, comment: int | None = None
) -> CommentBlock:
    """The block from a position on, or the one with this comment. 2 queries, or 4."""
    selection = CommentSelection(profile, run, evidence=cited.highlights)
    places = chapters(selection)
    total = sum(chapter.count for chapter in places)
    position = _position(selection, comment) if comment else first
    start = min(position, max(0, total - 1)) // BLOCK_SIZE * BLOCK_SIZE
    return CommentBlock(read_block(selection, places, start), start, total)


def _position(selection: CommentSelection, comment: int) -> int:
    positions = comment_position(selection, comment)
    return positions[0][0] if positions else 0


def _people(profile: Profile, judgements: Iterable[CountedJudgement]) -> dict[int, Person]:
    """One letter per annotator, the same throughout this page. Every profile has its own order."""
    in_order = sorted(
        {judgement.annotator for judgement in judgements},
        key=lambda person: sha256(f"{profile.pk} {person}".encode()).digest(),
    )
    letters = (*LETTERS, *(str(n) for n in range(len(LETTERS) + 1, len(in_order) + 1)))
    return {annotator: Person(n, letters[n - 1]) for n, annotator in enumerate(in_order, start=1)}


def _cited_comments(profile: Profile, judgements: Iterable[CountedJudgement]) -> dict[int, CitedComment]:
    """In the order of `annotator.comments.blocks`. 1 query."""
    ids = {span.comment for judgement in judgements for span in judgement.evidence}
    rows = profile.comments.filter(pk__in=ids).values_list("pk", "subreddit__name", "subreddit", "written_at")
    in_order = sorted(rows, key=lambda row: (row[1].lower(), row[2], row[3], row[0]))
    return {pk: CitedComment(name, rank) for rank, (pk, name, *_) in enumerate(in_order)}
