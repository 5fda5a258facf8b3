"""Statistics shared by all measurements: plain Python and numpy, no database, no clock, no hidden randomness."""
