"""Encrypt account names with the key from the environment, or reduce them to a keyed digest."""

import base64
import hashlib
import hmac
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:  # not loaded by what only makes digests
    from cryptography.fernet import Fernet

OTHER_KEY = "This was encrypted with a different TELLTALE_ACCOUNT_KEY. Set the original key."


class WrongKey(Exception):
    """The text was sealed with another TELLTALE_ACCOUNT_KEY."""


def seal(text: str) -> bytes:
    return _fernet(settings.ACCOUNT_KEY).encrypt(text.encode())


def unseal(sealed: bytes) -> str:
    from cryptography.fernet import InvalidToken  # noqa: PLC0415 most commands open no names

    try:
        return _fernet(settings.ACCOUNT_KEY).decrypt(bytes(sealed)).decode()
    except InvalidToken as error:
        raise WrongKey(OTHER_KEY) from error


def account_digest(account: str) -> bytes:
    """16 bytes that are always the same for an account. Without the key, nobody can reverse them or test a guess.

    Case is ignored: to Reddit, `Tinroof` and `tinroof` are one account, and a person who asks to be forgotten may
    write either.
    """
    return hmac.digest(_subkey(settings.ACCOUNT_KEY, "digest"), account.lower().encode(), "sha256")[:16]


@lru_cache(maxsize=4)
def _fernet(key: str) -> "Fernet":
    from cryptography.fernet import Fernet  # noqa: PLC0415 likewise

    return Fernet(base64.urlsafe_b64encode(_subkey(key, "seal")))


@lru_cache(maxsize=8)
def _subkey(key: str, purpose: str) -> bytes:
    return hashlib.blake2b(key.encode(), person=purpose.encode(), digest_size=32).digest()
