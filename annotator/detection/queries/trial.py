"""What recognisers of one's own would find, tried on a sample of a corpus. No model takes part in it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from annotator.detection.queries.entity_types import (
    AROUND,
    LONGEST,
    Excerpt,
    Kind,
    kind_of,
    shortened_after,
    shortened_before,
)
from annotator.detection.queries.sql import COMMENTS_TO_TRY
from profiles.detection.patterns import Tried, try_pattern
from profiles.detection.recipes import Contents, Pattern, WordList
from profiles.models import Corpus, Detection, DetectionRun
from profiles.spans import Span

COMMENTS, EXAMPLES = 500, 30
SECONDS = 1.0  # for each recogniser
CERTAIN = 1.0  # Presidio's score for a word of a list

Recogniser = Pattern | WordList
Spans = dict[int, list[Span]]


class Drawn(NamedTuple):
    """A comment of the sample."""

    comment: int
    profile: int
    pseudonym: str
    subreddit: str
    body: str


@dataclass(frozen=True, slots=True)
class TrialLine:
    """What one recogniser found. `new` is where the newest finished run has marked nothing."""

    name: str
    kind: Kind
    comments: int
    found: int
    new: int
    tried: int
    is_too_slow: bool
    is_under_threshold: bool
    examples: list[Excerpt]


@dataclass(frozen=True, slots=True)
class Trial:
    comments: int
    profiles: int
    lines: list[TrialLine]
    compared_with: DetectionRun | None

    @property
    def found(self) -> int:
        return sum(line.found for line in self.lines)

    @property
    def new(self) -> int:
        return sum(line.new for line in self.lines)

    @property
    def examples(self) -> list[Excerpt]:
        """Of each recogniser about as many; what is new first."""
        each = EXAMPLES // max(len(self.lines), 1)
        return [one for line in self.lines for one in sorted(line.examples, key=lambda one: not one.is_new)[:each]]


def trial_of(corpus: Corpus, contents: Contents, seed: int = 1) -> Trial:
    """The same seed draws the same comments. 3 queries."""
    drawn = _draw(corpus, seed)
    run = corpus.runs.filter(finished_at__isnull=False).select_related("recipe").order_by("-finished_at", "-pk").first()
    marked = _marked(run, drawn) if run else {}
    recognisers: list[Recogniser] = [*contents.patterns, *contents.word_lists]
    lines = [_try(one, drawn, marked, contents.threshold) for one in recognisers]
    return Trial(len(drawn), len({one.profile for one in drawn}), lines, run)


def _try(recogniser: Recogniser, drawn: Sequence[Drawn], marked: Spans, threshold: float) -> TrialLine:
    tried = try_pattern(recogniser, [one.body for one in drawn], SECONDS)
    score = recogniser.score if isinstance(recogniser, Pattern) else CERTAIN
    kind = kind_of(recogniser.entity_type)
    examples = [_excerpt(drawn[at], Span(start, end), kind, score, marked) for at, start, end in tried.matches]
    return TrialLine(
        recogniser.name, kind, _comments(tried), len(examples), sum(one.is_new for one in examples), tried.texts_tried,
        tried.is_too_slow, score < threshold, examples,
    )  # fmt: skip


def _excerpt(one: Drawn, span: Span, kind: Kind, score: float, marked: Spans) -> Excerpt:
    is_new = not any(span.overlaps(other) for other in marked.get(one.comment, ()))
    before, after = one.body[max(span.start - AROUND - 1, 0) : span.start], one.body[span.end : span.end + AROUND + 1]
    around = (shortened_before(before), span.text_of(one.body)[:LONGEST], shortened_after(after))
    return Excerpt(one.comment, one.profile, one.pseudonym, one.subreddit, kind, score, *around, is_new)


def _comments(tried: Tried) -> int:
    return len({at for at, _, _ in tried.matches})


def _draw(corpus: Corpus, seed: int) -> list[Drawn]:
    with connection.cursor() as cursor:
        cursor.execute(COMMENTS_TO_TRY, {"corpus": corpus.pk, "seed": seed, "most": COMMENTS})
        return [Drawn(*row) for row in cursor.fetchall()]


def _marked(run: DetectionRun, drawn: Sequence[Drawn]) -> Spans:
    spans: Spans = defaultdict(list)
    found = Detection.objects.filter(run=run, comment__in=[one.comment for one in drawn])
    for comment, start, end in found.values_list("comment", "start", "end"):
        spans[comment].append(Span(start, end))
    return spans
