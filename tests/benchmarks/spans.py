"""Matching spans: ours against two loops and against nervaluate, its growth to a million spans, and a whole report.

.venv/bin/python -m tests.benchmarks.spans --check
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from nervaluate import Evaluator

from evaluation.spans.evaluation import evaluate
from evaluation.spans.labels import LabelMode, LabelScheme
from evaluation.spans.matching import MatchRule, Method, match
from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, SpanFile
from evaluation.spans.settings import Settings
from evaluation.spans.tables import SpanTable, build_tables, find_overlaps
from tests.benchmarks.table import Bar, Row, report, wall_and_cpu

DOCUMENTS, SPANS = 1014, 120_000  # of the ECHR study: about 60,000 on each side
SIZES = (10_000, 100_000, 1_000_000)
LABELS = ("PERSON", "LOC", "ORG", "DATETIME", "CODE", "DEM")
SCHEME = LabelScheme("study", groups=(frozenset({"ORG", "LOC"}),), ignored=frozenset({"ORG", "CODE"}))
R1 = MatchRule(Method.R1, LabelMode.STRICT, 0.3)
REPORT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Corpus:
    """The same spans as tables and as lists by document."""

    gold: SpanTable
    predicted: SpanTable

    @property
    def size(self) -> int:
        return len(self.gold) + len(self.predicted)

    def lists(self) -> tuple[list[list[LabelledSpan]], list[list[LabelledSpan]]]:
        return _lists(self.gold), _lists(self.predicted)


def make_corpus(spans: int, documents: int) -> Corpus:
    """Gold spans one after another; predictions miss some, move some, mistake some, and split some in two."""
    rng = np.random.default_rng(12345)
    count = spans // 2
    owners = np.sort(rng.integers(0, documents, count))
    lengths, gaps = rng.integers(3, 25, count), rng.integers(1, 120, count)
    ends = np.cumsum(lengths + gaps)
    ends -= np.repeat(_first_of_each(owners, ends - lengths - gaps), np.bincount(owners, minlength=documents))
    gold = _table(owners, ends - lengths, ends, rng.integers(0, len(LABELS), count), documents)
    return Corpus(gold, _predictions(gold, rng))


def _first_of_each(owners: np.ndarray, values: np.ndarray) -> np.ndarray:
    first = np.zeros(int(owners.max()) + 1, np.int64)
    first[owners[::-1]] = values[::-1]
    return first[: len(first)]


def _predictions(gold: SpanTable, rng: np.random.Generator) -> SpanTable:
    count = len(gold)
    shifts = np.where(rng.random((2, count)) < 0.15, rng.integers(-3, 4, (2, count)), 0)
    starts = np.maximum(gold.starts + shifts[0], 0)
    ends = np.maximum(gold.ends + shifts[1], starts + 1)
    labels = np.where(rng.random(count) < 0.1, rng.integers(0, len(LABELS), count), gold.labels)
    kept, split = rng.random(count) < 0.85, rng.random(count) < 0.1
    middles = (starts + ends) // 2 + 1
    rows = np.concatenate([np.flatnonzero(kept), np.flatnonzero(split)])
    is_half = np.arange(len(rows)) >= kept.sum()
    order = np.argsort(gold.documents[rows], kind="stable")
    begin = np.where(is_half, np.minimum(middles[rows], ends[rows] - 1), starts[rows])
    columns = (gold.documents[rows], begin, ends[rows], labels[rows])
    return _table(*(column[order] for column in columns), gold.document_count)


def _table(documents: np.ndarray, starts: np.ndarray, ends: np.ndarray, labels: np.ndarray, count: int) -> SpanTable:
    scores = np.random.default_rng(1).choice([0.4, 0.6, 0.85, 1.0], len(starts))
    return SpanTable(documents, starts, ends, labels, scores, LABELS, count)


def _lists(table: SpanTable) -> list[list[LabelledSpan]]:
    columns = (table.documents, table.starts, table.ends, table.labels, table.scores)
    documents: list[list[LabelledSpan]] = [[] for _ in range(table.document_count)]
    for document, start, end, label, score in zip(*(column.tolist() for column in columns), strict=True):
        documents[document].append(LabelledSpan(start, end, LABELS[label], score))
    return documents


def match_tables(corpus: Corpus) -> int:
    overlaps = find_overlaps(corpus.gold, corpus.predicted)
    return int(match(corpus.gold, corpus.predicted, overlaps, SCHEME, R1).is_matched.sum())


def match_lists(gold: list[list[LabelledSpan]], predicted: list[list[LabelledSpan]]) -> None:
    """All that nervaluate does not do: three label modes, from plain lists."""
    first, second = build_tables(gold, predicted)
    overlaps = find_overlaps(first, second)
    for mode in LabelMode:
        match(first, second, overlaps, SCHEME, MatchRule(Method.R1, mode, 0.3))


def match_with_two_loops(gold: list[list[LabelledSpan]], predicted: list[list[LabelledSpan]]) -> int:
    """The best free prediction with the same label and enough IoU, as one would write it down."""
    hits = 0
    for spans, others in zip(gold, predicted, strict=True):
        used: set[int] = set()
        for span in spans:
            best, partner = 0.0, -1
            for index, other in enumerate(others):
                shared = min(span.end, other.end) - max(span.start, other.start)
                if shared > 0 and span.label == other.label and index not in used:
                    iou = shared / (span.length + other.length - shared)
                    if iou >= 0.3 and iou > best:
                        best, partner = iou, index
            if partner >= 0:
                used.add(partner)
                hits += 1
    return hits


def run_nervaluate(gold: list[list[LabelledSpan]], predicted: list[list[LabelledSpan]]) -> None:
    """Its four schemes over all types. Its ends are inclusive."""
    sides = (
        [[{"label": span.label, "start": span.start, "end": span.end - 1} for span in spans] for spans in side]
        for side in (gold, predicted)
    )
    Evaluator(*sides, tags=list(LABELS), loader="dict").evaluate()


def span_files(corpus: Corpus) -> tuple[SpanFile, SpanFile]:
    gold, predicted = corpus.lists()
    last = [
        max((span.end for span in (*spans, *others)), default=0) for spans, others in zip(gold, predicted, strict=True)
    ]
    texts = [("alpha beta gamma delta " * (end // 23 + 1))[: end + 20] for end in last]
    return _file(gold, texts, "gold"), _file(predicted, texts, "system")


def _file(side: list[list[LabelledSpan]], texts: list[str], name: str) -> SpanFile:
    documents = {
        str(index): Document(str(index), {ONLY_LAYER: tuple(spans)}, text)
        for index, (spans, text) in enumerate(zip(side, texts, strict=True))
    }
    return SpanFile(documents, "benchmark", "", name)


def growth(seconds: list[float]) -> float:
    """The largest step from one size to the next, as a multiple of what n·log n allows."""
    costs = [size * math.log(size) for size in SIZES]
    steps = zip(pairwise(seconds), pairwise(costs), strict=True)
    return max((later / earlier) / (cost / before) for (earlier, later), (before, cost) in steps)


def cpu_of(times: int, work: Callable[[], object]) -> float:
    """Seconds of CPU of the fastest run: all ways use one core, and other programs should not move the ratios."""
    return min(wall_and_cpu(work)[1] for _ in range(times))


def main() -> None:
    study = make_corpus(SPANS, DOCUMENTS)
    gold, predicted = study.lists()
    ours = cpu_of(9, lambda: match_tables(study))
    loops = cpu_of(2, lambda: match_with_two_loops(gold, predicted))
    from_lists = cpu_of(3, lambda: match_lists(gold, predicted))
    nervaluate = cpu_of(1, lambda: run_nervaluate(gold, predicted))
    corpora = [make_corpus(size, max(size // 60, 1)) for size in SIZES]
    seconds = [cpu_of(5, lambda corpus=corpus: match_tables(corpus)) for corpus in corpora]
    single = make_corpus(100_000, 1)
    files = span_files(study)
    settings = Settings(SCHEME)
    whole = cpu_of(1, lambda: evaluate(files[0], [files[1]], settings))
    rows = [
        Row(f"overlaps and R1, {study.size:,} spans", ours, study.size),
        Row("two loops", loops, study.size),
        Row("tables, overlaps, R1 in three modes", from_lists, study.size),
        Row("nervaluate, four schemes", nervaluate, study.size),
        *(
            Row(f"overlaps and R1, {corpus.size:,} spans", taken, corpus.size)
            for corpus, taken in zip(corpora, seconds, strict=True)
        ),
        Row("100,000 spans in one document", cpu_of(3, lambda: match_tables(single)), single.size),
        Row("whole report, 1,000 resamples", whole, study.size),
    ]
    bars = [
        Bar("R1 against two loops", loops / ours, at_least=20),
        Bar("three modes against nervaluate", nervaluate / from_lists, at_least=3),
        Bar("growth as a multiple of n·log n", growth(seconds), at_most=1.6),
        Bar("whole report, seconds of CPU", whole, at_most=REPORT_SECONDS),
    ]
    report("Span evaluation", rows, bars)


if __name__ == "__main__":
    main()
