"""Fill HTML with text, for pages with hundreds of pieces."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString


def fill(template: str, *parts: object) -> SafeString:
    """Same as Django's `format_html`, except that no part may be lazy. Takes a third of the time."""
    return SafeString(template.format(*map(_escaped, parts)))


def concatenate(parts: Iterable[object]) -> SafeString:
    """Same as `format_html_join("", "{}", …)` with one part in each row."""
    return SafeString("".join(map(_escaped, parts)))


def _escaped(part: object) -> str:
    return part if isinstance(part, SafeString) else escape(str(part))
