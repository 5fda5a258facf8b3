"""Endpoints that admins have stored, as the client uses them."""

from dataclasses import dataclass, field

from evaluation.llm.budget import Prices
from evaluation.llm.endpoints import Endpoint, EndpointRefused, check_address, check_endpoint
from evaluation.llm.requests import normalise_url
from evaluation.models import ModelEndpoint
from profiles.encryption import WrongKey, unseal

NEVER_CONFIRMED = (
    "“{name}” can't be used yet. First, an admin has to confirm on its page that people's texts may be sent there."
)
COLUMNS = (  # all that admins type, except the key
    "name", "base_url", "model", "concurrency", "per_minute", "timeout", "prompt_price", "completion_price",
    "currency", "prices_read_on",
)  # fmt: skip
KEY_UNREADABLE = (
    "The key of “{name}” was encrypted with a different TELLTALE_ACCOUNT_KEY. An admin must enter it again."
)


@dataclass(frozen=True, slots=True)
class KeyChange:
    """How the form changes the stored key: replace it, remove it, or (by default) keep it."""

    typed: str = field(default="", repr=False)
    is_removed: bool = False


def endpoint_of(row: ModelEndpoint) -> Endpoint:
    """The endpoint with its key. EndpointRefused unless its host is allowed and confirmed, and its key is readable.

    What the admin confirmed on the page takes the place of `--send-texts-to`. It counts for that one host only.
    """
    check_address(row.base_url)
    endpoint = Endpoint(
        normalise_url(row.base_url), row.model, _key(row), send_texts_to=row.confirmed_host,
        concurrency=row.concurrency, per_minute=row.per_minute, timeout=float(row.timeout),
    )  # fmt: skip
    check_endpoint(endpoint, not_confirmed=NEVER_CONFIRMED.format(name=row.name))
    return endpoint


def prices_of(row: ModelEndpoint) -> Prices | None:
    """The prices that somebody entered, or None."""
    if row.prompt_price is None or row.completion_price is None or row.prices_read_on is None:
        return None
    return Prices(row.prompt_price, row.completion_price, row.currency, row.prices_read_on)


def _key(row: ModelEndpoint) -> str:
    if row.sealed_key is None:
        return ""
    try:
        return unseal(bytes(row.sealed_key))
    except WrongKey as error:
        raise EndpointRefused(KEY_UNREADABLE.format(name=row.name)) from error
