"""Imports of labels as their page lists them."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator

from annotator.core.formatting import number
from annotator.core.jobs import ShownJob, show_job
from annotator.models import Format, LabelImport
from profiles.attributes import Attribute
from profiles.jobs.states import State

PER_PAGE = 10
LABELS = {State.RUNNING: "Being read"}
TAIL = re.compile(r"-[0-9a-f]{12}(?=\.[a-z]+$)")  # what an upload got so that two do not collide


@dataclass(frozen=True, slots=True)
class ImportRow:
    pk: int
    name: str
    corpus: str
    corpus_id: int | None
    format: str
    who: str
    requested_at: datetime
    job: ShownJob
    told: list[str]
    reasons: list[tuple[str, int]]
    set_aside: list[tuple[int, str, str]]  # line, attribute, reason


def imports_page(page: str = "1") -> "Page[ImportRow]":
    """The newest first. 2 queries."""
    imports = LabelImport.objects.select_related("corpus", "asked_by").order_by("-pk")
    found: Page[Any] = Paginator(imports, PER_PAGE).get_page(page)
    found.object_list = [_import_row(one) for one in found.object_list]
    return found


def _import_row(one: LabelImport) -> ImportRow:
    return ImportRow(
        pk=one.pk, name=TAIL.sub("", one.name), corpus=one.corpus.name if one.corpus else "",
        corpus_id=_corpus_to_open(one),
        format=Format(one.format).label, who=one.asked_by.display_name if one.asked_by else "command line",
        requested_at=one.requested_at, job=show_job(one, "bytes", labels=LABELS, step="Reading"),
        told=_told(one.counts), reasons=list(one.counts.get("reasons", {}).items()),
        set_aside=[(left["line"], _label(left.get("attribute")), left["reason"]) for left in one.set_aside],
    )  # fmt: skip


def _corpus_to_open(one: LabelImport) -> int | None:
    return one.corpus_id if one.corpus and one.corpus.ready_at else None


def _told(counts: dict[str, Any]) -> list[str]:
    names = {
        "profiles": "profiles", "new_profiles": "of them new", "comments": "comments", "reviews": "reviews",
        "judgements": "judgements", "answers": "of them with a value", "gold": "gold records",
        "there": "reviews that were here already", "lines_set_aside": "lines set aside",
        "answers_set_aside": "answers set aside",
    }  # fmt: skip
    return [f"{number(counts[name])} {told}" for name, told in names.items() if counts.get(name)]


def _label(attribute: str | None) -> str:
    return Attribute(attribute).label if attribute else ""
