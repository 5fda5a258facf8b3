"""Which keys are good enough for production."""

import secrets
import string

import pytest

from annotator.config.environment import is_weak


@pytest.mark.parametrize(
    "key",
    [
        "",
        "k" * 64,
        "ab" * 32,
        "0123456789" * 6,
        "0123456789abcdef" * 4,
        "change-me!" * 6,
        "correct horse battery staple " * 3,
        string.ascii_letters + string.digits,
        (string.ascii_letters + string.digits)[::-1],
        "aabbccddeeffgghhiijjkkllmmnnooppqqrrssttuuvvwwxxyyzz",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",  # 48 characters
    ],
)
def test_refuses_what_is_short_or_not_random(key):
    assert is_weak(key)


@pytest.mark.parametrize(
    "make",
    [
        lambda: secrets.token_hex(32),
        lambda: secrets.token_urlsafe(48),
        lambda: secrets.token_hex(25),
        lambda: secrets.token_hex(200),
    ],
)
def test_takes_what_our_documents_say_to_make(make):
    assert not any(is_weak(make()) for _ in range(2000))
