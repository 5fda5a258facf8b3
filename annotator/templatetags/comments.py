"""Render a comment with its marks, evidence and search hits. All text is escaped."""

from collections.abc import Iterable
from itertools import pairwise

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from annotator.comments.blocks import HIT, BlockComment
from annotator.comments.citations import citations_among, cited
from annotator.core.entities import entity_hue, entity_name
from annotator.core.formatting import decimal
from profiles.attributes import Attribute
from profiles.highlights import Segment

register = template.Library()

MARK = '<mark class="mark mark-{}{}" data-type="{}" data-entity="{}: " title="{}, score {}">{}</mark>'


ARTICLE = """<article class="comment" id="comment-{0}" data-comment="{0}" tabindex="-1">
  <div class="comment-side"><time datetime="{1}">{2}</time><button type="button" class="flag-comment scripted-only" \
aria-label="Flag this comment" title="Flag this comment (f)">⚑</button></div>
  <div><div class="written" dir="auto">{3}</div>{4}</div>
</article>
"""
UNANALYSED = '<p class="help">Not analysed by Presidio: {}.</p>'


@register.simple_tag
def article(comment: BlockComment) -> SafeString:
    """Render a comment with its date. Not a template: rendering fifty of them would cost more than the whole page."""
    at, reason = comment.written_at, comment.unanalysed
    notice = format_html(UNANALYSED, reason.lower()) if reason else ""
    return format_html(ARTICLE, comment.pk, at.isoformat(), f"{at:%Y-%m-%d}", written(comment.segments), notice)


@register.simple_tag
def written(segments: Iterable[Segment]) -> SafeString:
    pieces = pairwise((Segment(""), *segments))
    return format_html_join("", "{}", ((_piece(segment, before),) for before, segment in pieces))


def _piece(segment: Segment, before: Segment) -> SafeString:
    shown = _marked(segment) if segment.mark else escape(segment.text)
    if not segment.meanings:
        return shown
    if HIT in segment.meanings:
        shown = format_html('<span class="hit">{}</span>', shown)
    citations = citations_among(segment.meanings)
    if citations:
        return cited(shown, citations, citations_among(before.meanings))
    attributes = [meaning for meaning in segment.meanings if meaning != HIT]
    if not attributes:
        return shown
    names = ", ".join(Attribute(attribute).label for attribute in attributes)
    return format_html('<span class="evidence evidence-{}" title="Evidence: {}">{}</span>', attributes[0], names, shown)


def _marked(segment: Segment) -> SafeString:
    mark = segment.mark
    assert mark is not None  # noqa: S101 checked by the caller
    kind, goes_on = entity_name(mark.entity_type), " mark-on" if segment.goes_on else ""
    score = decimal(mark.score)
    return format_html(MARK, entity_hue(mark.entity_type), goes_on, mark.entity_type, kind, kind, score, segment.text)
