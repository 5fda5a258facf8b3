"""Format numbers on pages the same way as in charts."""

from django import template

from annotator.core import formatting

register = template.Library()
register.filter("number", formatting.number)


@register.filter
def plural(count: int, forms: str) -> str:
    """`{{ 2|plural:"profile" }}` or `{{ 2|plural:"line is,lines are" }}`: the number and its noun."""
    return formatting.plural(count, *forms.split(","))
