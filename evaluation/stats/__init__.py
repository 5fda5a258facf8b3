"""Statistics that every measurement shares: plain Python and numpy, no database, no clock, no hidden randomness."""
