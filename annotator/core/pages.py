"""Pagination."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

Row = TypeVar("Row")
PAGE_SIZE = 50


def page_of(rows: "QuerySet[Any]", number: str, shape: Callable[[Any], Row], *, size: int = PAGE_SIZE) -> "Page[Row]":
    """One page of shaped rows. An invalid page number gives the first or the last page. 2 queries."""
    page = Paginator(rows, size).get_page(number)
    page.object_list = [shape(row) for row in page.object_list]
    return page
