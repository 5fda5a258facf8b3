"""Evidence cited by several people: which attribute it supports and who cited it, as highlights and as HTML."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.utils.html import format_html
from django.utils.safestring import SafeString

from profiles.attributes import Attribute

SEPARATOR = "@"
COLOURS = 8
CITED = '<span class="cited person-{} {}" data-by="{}" title="Evidence: {}">{}</span>'


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """One person's evidence for one attribute. `number` counts the people of a page from 1, and gives the colour."""

    number: int
    letter: str
    attribute: Attribute

    @property
    def meaning(self) -> str:
        """The citation as the meaning of a highlight."""
        return SEPARATOR.join((str(self.number), self.letter, self.attribute.value))

    @property
    def colour(self) -> int:
        return colour_of(self.number)


def colour_of(number: int) -> int:
    """Colours repeat after the eighth person; the letter still tells people apart."""
    return (number - 1) % COLOURS + 1


def citations_among(meanings: Iterable[str]) -> list[Citation]:
    """The citations among the meanings of a piece of text, by person."""
    parts = (meaning.split(SEPARATOR) for meaning in meanings if SEPARATOR in meaning)
    return sorted(Citation(int(number), letter, Attribute(attribute)) for number, letter, attribute in parts)


def cited(text: SafeString, citations: Iterable[Citation], before: Iterable[Citation]) -> SafeString:
    """Wrap the text in one element per person. `before` has the citations of the piece before, which go on here."""
    people = [list(of) for _, of in groupby(citations, key=lambda citation: citation.number)]
    title = "; ".join(f"{of[0].letter} ({_labels(of)})" for of in people)
    earlier = set(before)
    for of in people:
        text = format_html(CITED, of[0].colour, _classes(of, earlier), of[0].letter, title, text)
    return text


def _labels(citations: Iterable[Citation]) -> str:
    return ", ".join(str(citation.attribute.label) for citation in citations)


def _classes(citations: Iterable[Citation], earlier: set[Citation]) -> str:
    """`cited-age` for each attribute, and `starts-age` where its evidence starts."""
    return " ".join(
        f"cited-{citation.attribute.value}" + ("" if citation in earlier else f" starts-{citation.attribute.value}")
        for citation in citations
    )
