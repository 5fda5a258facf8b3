"""Read gold and predicted spans from files, whatever their format."""

from evaluation.spans.readers.raw import Side, UnreadableSpans
from evaluation.spans.readers.reader import FORMAT_TITLES, read_spans

__all__ = ["FORMAT_TITLES", "Side", "UnreadableSpans", "read_spans"]
