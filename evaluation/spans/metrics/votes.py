"""One gold layer from several annotators: what anybody marked, or what most of them did, character by character."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from evaluation.spans.records import LabelledSpan

Layer = Sequence[LabelledSpan]


def union_gold(layers: Collection[Layer]) -> tuple[LabelledSpan, ...]:
    """Characters that at least one annotator gave the label."""
    return _vote(layers, 1)


def majority_gold(layers: Collection[Layer]) -> tuple[LabelledSpan, ...]:
    """Characters that more than half of the annotators gave the label: both of two, two of three.

    Voting on characters keeps a name that everybody marked, but each with other boundaries; voting on whole spans
    would drop it.
    """
    return _vote(layers, len(layers) // 2 + 1)


def _vote(layers: Collection[Layer], quorum: int) -> tuple[LabelledSpan, ...]:
    """A single layer stays as it is. Otherwise labels are voted on separately, and each run of characters is a span."""
    if len(layers) == 1:
        return tuple(next(iter(layers)))
    starts: dict[str, Counter[int]] = defaultdict(Counter)
    ends: dict[str, Counter[int]] = defaultdict(Counter)
    for layer in layers:
        for span in _merged(layer):
            starts[span.label][span.start] += 1
            ends[span.label][span.end] += 1
    spans = (span for label in starts for span in _runs(label, starts[label], ends[label], quorum))
    return tuple(sorted(spans, key=lambda span: (span.start, span.end, span.label)))


def _merged(layer: Layer) -> Iterator[LabelledSpan]:
    """Join overlapping spans of the same label, so that an annotator has one vote. Adjacent spans stay apart."""
    open_spans: dict[str, LabelledSpan] = {}
    for span in sorted(layer, key=lambda span: (span.start, span.end)):
        last = open_spans.get(span.label)
        if last and span.start < last.end:
            open_spans[span.label] = LabelledSpan(last.start, max(last.end, span.end), span.label)
        else:
            if last:
                yield last
            open_spans[span.label] = LabelledSpan(span.start, span.end, span.label)
    yield from open_spans.values()


def _runs(label: str, starts: Counter[int], ends: Counter[int], quorum: int) -> Iterator[LabelledSpan]:
    """Sweep over the text. A run ends where fewer than `quorum` spans go on, even if as many begin there."""
    active, run_start = 0, None
    for position in sorted({*starts, *ends}):
        active -= ends[position]
        if run_start is not None and active < quorum:
            yield LabelledSpan(run_start, position, label)
            run_start = None
        active += starts[position]
        if run_start is None and active >= quorum:
            run_start = position
