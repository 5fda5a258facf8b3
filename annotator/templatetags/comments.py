"""Render a comment with its marks, evidence and search hits. All text is escaped."""

from collections.abc import Iterable
from itertools import groupby, pairwise

from django import template
from django.utils.safestring import SafeString

from annotator.comments.blocks import HITS, BlockComment, Part
from annotator.comments.citations import citations_among, cited
from annotator.comments.markup.meanings import BLOCK, CELL, OFF, SHOWN_AS, STYLES, kind_of, shown_as
from annotator.core.entities import entity_hue, entity_name
from annotator.core.formatting import decimal, number
from annotator.core.html import concatenate, fill
from profiles.attributes import Attribute
from profiles.highlights import Segment

register = template.Library()

MARK = '<mark class="mark mark-{}{}" data-type="{}" data-entity="{}: " title="{}, score {}"{}>{}</mark>'
EVIDENCE = '<span class="evidence evidence-{}{}" title="Evidence: {}">{}</span>'
ATTRIBUTES = frozenset(Attribute.values)


ARTICLE = """<article class="comment" id="comment-{0}" data-comment="{0}" tabindex="-1">
  <div class="comment-side"><time datetime="{1}">{2}</time><button type="button" class="flag-comment scripted-only" \
aria-label="Flag this comment" title="Flag this comment (f)">⚑</button>\
<button type="button" class="translate-comment scripted-only" \
aria-label="Translate this comment" title="Translate this comment (Shift+t)">⇄</button></div>
  <div><div class="written" dir="auto">{3}</div>{4}</div>
</article>
"""
PLACE = """<section class="place" data-subreddit="{0}" data-position="{1}">
  <h3 class="place-name">r/{0} <span class="faint">{2}{3}</span>{4}</h3>
  {5}
</section>
"""
PLACE_HINT = ' <span class="place-hint">{}</span>'
UNANALYSED = '<p class="help">Not analysed by Presidio: {}.</p>'


@register.simple_tag
def place(part: Part) -> SafeString:
    """Render the comments of one subreddit in one block, and which of how many they are."""
    chapter, is_whole = part.chapter, len(part.comments) == part.chapter.count
    which = "" if is_whole else f"{number(part.first)}–{number(part.last)} of "
    hint = fill(PLACE_HINT, part.hint) if part.hint else ""
    articles = concatenate(article(comment) for comment in part.comments)
    return fill(PLACE, chapter.name, chapter.first, which, number(chapter.count), hint, articles)


@register.simple_tag
def article(comment: BlockComment) -> SafeString:
    """Render a comment with its date. Not a template: rendering fifty of them would cost more than the whole page."""
    at, reason = comment.written_at.isoformat(), comment.unanalysed
    notice = fill(UNANALYSED, reason.lower()) if reason else ""
    return fill(ARTICLE, comment.pk, at, at.partition("T")[0], written(comment.segments), notice)


@register.simple_tag
def written(segments: Iterable[Segment]) -> SafeString:
    """A text with everything marked in it. Lines that stand on their own, such as quotes, get an element each."""
    pieces = list(segments)
    if len(pieces) == 1 and not (pieces[0].mark or pieces[0].meanings):
        return fill("{}", pieces[0].text)
    texts = whole_texts(pieces)
    blocks = groupby(pairwise(((Segment(""), ""), *texts)), key=lambda pair: _block_of(pair[1][0]))
    return concatenate([_line(block, list(pairs)) for block, pairs in blocks])


Piece = tuple[Segment, str]


def _line(block: str, pairs: list[tuple[Piece, Piece]]) -> SafeString:
    """The row of a table is a line of cells."""
    cells = groupby(pairs, key=lambda pair: _first_of(CELL, pair[1][0]))
    parts = concatenate([_cell(cell, list(pairs)) for cell, pairs in cells])
    return fill('<span class="md-line md-{}">{}</span>', kind_of(block), parts) if block else parts


