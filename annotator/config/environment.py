"""Read the environment. An unreadable value is refused, with the name of its variable."""

import re
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

BOOLEANS = frozenset({"1", "true", "yes", "y", "on", "0", "false", "no", "n", "off", ""})


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
        """Text that must match a pattern."""
        value: str = self.str(var, default=default)
        if not re.fullmatch(pattern, value):
            raise ImproperlyConfigured(f"{var} cannot be read. Write it like {example}.")
        return value
