"""Score Presidio against the evidence that people marked: how much of it would have been masked?

`records`, `coverage`, `tally`, `report` are plain Python and numpy. `queries` brings the rows from the database.
"""
