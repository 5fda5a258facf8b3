"""Names and colours of entity types."""

from django import template

from annotator.core.entities import entity_hue, entity_name

register = template.Library()
register.filter("entity", entity_name)
register.filter("hue", entity_hue)
