"""Reddit's Markdown and HTML entities as highlights of the text as it was written. Pure, and linear in the text.

Nothing is removed or replaced: syntax becomes a highlight that the page hides, an entity one that shows its character.
So every character stays where it was, and offsets of detections and evidence stay true. Line breaks are kept as
written, too. Links are text with the address beside them, never something to click.
"""

import re

from annotator.comments.markup.lines import read_lines
from profiles.highlights import Highlight

SPECIAL = re.compile(
    r"[*_~`&\[\\>#^|]|^ *+(?:[-+]|\d{1,9}[.)]) |^(?: {4}|\t)|^ {0,3}(?:---|===)|^ *+- *+- *+-", re.MULTILINE
)


def markup(text: str) -> list[Highlight]:
    """What Reddit showed differently from what was written."""
    return list(read_lines(text)) if SPECIAL.search(text) else []
