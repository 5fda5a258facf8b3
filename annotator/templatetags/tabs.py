"""The links of a `<nav class="tabs">`."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

LINK = '<a href="{}">{}</a>'
OPEN_LINK = '<a href="{}" aria-current="page">{}</a>'


@register.simple_tag(takes_context=True)
def tab(context: template.Context, name: str, label: str, view: str, *args: Any, query: str = "") -> SafeString:
    """A link to a view. `tab` in the context names the current one; `query` begins with a question mark."""
    url = f"{reverse(view, args=args)}{query}"
    return format_html(OPEN_LINK if context["tab"] == name else LINK, url, label)
