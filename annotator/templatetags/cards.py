"""Render cards. Parts that are the same on every page are rendered once and cached."""

from collections.abc import Container
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from annotator.labelling.cards import RATINGS, CardOnPage, CardState, card_on_page
from profiles.attributes import Attribute

register = template.Library()

RATING = '<label{}><input type="radio" name="{}-{}" value="{}"{}>{}</label>'


@register.simple_tag
def card_of(card: CardOnPage, guideline: int, is_writable: bool, looked_up: Container[str] = ()) -> SafeString:
    """Render one card. Most are untouched, and so the same for every profile."""
    is_looked_up = card.attribute.value in looked_up
    if card.state is CardState.UNTOUCHED:
        return _untouched(card.attribute, guideline, is_writable, is_looked_up)
    return _render(card, guideline, is_writable, is_looked_up)


@register.simple_tag
@lru_cache(maxsize=256)
def rating(attribute: Attribute, scale: str, chosen: int) -> SafeString:
    """The radio buttons of a scale. With scripts, no rating is none chosen; without them, 0 takes one back."""
    return format_html_join("", RATING, (_button(attribute, scale, n, is_chosen=n == chosen) for n in RATINGS))


def _button(attribute: Attribute, scale: str, number: int, *, is_chosen: bool) -> tuple[object, ...]:
    no_script = "" if number else SafeString(' class="no-script"')
    checked = " checked" if is_chosen and number else ""
    return no_script, attribute.value, scale, number, checked, number


@lru_cache(maxsize=256)
def _untouched(attribute: Attribute, guideline: int, is_writable: bool, is_looked_up: bool) -> SafeString:
    return _render(card_on_page(attribute, None), guideline, is_writable, is_looked_up)


def _render(card: CardOnPage, guideline: int, is_writable: bool, is_looked_up: bool) -> SafeString:
    context = {"card": card, "guideline": guideline, "is_writable": is_writable, "is_looked_up": is_looked_up}
    return render_to_string("annotator/labelling/_card.html", context)
