"""Score detected spans of personal information against gold spans.

The core is plain Python and numpy, without Django, clock or hidden randomness: `records`, `tables`, `labels`,
`readers`, `matching`, `metrics`, `errors`, `evaluation`. The pages and jobs are built around it.
"""
