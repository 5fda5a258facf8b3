"""Replace spans of a comment. Everything outside the spans stays as it is, character by character."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

Replace = Callable[[str, str], str]  # from the type and the text of a span to what stands there instead

NOT_IN_TAGS = re.compile(r"[^A-Z0-9_]+")


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """Half-open, in code points of one comment. The type is an entity type, or an attribute for evidence."""

    start: int
    end: int
    type: str

    @property
    def length(self) -> int:
        return self.end - self.start


def merge(spans: Iterable[MaskedSpan]) -> list[MaskedSpan]:
    """Overlapping and touching spans become one, which has the type of the longest; of equally long ones, the first.

    Empty spans are left out.
    """
    merged: list[MaskedSpan] = []
    longest = 0
    for span in sorted((span for span in spans if span.start < span.end), key=lambda span: (span.start, span.end)):
        if not merged or span.start > merged[-1].end:
            merged.append(span)
            longest = span.length
            continue
        last = merged[-1]
        kind = span.type if span.length > longest else last.type
        longest = max(longest, span.length)
        merged[-1] = replace(last, end=max(last.end, span.end), type=kind)
    return merged


def mask(body: str, spans: Iterable[MaskedSpan], replace: Replace) -> str:
    """The body with every merged span replaced. Spans may reach beyond the body."""
    parts, position = list[str](), 0
    for span in merge(spans):
        start, end = max(span.start, 0), min(span.end, len(body))
        if start < end:
            parts += [body[position:start], replace(span.type, body[start:end])]
            position = end
    return "".join([*parts, body[position:]]) if parts else body


def masked_characters(body: str, spans: Iterable[MaskedSpan]) -> int:
    """How many characters of the body lie in spans, each counted once."""
    return sum(max(0, min(span.end, len(body)) - max(span.start, 0)) for span in merge(spans))


def by_tag(type_: str, text: str) -> str:
    """`[LOCATION]`, whatever the text."""
    return f"[{NOT_IN_TAGS.sub('_', type_.upper()) or 'MASKED'}]"


def by_stars(type_: str, text: str) -> str:
    """As many stars as characters: how long the text was can still be seen."""
    return "*" * len(text)
