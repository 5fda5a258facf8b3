"""What must not lie about in the clear: sealed with the key of the environment, or known only by a keyed digest."""

import base64
import hashlib
import hmac
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class WrongKey(Exception):
    """Sealed with another TELLTALE_ACCOUNT_KEY than the one set now."""


def seal(text: str) -> bytes:
    return _fernet(settings.ACCOUNT_KEY).encrypt(text.encode())


def unseal(sealed: bytes) -> str:
    try:
        return _fernet(settings.ACCOUNT_KEY).decrypt(bytes(sealed)).decode()
    except InvalidToken as error:
        raise WrongKey("This was sealed with another TELLTALE_ACCOUNT_KEY. Set the one it was made with.") from error


def account_digest(account: str) -> bytes:
    """The same account gives the same 16 bytes, and without the key nobody can go back or guess names.

    Case does not count: to Reddit `Tinroof` and `tinroof` are one account, and whoever asks to be forgotten
    may spell it either way.
    """
    return hmac.digest(_subkey(settings.ACCOUNT_KEY, "digest"), account.lower().encode(), "sha256")[:16]


@lru_cache(maxsize=4)
def _fernet(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_subkey(key, "seal")))


@lru_cache(maxsize=8)
def _subkey(key: str, purpose: str) -> bytes:
    return hashlib.blake2b(key.encode(), person=purpose.encode(), digest_size=32).digest()
