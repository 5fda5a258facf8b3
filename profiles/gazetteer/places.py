"""Places, and the places that a text can mean."""

from dataclasses import dataclass
from enum import Enum


class MatchKind(Enum):
    ONE = "one"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Place:
    """A city, a state (its city is empty) or a country (its state is empty too), named as in GeoNames.

    A state's population is that of its cities in the data: good enough to sort by, not to cite.
    """

    geoname_id: int
    city: str
    state: str
    country: str
    population: int

    @property
    def written(self) -> str:
        """`houston / texas / united states`, without the parts that are unknown."""
        return " / ".join(part.lower() for part in (self.city, self.state, self.country) if part)

    def contains(self, other: "Place") -> bool:
        """Whether the other place lies in this state or country."""
        if self.city or self == other or self.country != other.country:
            return False
        return not self.state or self.state == other.state


@dataclass(frozen=True, slots=True)
class Match:
    """The places that a text can mean: one, several with the largest first, or none."""

    kind: MatchKind
    places: list[Place]
