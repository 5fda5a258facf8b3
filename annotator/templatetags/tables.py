"""The one way to write a table: a box that scrolls sideways, the table in it, and heads that sort."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotator.core.sort_order import Sorting

register = template.Library()

TABLE = '<div class="table-wrap"><table class="table{}"{}>{}</table></div>'
HEAD = '<th scope="col"{}{}><a href="{}">{}</a></th>'
PLAIN_HEAD = '<th scope="col"{}>{}</th>'


@register.simple_block_tag
def table(content: SafeString, classes: str = "", label: str = "") -> SafeString:
    """Wrap rows, which the template writes. `classes` such as `table-dense`; `label` where no heading names it."""
    named = format_html(' aria-label="{}"', label) if label else ""
    return format_html(TABLE, f" {classes}" if classes else "", named, content)


@register.simple_tag(takes_context=True)
def sort_link(context: template.Context, column: str, label: str) -> SafeString:
    """The same choice for a list of cards, which has no heads."""
    sorting: Sorting = context["sorting"]
    current = format_html(' aria-current="{}"', "true") if sorting.direction_of(column) else ""
    return format_html('<a href="{}"{}>{}</a>', sorting.query_for(column), current, label)


@register.simple_tag(takes_context=True)
def sortable(context: template.Context, column: str, label: str, classes: str = "") -> SafeString:
    """The head of a column by which people can sort.

    `sorting` in the context has the columns and the choice. Without it the head is plain: a page that shows the first
    rows of a list can include the list's table.
    """
    sorting: Sorting | None = context.get("sorting")
    styled = format_html(' class="{}"', classes) if classes else ""
    if sorting is None:
        return format_html(PLAIN_HEAD, styled, label)
    direction = sorting.direction_of(column)
    sorted_by = format_html(' aria-sort="{}"', direction) if direction else ""
    return format_html(HEAD, styled, sorted_by, sorting.query_for(column), label)
