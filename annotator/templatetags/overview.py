"""Lists of the labelling page's overview. Not templates: a dozen years of months cost more than the rest of it."""

from collections.abc import Sequence
from functools import cache, lru_cache

from django import template
from django.template.defaultfilters import truncatechars
from django.utils.safestring import SafeString

from annotator.comments.blocks import Chapter
from annotator.comments.presidio_results import DetectedString, DetectedType
from annotator.comments.profiles import Month
from annotator.core.entities import entity_hue, entity_name
from annotator.core.formatting import number
from annotator.core.html import concatenate, fill
from profiles.hints.store import ProfileHint
from profiles.models import EntityType

register = template.Library()

MONTH = '<td class="num" data-month="{}">{}</td>'
NO_MONTH = SafeString('<td class="num"></td>')
TIMES = ' <span class="faint">{}</span>'
STRING = """<li><button type="button" class="link walk" data-walk-type="{}" data-walk-text="{}" dir="auto">{}</button>\
{}</li>"""
TYPE = """<ul class="detected-type" aria-label="{0}">
  <li><button type="button" class="badge hue-{1} walk" data-walk-type="{2}" \
title="Go through all of them">{0} {3}</button></li>
  {4}{5}
</ul>
"""
MORE = '<li class="faint">and {} more</li>'
HINT = '<li>{}{} <span class="faint">r/{}, {}</span></li>'
NO_HINTS = SafeString('<li class="faint">These subreddits suggest nothing.</li>')
SWITCH = """<button type="button" class="type-switch hue-{0}" aria-pressed="true" data-type-switch="{0}" title="{1}">\
<span class="hue-sign"></span><span class="visually-hidden">{1}</span></button>"""
JUMP = '<li><a href="?first={0}#comments" data-jump-to="{0}">r/{1}</a> <span class="faint">{2}</span></li>'
OPTION = '<option value="{0}"{1}>r/{0}</option>'


@register.simple_tag
def month_cells(months: Sequence[Month]) -> SafeString:
    """The cells of a year."""
    return concatenate(map(_month_cell, months))


@lru_cache(maxsize=10_000)
def _month_cell(month: Month) -> SafeString:
    return NO_MONTH if month.count is None else fill(MONTH, month.name, number(month.count))


@register.simple_tag
def detected_type(detected: DetectedType) -> SafeString:
    """The strings of one entity type, to walk through."""
    kind, name, hue = detected.entity_type, entity_name(detected.entity_type), entity_hue(detected.entity_type)
    strings = concatenate(_string(kind, string) for string in detected.strings)
    more = fill(MORE, number(detected.more)) if detected.more else ""
    return fill(TYPE, name, hue, kind, number(detected.total), strings, more)


def _string(entity_type: str, string: DetectedString) -> SafeString:
    times = fill(TIMES, number(string.times)) if string.times > 1 else ""
    return fill(STRING, entity_type, string.text, truncatechars(string.text, 60), times)


@register.simple_tag
def jumps(chapters: Sequence[Chapter]) -> SafeString:
    """Subreddits to jump to."""
    return concatenate(fill(JUMP, chapter.first, chapter.name, number(chapter.count)) for chapter in chapters)


@register.simple_tag
def subreddit_options(chapters: Sequence[Chapter], chosen: str) -> SafeString:
    return concatenate(
        fill(OPTION, chapter.name, SafeString(" selected") if chapter.name == chosen else "") for chapter in chapters
    )


@register.simple_tag
def hint_items(hints: Sequence[ProfileHint]) -> SafeString:
    """What the subreddits suggest."""
    return concatenate(map(_hint, hints)) if hints else NO_HINTS


def _hint(hint: ProfileHint) -> SafeString:
    value = fill(": <strong>{}</strong>", hint.value) if hint.value else ""
    return fill(HINT, hint.attribute.label, value, hint.subreddit, number(hint.comment_count))


@register.simple_tag
@cache
def type_switches() -> SafeString:
    """Buttons that hide the marks of one entity type each."""
    return concatenate(fill(SWITCH, entity_hue(kind), entity_name(kind)) for kind in EntityType.values)
