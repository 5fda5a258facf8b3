"""Where models are asked, and which hosts may be sent people's texts."""

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings

from evaluation.llm.requests import normalise_url

NOT_AN_ADDRESS = "“{url}” isn't the address of an endpoint. Give one such as http://127.0.0.1:8080/v1, without a key."
NOT_A_KEY = "The key contains spaces or characters that a key can't have. Check it."
NOT_ALLOWED = (
    "{host} isn't among the allowed hosts. Add it to TELLTALE_MODEL_HOSTS if people's texts may be sent there."
)
NOT_CONFIRMED = "This sends people's texts to {host}. Confirm it with --send-texts-to {host}."


class EndpointRefused(Exception):
    """The endpoint may not be used: its address, its host, or a confirmation that is missing."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible chat endpoint, and how hard it may be pressed."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    key_variable: str = ""  # where the key comes from; empty if an admin stored it
    send_texts_to: str = ""  # the host, as confirmed by a person
    concurrency: int = 8
    per_minute: float | None = None  # requests, retries included
    timeout: float = 120.0  # seconds for one request
    tries: int = 6
    longest_wait: float = 60.0  # seconds between two tries, whatever the server says

    @property
    def host(self) -> str:
        return host_of(self.base_url)

    @property
    def is_local(self) -> bool:
        return is_loopback(self.host)


def open_endpoint(
    base_url: str, model: str, *, key_variable: str = "", send_texts_to: str = "", concurrency: int = 8,
    per_minute: float | None = None, timeout: float = 120.0,
) -> Endpoint:  # fmt: skip
    """An endpoint with the key from the environment, or EndpointRefused."""
    key = os.environ.get(key_variable, "") if key_variable else os.environ.get("TELLTALE_MODEL_KEY", "")
    check_address(base_url.strip())
    endpoint = Endpoint(
        normalise_url(base_url), model, key, key_variable or "TELLTALE_MODEL_KEY", send_texts_to.strip().lower(),
        concurrency=concurrency, per_minute=per_minute, timeout=timeout,
    )  # fmt: skip
    check_endpoint(endpoint)
    return endpoint


def check_endpoint(endpoint: Endpoint, *, not_confirmed: str = "") -> None:
    """Loopback is always allowed. Other hosts need the setting and a person's confirmation."""
    check_address(endpoint.base_url)
    if not is_key(endpoint.key):
        raise EndpointRefused(NOT_A_KEY)
    if endpoint.is_local:
        return
    if not is_allowed(endpoint.host):
        raise EndpointRefused(NOT_ALLOWED.format(host=endpoint.host))
    if endpoint.send_texts_to != endpoint.host:
        raise EndpointRefused(not_confirmed or NOT_CONFIRMED.format(host=endpoint.host))


def is_key(text: str) -> bool:
    """It goes into a header."""
    return text.isascii() and text.isprintable() and " " not in text


def host_of(base_url: str) -> str:
    return (urlsplit(base_url).hostname or "").lower()


def is_allowed(host: str) -> bool:
    """Whether the operator lets texts go there, if a person confirms it, too."""
    return is_loopback(host) or host in settings.MODEL_HOSTS


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_address(base_url: str) -> None:
    """Refuse what is no address, or holds a key."""
    try:
        parts = urlsplit(base_url)
        is_usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        is_usable, parts = False, urlsplit("")
    is_plain = base_url.isascii() and base_url.isprintable() and " " not in base_url
    if not is_usable or not is_plain or parts.query or parts.fragment or "@" in parts.netloc:
        raise EndpointRefused(NOT_AN_ADDRESS.format(url=base_url.rpartition("@")[2]))