def _cell(cell: str, pairs: list[tuple[Piece, Piece]]) -> SafeString:
    pieces = concatenate([_piece(segment, before, text) for (before, _), (segment, text) in pairs])
    return fill('<span class="md-cell md-to-{}">{}</span>', kind_of(cell), pieces) if cell else pieces


def _block_of(segment: Segment) -> str:
    return _first_of(BLOCK, segment)


def _first_of(prefix: str, segment: Segment) -> str:
    return next((meaning for meaning in segment.meanings if meaning.startswith(prefix)), "")


def whole_texts(segments: list[Segment]) -> list[Piece]:
    """Segments with the whole text of their mark where it shows first, and nothing where it only goes on."""
    texts, whole = list[Piece](), ""
    for segment in reversed(segments):
        whole = segment.text + whole if segment.mark else ""
        texts.append((segment, whole))
        whole = whole if segment.goes_on else ""
    return _first_shown(reversed(texts))


def _first_shown(texts: Iterable[Piece]) -> list[Piece]:
    """Hidden syntax cannot be where a mark starts: the piece after it takes over."""
    pieces, waiting = list[Piece](), ""
    for segment, text in texts:
        waiting = text if segment.mark and not segment.goes_on else waiting
        is_start = bool(segment.mark and waiting) and not _is_hidden(segment)
        pieces.append((segment, waiting if is_start else ""))
        waiting = "" if is_start or not segment.mark else waiting
    return pieces


def _is_hidden(segment: Segment) -> bool:
    return OFF in segment.meanings and not any(meaning.startswith(SHOWN_AS) for meaning in segment.meanings)


def _piece(segment: Segment, before: Segment, whole: str) -> SafeString:
    shown = _marked(segment, whole) if segment.mark else _text(segment)
    if not segment.meanings:
        return shown
    shown = _cited(_hit(shown, segment, before), segment, before)
    return fill('<span class="md-off">{}</span>', shown) if _is_hidden(segment) else shown


def _hit(shown: SafeString, segment: Segment, before: Segment) -> SafeString:
    hits = set(HITS).intersection(segment.meanings)
    if not hits:
        return shown
    return fill('<span class="hit{}">{}</span>', " hit-on" if hits & set(before.meanings) else "", shown)


def _cited(shown: SafeString, segment: Segment, before: Segment) -> SafeString:
    citations = citations_among(segment.meanings)
    if citations:
        return cited(shown, citations, citations_among(before.meanings))
    attributes, earlier = _attributes(segment), _attributes(before)
    names = ", ".join(Attribute(attribute).label for attribute in attributes)
    for attribute in reversed(attributes):
        shown = fill(EVIDENCE, attribute, " evidence-on" if attribute in earlier else "", names, shown)
    return shown


def _attributes(segment: Segment) -> list[str]:
    return [meaning for meaning in segment.meanings if meaning in ATTRIBUTES]


def _text(segment: Segment) -> SafeString:
    """The text, in the style that Reddit showed it in. An entity's character is drawn by the style sheet."""
    text = fill("{}", segment.text)
    for meaning in segment.meanings:
        if meaning.startswith(SHOWN_AS):
            text = fill('<span class="md-as" data-as="{}"><span class="md-off">{}</span></span>',
                               shown_as(meaning), text)  # fmt: skip
    styles = [meaning for meaning in segment.meanings if meaning in STYLES]
    return fill('<span class="{}">{}</span>', " ".join(styles), text) if styles else text


def _marked(segment: Segment, whole: str) -> SafeString:
    mark = segment.mark
    assert mark is not None  # noqa: S101 checked by the caller
    kind, goes_on = entity_name(mark.entity_type), "" if whole else " mark-on"
    text = fill(' data-text="{}"', whole) if whole and whole != segment.text else ""
    score = decimal(mark.score)
    return fill(MARK, entity_hue(mark.entity_type), goes_on, mark.entity_type, kind, kind, score, text, _text(segment))
