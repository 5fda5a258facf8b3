"""How long something may be silent before others take it over: stated once, for those who write and those who look."""

from datetime import timedelta

LEASE = timedelta(minutes=5)  # of an adjudicator with a profile open
