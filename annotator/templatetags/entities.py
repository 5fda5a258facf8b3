"""How an entity type is called and coloured in pages. The recipe's own types share one colour."""

from django import template

from profiles.models import EntityType

register = template.Library()


@register.filter
def entity(entity_type: str) -> str:
    """LOCATION → Location; STREET_CORNER → Street corner."""
    if entity_type in EntityType.values:
        return str(EntityType(entity_type).label)
    return entity_type.replace("_", " ").capitalize()


@register.filter
def hue(entity_type: str) -> str:
    """What stands behind `mark-` and `hue-` in the style sheets."""
    return entity_type.lower() if entity_type in EntityType.values else "own"
