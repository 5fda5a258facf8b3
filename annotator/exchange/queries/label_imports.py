"""Label imports as their page lists them."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page

from annotator.core.formatting import number
from annotator.core.jobs import ShownJob, show_job
from annotator.core.pages import page_of
from annotator.models import Format, LabelImport
from profiles.attributes import Attribute
from profiles.jobs.states import State

PER_PAGE = 10
LABELS = {State.RUNNING: "Being read"}
UPLOAD_SUFFIX = re.compile(r"-[0-9a-f]{12}(?=\.[a-z]+$)")  # keeps two uploads of one name apart


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
    summary: list[str]
    reasons: list[tuple[str, int]]
    set_aside: list[tuple[int, str, str]]  # line, attribute, reason


def imports_page(page: str = "1") -> "Page[ImportRow]":
    """The newest first. 2 queries."""
    imports = LabelImport.objects.select_related("corpus", "asked_by").order_by("-pk")
    return page_of(imports, page, _import_row, size=PER_PAGE)


def _import_row(label_import: LabelImport) -> ImportRow:
    corpus, annotator, counts = label_import.corpus, label_import.asked_by, label_import.counts
    return ImportRow(
        pk=label_import.pk, name=UPLOAD_SUFFIX.sub("", label_import.name), corpus=corpus.name if corpus else "",
        corpus_id=corpus.pk if corpus and corpus.ready_at else None, format=Format(label_import.format).label,
        who=annotator.display_name if annotator else "command line", requested_at=label_import.requested_at,
        job=show_job(label_import, "bytes", labels=LABELS, step="Reading"), summary=_summary(counts),
        reasons=list(counts.get("reasons", {}).items()),
        set_aside=[(line["line"], _label(line.get("attribute")), line["reason"]) for line in label_import.set_aside],
    )  # fmt: skip


def _summary(counts: dict[str, Any]) -> list[str]:
    names = {
        "profiles": "profiles", "new_profiles": "of them new", "comments": "comments", "reviews": "reviews",
        "judgements": "judgements", "answers": "of them with a value", "gold": "gold records",
        "there": "reviews that were here already", "lines_set_aside": "lines set aside",
        "answers_set_aside": "answers set aside",
    }  # fmt: skip
    return [f"{number(counts[name])} {label}" for name, label in names.items() if counts.get(name)]


def _label(attribute: str | None) -> str:
    return Attribute(attribute).label if attribute else ""
