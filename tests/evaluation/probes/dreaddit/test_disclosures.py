"""Texts that tell their writer's gender, and texts that only seem to."""

import pytest

from evaluation.probes.dreaddit.disclosures import find_disclosure


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("I (25F) live alone", "female"), ("25F, no idea what to do", "female"), ("Me [M 24] and a friend", "male"),
        ("(M24) here", "male"), ("as a woman I worry", "female"), ("I'm a guy, 30", "male"), ("im a guy", "male"),
        ("I’m a single mother of two", "female"), ("I am his wife", "female"), ("I am non-binary", ""),
        ("I am a nonbinary person", "non-binary"), ("I'm 22NB", "non-binary"),
        ("my husband and I", ""), ("Kate[18F] left", ""), ("a woman that I like (F32)", ""), ("Hi, 19F here", "female"),
        ("my wife, 30F, left", ""), ("Husband's (52 M) ex", ""), ("person b [16F]", ""),
        ("My boyfriend (26M) shouts", ""), ("she 25F left", ""), ("I'm 20 now", ""),
        ("10m away", ""), ("the man on the street", ""), ("When I was a kid my brother hit me", ""),
        ("a woman came in", ""), ("25% of it", ""), ("My wife (30F) left me. I am 31M", "male"), ("", ""),
    ],
)  # fmt: skip
def test_who_writes(text, gender):
    assert find_disclosure(text) == gender
