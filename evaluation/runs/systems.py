"""What a run measures: a language model, a baseline, or predictions in a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from evaluation.llm.budget import Prices
from evaluation.llm.endpoints import Endpoint, open_endpoint
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import ModelEndpoint
from evaluation.runs.results import CannotMeasure

ENDPOINT_GONE = "The endpoint was removed. Start a new run with another one."
ENDPOINT_CHANGED = "The endpoint now has a different model or address. Start a new run with it."
OTHER_BASELINE = "This version of Telltale has no such baseline. Start a new run."

Settings = Mapping[str, Any]


class SystemKind(StrEnum):
    ENDPOINT = "endpoint"  # one that an admin set up
    ADDRESS = "address"  # one that was named on the command line
    BASELINE = "baseline"
    FILE = "file"  # predictions that somebody uploaded


@dataclass(frozen=True, slots=True)
class System:
    """What is measured, with everything that determines its answers. Keys are never part of it."""

    kind: SystemKind
    title: str
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def stored(cls, row: ModelEndpoint) -> "System":
        details = {"endpoint": row.pk, "base_url": row.base_url, "model": row.model}
        return cls(SystemKind.ENDPOINT, row.model, details)

    @classmethod
    def at_address(cls, base_url: str, model: str, send_texts_to: str = "", concurrency: int = 8) -> "System":
        details = {
            "base_url": base_url, "model": model, "send_texts_to": send_texts_to, "concurrency": concurrency,
        }  # fmt: skip
        return cls(SystemKind.ADDRESS, model, details)

    @classmethod
    def baseline(cls, name: str) -> "System":
        return cls(SystemKind.BASELINE, f"Baseline: {name}", {"name": name})

    @classmethod
    def file(cls, title: str, form: str, model: str, reviewer: str) -> "System":
        return cls(SystemKind.FILE, title, {"format": form, "model": model, "reviewer": reviewer})

    @property
    def is_asked(self) -> bool:
        """Whether answers take requests to a model, and may cost something."""
        return self.kind in (SystemKind.ENDPOINT, SystemKind.ADDRESS)

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind.value, **self.details}


def endpoint_for(system: Settings) -> tuple[Endpoint, Prices | None]:
    """Raises CannotMeasure and EndpointRefused."""
    if system["kind"] == SystemKind.ADDRESS:
        endpoint = open_endpoint(
            system["base_url"], system["model"], send_texts_to=system["send_texts_to"],
            concurrency=system["concurrency"],
        )  # fmt: skip
        return endpoint, None
    return stored_endpoint(system, gone=ENDPOINT_GONE, changed=ENDPOINT_CHANGED)


def stored_endpoint(contents: Settings, *, gone: str, changed: str) -> tuple[Endpoint, Prices | None]:
    """Raises CannotMeasure if the row is gone or isn't what it was, and EndpointRefused. 1 query."""
    row = ModelEndpoint.objects.usable().filter(pk=contents["endpoint"]).first()
    if row is None:
        raise CannotMeasure(gone)
    if (row.base_url, row.model) != (contents["base_url"], contents["model"]):
        raise CannotMeasure(changed)
    return endpoint_of(row), prices_of(row)
