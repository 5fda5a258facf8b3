"""Try custom recognisers on a sample of a corpus, without a model."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from annotator.detection.queries.entity_types import (
    CONTEXT_LENGTH,
    MAX_TEXT_LENGTH,
    Excerpt,
    Kind,
    kind_of,
    shorten_after,
    shorten_before,
)
from annotator.detection.queries.sql import TRIAL_COMMENTS
from profiles.detection.patterns import try_pattern
from profiles.detection.recipes import Contents, Pattern, WordList
from profiles.models import Corpus, Detection, DetectionRun
from profiles.spans import Span

COMMENTS, EXAMPLES = 500, 30
SECONDS = 1.0  # per recogniser
CERTAIN = 1.0  # Presidio's score for a match of a word list

Recogniser = Pattern | WordList
Spans = dict[int, list[Span]]


class SampledComment(NamedTuple):
    comment: int
    profile: int
    pseudonym: str
    subreddit: str
    body: str


@dataclass(frozen=True, slots=True)
class TrialLine:
    """Matches of one recogniser. `new` counts those where the newest finished run marked nothing."""

    name: str
    kind: Kind
    comments: int
    matches: int
    new: int
    comments_tried: int
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
    def matches(self) -> int:
        return sum(line.matches for line in self.lines)

    @property
    def new(self) -> int:
        return sum(line.new for line in self.lines)

    @property
    def examples(self) -> list[Excerpt]:
        """At most the same number per recogniser, new ones first."""
        share = EXAMPLES // max(len(self.lines), 1)
        return [
            example
            for line in self.lines
            for example in sorted(line.examples, key=lambda example: not example.is_new)[:share]
        ]


def run_trial(corpus: Corpus, contents: Contents, seed: int = 1) -> Trial:
    """Try the recognisers; the same seed draws the same comments. 3 queries."""
    sample = _sample(corpus, seed)
    run = corpus.runs.filter(finished_at__isnull=False).select_related("recipe").order_by("-finished_at", "-pk").first()
    marked = _marked_spans(run, sample) if run else {}
    recognisers: list[Recogniser] = [*contents.patterns, *contents.word_lists]
    lines = [_try(recogniser, sample, marked, contents.threshold) for recogniser in recognisers]
    return Trial(len(sample), len({comment.profile for comment in sample}), lines, run)


def _try(recogniser: Recogniser, sample: Sequence[SampledComment], marked: Spans, threshold: float) -> TrialLine:
    tried = try_pattern(recogniser, [comment.body for comment in sample], SECONDS)
    score = recogniser.score if isinstance(recogniser, Pattern) else CERTAIN
    kind = kind_of(recogniser.entity_type)
    examples = [_excerpt(sample[at], Span(start, end), kind, score, marked) for at, start, end in tried.matches]
    return TrialLine(
        name=recogniser.name,
        kind=kind,
        comments=len({at for at, _, _ in tried.matches}),
        matches=len(examples),
        new=sum(example.is_new for example in examples),
        comments_tried=tried.texts_tried,
        is_too_slow=tried.is_too_slow,
        is_under_threshold=score < threshold,
        examples=examples,
    )


def _excerpt(comment: SampledComment, span: Span, kind: Kind, score: float, marked: Spans) -> Excerpt:
    is_new = not any(span.overlaps(other) for other in marked.get(comment.comment, ()))
    before = comment.body[max(span.start - CONTEXT_LENGTH - 1, 0) : span.start]
    after = comment.body[span.end : span.end + CONTEXT_LENGTH + 1]
    around = (shorten_before(before), span.text_of(comment.body)[:MAX_TEXT_LENGTH], shorten_after(after))
    return Excerpt(comment.comment, comment.profile, comment.pseudonym, comment.subreddit, kind, score, *around, is_new)


def _sample(corpus: Corpus, seed: int) -> list[SampledComment]:
    with connection.cursor() as cursor:
        cursor.execute(TRIAL_COMMENTS, {"corpus": corpus.pk, "seed": seed, "limit": COMMENTS})
        return [SampledComment(*row) for row in cursor.fetchall()]


def _marked_spans(run: DetectionRun, sample: Sequence[SampledComment]) -> Spans:
    spans: Spans = defaultdict(list)
    detections = Detection.objects.filter(run=run, comment__in=[comment.comment for comment in sample])
    for comment, start, end in detections.values_list("comment", "start", "end"):
        spans[comment].append(Span(start, end))
    return spans
