"""How an entity type is called and coloured in pages. The recipe's own types share one colour."""

from django import template

from profiles.models import EntityType

register = template.Library()

NAMES = {kind.value: str(kind.label) for kind in EntityType}


@register.filter
def entity(entity_type: str) -> str:
    """LOCATION → Location; STREET_CORNER → Street corner."""
    return NAMES.get(entity_type) or entity_type.replace("_", " ").capitalize()


@register.filter
def hue(entity_type: str) -> str:
    """What stands behind `mark-` and `hue-` in the style sheets."""
    return entity_type.lower() if entity_type in NAMES else "own"
