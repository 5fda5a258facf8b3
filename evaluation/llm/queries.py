"""Endpoints as pages show them."""

from dataclasses import dataclass
from datetime import date, datetime

from django.core.paginator import Page
from django.db.models import Q
from django.db.models.functions import Lower

from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from evaluation.llm.budget import Prices
from evaluation.llm.endpoints import host_of, is_allowed, is_loopback
from evaluation.llm.stored_endpoints import prices_of
from evaluation.models import ModelEndpoint


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """An endpoint in a list. Its key is never part of it."""

    pk: int
    name: str
    base_url: str
    host: str
    model: str
    is_local: bool
    is_allowed: bool
    is_confirmed: bool
    is_archived: bool
    has_key: bool
    prices: str
    prices_read_on: date | None
    confirmed_by: str
    confirmed_at: datetime | None

    @property
    def needs_confirmation(self) -> bool:
        return not self.is_local and self.is_allowed and not self.is_confirmed


ENDPOINT_COLUMNS = {"name": "lower_name", "host": "base_url lower_name", "confirmed": "-confirmed_at lower_name"}


def endpoints_page(sorting: Sorting, page_number: str) -> "Page[EndpointRow]":
    """One page of endpoints, archived ones after all others. 2 queries."""
    rows = ModelEndpoint.objects.select_related("confirmed_by").annotate(
        is_archived=Q(archived_at__isnull=False), lower_name=Lower("name")
    )
    return page_of(rows.order_by("is_archived", *sorting.order), page_number, endpoint_row)


def endpoint_row(row: ModelEndpoint) -> EndpointRow:
    """0 queries if `confirmed_by` was read along."""
    host = host_of(row.base_url)
    return EndpointRow(
        row.pk, row.name, row.base_url, host, row.model, is_local=is_loopback(host), is_allowed=is_allowed(host),
        is_confirmed=row.confirmed_host == host, is_archived=row.archived_at is not None,
        has_key=row.sealed_key is not None, prices=_format_prices(prices_of(row)),
        prices_read_on=row.prices_read_on,
        confirmed_by=row.confirmed_by.display_name if row.confirmed_by else "", confirmed_at=row.confirmed_at,
    )  # fmt: skip


def _format_prices(prices: Prices | None) -> str:
    if prices is None:
        return ""
    return f"{prices.prompt.normalize():f} input, {prices.completion.normalize():f} output ({prices.currency})"
