"""Names and colours of entity types on pages. A recipe's own types share one colour."""

from profiles.models import EntityType

NAMES = {kind.value: str(kind.label) for kind in EntityType}


def entity_name(entity_type: str) -> str:
    """LOCATION → Location; STREET_CORNER → Street corner."""
    return NAMES.get(entity_type) or entity_type.replace("_", " ").capitalize()


def entity_hue(entity_type: str) -> str:
    """The suffix of `mark-` and `hue-` in the style sheets."""
    return entity_type.lower() if entity_type in NAMES else "own"
