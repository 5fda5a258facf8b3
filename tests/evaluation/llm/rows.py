"""Stored endpoints for tests."""

from django.utils import timezone

from evaluation.models import ModelEndpoint
from profiles.encryption import seal

ELSEWHERE = "https://api.example.org/v1"


def make_endpoint(base_url: str = "http://127.0.0.1:8081/v1", *, key: str = "", confirmed: str = "", **more):
    """A row; `confirmed` is the host that an admin allowed."""
    values = {"name": "Small model", "model": "smollm2"} | more
    if confirmed:
        values |= {"confirmed_host": confirmed, "confirmed_at": timezone.now()}
    return ModelEndpoint.objects.create(base_url=base_url, sealed_key=seal(key) if key else None, **values)
