"""The one way to write a table: a box that scrolls sideways, the table in it, and heads that sort."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotator.core.sort_order import Sorting

register = template.Library()

TABLE = '<div class="table-wrap"><table class="table{}"{}>{}</table></div>'
HEAD = '<th scope="col"{}{}><a href="{}">{}</a></th>'


@register.simple_block_tag
def table(content: SafeString, classes: str = "", label: str = "") -> SafeString:
    """Wrap rows, which the template writes. `classes` such as `table-dense`; `label` where no heading names it."""
    named = format_html(' aria-label="{}"', label) if label else ""
    return format_html(TABLE, f" {classes}" if classes else "", named, content)


@register.simple_tag(takes_context=True)
def sortable(context: template.Context, column: str, label: str, classes: str = "") -> SafeString:
    """The head of a column by which people can sort. `sorting` in the context has the columns and the choice."""
    sorting: Sorting = context["sorting"]
    direction = sorting.direction_of(column)
    sorted_by = format_html(' aria-sort="{}"', direction) if direction else ""
    styled = format_html(' class="{}"', classes) if classes else ""
    return format_html(HEAD, styled, sorted_by, sorting.query_for(column), label)
