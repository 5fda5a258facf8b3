"""Label imports, as their page lists them."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page
from django.db.models import Exists, OuterRef, Q

from annotator.core.formatting import number
from annotator.core.jobs import ShownJob, show_job
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.exchange.imports.undo import batches_of, created_profiles
from annotator.models import Assignment, Format, GoldRecord, ImportUndo, Judgement, LabelImport
from profiles.attributes import Attribute
from profiles.jobs.states import State, state_of

PER_PAGE = 10
LABELS = {State.RUNNING: "In progress"}
UNDO_LABELS = {State.RUNNING: "Being undone", State.FINISHED: "Undone"}
AGAIN = (State.FAILED, State.SILENT, State.OVERDUE)  # an undo that can be requested again
UPLOAD_SUFFIX = re.compile(r"-[0-9a-f]{12}(?=\.[a-z]+$)")  # keeps two uploads of the same name apart


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
    is_dry_run: bool
    examples: list[dict[str, Any]]  # of a dry run
    undo: ShownJob | None
    removed: list[str]
    can_be_undone: bool

    @property
    def is_live(self) -> bool:
        return self.job.is_live or (self.undo is not None and self.undo.is_live)


IMPORT_COLUMNS = {
    "requested": "-requested_at",
    "name": "name -requested_at",
    "corpus": "corpus_name -requested_at",
    "format": "format -requested_at",
}


def imports_page(sorting: Sorting, page: str = "1") -> "Page[ImportRow]":
    """2 queries."""
    imports = LabelImport.objects.select_related("corpus", "asked_by", "undo").order_by(*sorting.order)
    return page_of(imports, page, import_row, size=PER_PAGE)


def removable_rows(label_import: LabelImport) -> list[tuple[str, int]]:
    """What undoing the import would remove now. 5 queries."""
    batches, created = batches_of(label_import), created_profiles(label_import)
    assignments = Assignment.objects.filter(batch__in=batches)
    others = Assignment.objects.exclude(batch__in=batches)
    used = created.filter(
        Exists(others.filter(profile=OuterRef("pk")))
        | Exists(GoldRecord.objects.filter(profile=OuterRef("pk"), decided_by__is_imported=False))
        | Q(known_answers__isnull=False)
    ).distinct()
    return [
        ("Batches", batches.count()),
        ("Reviews", assignments.count()),
        ("Judgements", Judgement.objects.filter(assignment__in=assignments).count()),
        ("Profiles, with their comments and detections", created.count() - (kept := used.count())),
        ("Profiles kept because they are used elsewhere", kept),
    ]


def import_row(label_import: LabelImport) -> ImportRow:
    """No query if corpus, annotator and undo are loaded."""
    corpus, annotator, counts = label_import.corpus, label_import.asked_by, label_import.counts
    undo: ImportUndo | None = getattr(label_import, "undo", None)
    is_undone = undo is not None and state_of(undo) not in AGAIN
    return ImportRow(
        pk=label_import.pk, name=UPLOAD_SUFFIX.sub("", label_import.name),
        corpus=corpus.name if corpus else label_import.corpus_name,
        corpus_id=corpus.pk if corpus and corpus.ready_at else None, format=Format(label_import.format).label,
        who=annotator.display_name if annotator else "command line", requested_at=label_import.requested_at,
        job=show_job(label_import, "bytes", labels=LABELS, step="Reading"), summary=_summary(counts),
        reasons=list(counts.get("reasons", {}).items()),
        set_aside=[(line["line"], _label(line), line["reason"]) for line in label_import.set_aside],
        is_dry_run=label_import.is_dry_run,
        examples=[example | {"label": _label(example)} for example in counts.get("examples", ())],
        undo=show_job(undo, "profiles", labels=UNDO_LABELS, step="Removing") if undo else None,
        removed=_removed(undo.counts) if undo else [],
        can_be_undone=not (label_import.is_dry_run or state_of(label_import).is_live or is_undone),
    )  # fmt: skip


def _removed(counts: dict[str, int]) -> list[str]:
    names = {
        "reviews": "reviews", "judgements": "judgements", "profiles": "profiles", "comments": "comments",
        "profiles_kept": "profiles kept because they are used elsewhere",
    }  # fmt: skip
    return [f"{number(counts[name])} {label}" for name, label in names.items() if counts.get(name)]


def _summary(counts: dict[str, Any]) -> list[str]:
    names = {
        "profiles": "profiles", "new_profiles": "of them new", "comments": "comments", "reviews": "reviews",
        "judgements": "judgements", "answers": "of them with a value", "gold": "gold records",
        "there": "reviews already here", "lines_set_aside": "lines set aside",
        "answers_set_aside": "answers set aside",
    }  # fmt: skip
    return [f"{number(counts[name])} {label}" for name, label in names.items() if counts.get(name)]


def _label(fields: dict[str, Any]) -> str:
    return Attribute(fields["attribute"]).label if fields.get("attribute") else fields.get("key", "")
