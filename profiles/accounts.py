"""Names of Reddit accounts as people write them."""

import re

ACCOUNT = re.compile(r"(?:/?u/)?(?P<name>[A-Za-z0-9_-]{1,40})", re.IGNORECASE | re.ASCII)


class NotAnAccount(ValueError):
    """No Reddit account can be called that. The text does not repeat what was written."""


def read_account(written: str) -> str:
    """The name alone: `u/name`, `/u/name` and blanks around it mean the same account."""
    match = ACCOUNT.fullmatch(written.strip())
    if match is None:
        raise NotAnAccount("An account's name has 1 to 40 letters, digits, _ or -, with or without u/ before it.")
    return match["name"]
