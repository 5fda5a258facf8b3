"""Read environment variables. Refuse an unreadable value and name its variable."""

import re
import zlib
from itertools import pairwise
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

BOOLEANS = frozenset({"1", "true", "yes", "y", "on", "0", "false", "no", "n", "off", ""})

MIN_KEY_LENGTH = 50
MIN_KEY_CHARACTERS = 10  # different ones; 50 random hexadecimal digits have 14 to 16
MIN_KEY_BYTES = 40  # compressed: random hexadecimal digits shrink to half at most, repetitions to less


def is_weak(key: str) -> bool:
    """Whether a key is too short, or obviously not random: repeated characters or words, or runs such as abcdef."""
    runs = sum(abs(ord(character) - ord(following)) <= 1 for character, following in pairwise(key))
    return (
        len(key) < MIN_KEY_LENGTH
        or len(set(key)) < MIN_KEY_CHARACTERS
        or len(zlib.compress(key.encode(), 9)) < max(MIN_KEY_BYTES, len(key) / 2 + 4)
        or runs > len(key) / 2
    )


class Environment(environ.Env):  # type: ignore[misc]
    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        try:
            value = super().get_value(var, cast, default, parse_default)
        except (ValueError, TypeError) as error:
            raise ImproperlyConfigured(f"{var} cannot be read as {getattr(cast, '__name__', 'a value')}.") from error
        if cast is bool and self.ENVIRON.get(var, "").strip().lower() not in BOOLEANS:
            raise ImproperlyConfigured(f"{var} is neither yes nor no. Write 1 or 0.")
        return value

    def matching(self, var: str, pattern: str, *, default: str, example: str) -> str:
        """Read text that must match a pattern."""
        value: str = self.str(var, default=default)
        if not re.fullmatch(pattern, value):
            raise ImproperlyConfigured(f"{var} cannot be read. Write it like {example}.")
        return value
