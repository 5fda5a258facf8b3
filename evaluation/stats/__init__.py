"""What agreement is and how it is computed: plain Python and numpy, no database, no clock, no hidden randomness."""
