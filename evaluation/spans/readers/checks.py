"""Turn a raw document into one that can be scored. What doesn't fit is repaired or set aside, with its reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from annotator.core.formatting import plural
from evaluation.spans.readers.offsets import convert_offsets, fits
from evaluation.spans.readers.raw import RawDocument, RawSpan, Side
from evaluation.spans.readers.repair import move_to_quote
from evaluation.spans.readers.values import SpanRefused, has_bad_score, to_id, to_span, to_text
from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, Problem, ProblemKind


@dataclass(slots=True)
class Check:
    """The problems of one document, as they come up."""

    document: str
    problems: list[Problem] = field(default_factory=list)

    def report(self, kind: ProblemKind, detail: str, span: LabelledSpan | None = None) -> None:
        start, end = (span.start, span.end) if span else (None, None)
        self.problems.append(Problem(kind, self.document, detail, start, end))


Entry = tuple[str, LabelledSpan]  # annotator and span


def check_document(raw: RawDocument, given: str | None, side: Side) -> tuple[Document, list[Problem]]:
    """Check against the file's own text, and move spans to the `given` text where that is another one.

    Raises RecordRefused if there's no document in it.
    """
    check, own = Check(to_id(raw.id)), to_text(raw.text)
    for defect in raw.defects:
        check.report(ProblemKind.UNREADABLE, defect)
    entries = _typed_entries(raw.spans, side, check)
    text = own if own is not None else given
    if text is not None:
        entries = _fit_entries(entries, text, check)
    if own is not None and given is not None and own != given:
        entries, text = _transfer(entries, own, given, check), given
    layers = _layers(entries, raw.layers if side == Side.GOLD else ())
    for spans in layers.values():
        _report_crowding(spans, check)
    return Document(check.document, layers, text), check.problems


def _layers(entries: Iterable[Entry], names: Iterable[str]) -> dict[str, tuple[LabelledSpan, ...]]:
    """One layer for each annotator. Spans know their position, in case that annotators take turns."""
    layers: dict[str, list[LabelledSpan]] = {name: [] for name in names}
    for position, (name, span) in enumerate(entries):
        layers.setdefault(name, []).append(replace(span, position=position))
    return {name: tuple(spans) for name, spans in layers.items()} or {ONLY_LAYER: ()}


# ── Spans on their own ──────────────────────────────────────────────────────


def _typed_entries(spans: Iterable[RawSpan], side: Side, check: Check) -> list[Entry]:
    """Predictions have one layer, whatever their file names."""
    typed = ((raw.layer if side == Side.GOLD else ONLY_LAYER, _typed(raw, check)) for raw in spans)
    return [(layer, span) for layer, span in typed if span is not None]


def _typed(raw: RawSpan, check: Check) -> LabelledSpan | None:
    try:
        span = to_span(raw)
    except SpanRefused as refused:
        check.report(ProblemKind.UNREADABLE, str(refused))
        return None
    if span.start >= span.end:
        check.report(ProblemKind.EMPTY, "It has no length.", span)
        return None
    if span.start < 0:
        check.report(ProblemKind.OUT_OF_RANGE, "It begins before the text.", span)
        return None
    if has_bad_score(raw):
        check.report(ProblemKind.SCORE_DROPPED, "Its score is not a number, so it is kept without one.", span)
    return span


# ── Spans and the text ──────────────────────────────────────────────────────


def _fit_entries(entries: Sequence[Entry], text: str, check: Check) -> list[Entry]:
    """Convert the offsets of the whole document where needed, then fit every span."""
    unit, spans = convert_offsets([span for _, span in entries], text)
    if unit is not None:
        count = plural(len(spans), "span")
        check.report(ProblemKind.OFFSETS_CONVERTED, f"The offsets of its {count} counted {unit}, not code points.")
    fitted = ((name, _fitted(span, text, check)) for (name, _), span in zip(entries, spans, strict=True))
    return [(name, span) for name, span in fitted if span is not None]


def _fitted(span: LabelledSpan, text: str, check: Check) -> LabelledSpan | None:
    in_range = span.end <= len(text)
    if in_range and (not span.text or fits(span, text)):
        return span
    moved = move_to_quote(span, text) if span.text else None
    if moved is not None:
        steps = moved.start - span.start
        check.report(ProblemKind.REPAIRED, f"Moved by {steps:+,} to where the quoted text occurs.", moved)
    elif in_range:
        check.report(ProblemKind.TEXT_DIFFERS, "The text that it quotes is nowhere near.", span)
    else:
        check.report(ProblemKind.OUT_OF_RANGE, f"The text ends at {len(text):,}.", span)
    return moved


def _transfer(entries: Sequence[Entry], own: str, given: str, check: Check) -> list[Entry]:
    """Find the spans again in a text that isn't quite the same, such as one with other line breaks."""
    quoted = ((name, replace(span, text=span.text_of(own))) for name, span in entries)
    return _fit_entries(list(quoted), given, check)


# ── Spans and each other ────────────────────────────────────────────────────


def _report_crowding(spans: Sequence[LabelledSpan], check: Check) -> None:
    """Report duplicates and overlaps once for each span that an earlier one meets; matching decides what they mean."""
    seen: set[tuple[int, int, str]] = set()
    reach = 0
    for span in sorted(spans):
        key = (span.start, span.end, span.label)
        if key in seen:
            check.report(ProblemKind.DUPLICATE, "Another span of the same annotator is the same.", span)
        elif span.start < reach:
            check.report(ProblemKind.OVERLAPPING, "It overlaps with another span of the same annotator.", span)
        seen.add(key)
        reach = max(reach, span.end)
