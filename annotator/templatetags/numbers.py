"""Numbers in pages look the same as numbers in charts."""

from django import template

from annotator.core.formatting import number

register = template.Library()
register.filter("number", number)
