"""What highlights of Markdown mean: hidden, shown as something else, a style, a line on its own, a cell of a table."""

from collections.abc import Iterator

from profiles.highlights import Highlight

OFF, SHOWN_AS, BLOCK, CELL = "md-off", "md-as-", "md-block-", "md-cell-"
BOLD, ITALIC, STRUCK, CODE, RAISED, LINK = "md-b", "md-i", "md-s", "md-code", "md-sup", "md-link"
SPOILER = "md-spoiler"
STYLES = frozenset({BOLD, ITALIC, STRUCK, CODE, RAISED, LINK, SPOILER})


def shown_as(meaning: str) -> str:
    """The characters that an entity stands for."""
    return "".join(chr(int(code, 16)) for code in meaning.removeprefix(SHOWN_AS).split("-"))


def replace(start: int, end: int, shown: str) -> Iterator[Highlight]:
    """Hide a piece and show something else. It is attached to one character, because nothing can cut that in two."""
    yield Highlight(start, end, OFF)
    yield Highlight(start, start + 1, SHOWN_AS + "-".join(f"{ord(character):x}" for character in shown))


def kind_of(meaning: str) -> str:
    """What kind of line, or which alignment of a cell: the part after the number."""
    return meaning.removeprefix(BLOCK).removeprefix(CELL).partition("-")[2]
