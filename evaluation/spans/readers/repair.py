"""Move a span to the nearest place where its quoted text stands."""

from dataclasses import replace

from evaluation.spans.records import LabelledSpan

REACH = 10_000  # characters in either direction; enough for a text whose every line break lost a character


def move_to_quote(span: LabelledSpan, text: str) -> LabelledSpan | None:
    """The span at the nearest occurrence of its quote, the earlier one of two; None if there is none within reach."""
    before = text.rfind(span.text, max(0, span.start - REACH), max(0, span.start + len(span.text)))
    after = text.find(span.text, max(0, span.start), max(0, span.start + REACH + len(span.text)))
    places = [place for place in (before, after) if place >= 0]
    if not places:
        return None
    start = min(places, key=lambda place: abs(place - span.start))
    return replace(span, start=start, end=start + len(span.text))
