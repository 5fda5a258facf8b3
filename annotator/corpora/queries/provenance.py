"""Provenance of a corpus: its rules, its files, and what each rule removed."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from annotator.charts.hbars import HorizontalBars, funnel
from annotator.core.formatting import number
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from profiles.ingest.options import ALL, OUR_LIST, Options
from profiles.models import Corpus, DumpFile, SetAside

FILES_PER_PAGE = 100
LINES_PER_PAGE = 100
MAX_LINES = 1000
INCOMPLETE = "Incomplete"
BADGES = {DumpFile.State.LOADED: "good", DumpFile.State.LOADING: "accent", DumpFile.State.FAILED: "bad"}


@dataclass(frozen=True, slots=True)
class FileRow:
    pk: int
    name: str
    size: int
    lines: int
    kept: int
    set_aside: int
    state: str
    badge: str
    problem: str


@dataclass(frozen=True, slots=True)
class ReasonCount:
    reason: str
    count: int


def funnel_chart(corpus: Corpus) -> HorizontalBars | None:
    """None until the funnel is known. No query."""
    steps = [(step["label"], step["left"]) for step in corpus.funnel]
    return funnel("Comments left after each rule", steps) if steps else None


FILE_COLUMNS = {"name": "name", "size": "-size", "lines": "-lines", "kept": "-kept"}


def files_page(corpus: Corpus, sorting: Sorting, number: str = "1") -> "Page[FileRow]":
    """2 queries."""
    return page_of(corpus.files.order_by(*sorting.order), number, _file_row, size=FILES_PER_PAGE)


def set_aside_page(file: DumpFile, number: str = "1") -> "Page[SetAside]":
    """One page of the first thousand lines that were set aside, in file order. 2 queries."""
    return Paginator(file.set_aside.order_by("line")[:MAX_LINES], LINES_PER_PAGE).get_page(number)


def reason_counts(file: DumpFile) -> list[ReasonCount]:
    """Most frequent first. No query."""
    return [
        ReasonCount(reason, count) for reason, count in sorted(file.reasons.items(), key=lambda item: (-item[1], item))
    ]


def rules_of(corpus: Corpus) -> list[tuple[str, str]]:
    """The rules in words; empty if the corpus was not made from dumps. No query."""
    return _describe(Options.from_json(corpus.options)) if "since" in corpus.options else []


def can_grow(corpus: Corpus) -> bool:
    return "since" in corpus.options and Options.from_json(corpus.options).can_grow


def needs_every_file(corpus: Corpus) -> bool:
    """True if files can only be added together with the earlier ones."""
    return bool(corpus.ready_at) and Options.from_json(corpus.options).needs_every_file


def file_state(file: DumpFile) -> tuple[str, str]:
    """The state in words, and its badge. A file that was not read to the end is never shown as loaded."""
    state = DumpFile.State(file.state)
    if file.problem and state != DumpFile.State.FAILED:
        return INCOMPLETE, "warn"
    return state.label, BADGES.get(state, "")


def _file_row(file: DumpFile) -> FileRow:
    state, badge = file_state(file)
    return FileRow(
        pk=file.pk, name=file.name, size=file.size, lines=file.lines, kept=file.kept,
        set_aside=sum(file.reasons.values()), state=state, badge=badge, problem=file.problem,
    )  # fmt: skip


def _describe(options: Options) -> list[tuple[str, str]]:
    profiles = f"a sample of {number(options.sample)}, seed {options.seed}" if options.sample else "all"
    return [
        ("Written", f"from {options.since} to before {options.until}"),
        ("Subreddits", _subreddits(options)),
        ("Length", f"at least {number(options.min_chars)} characters"),
        ("Comments per profile", _comments(options)),
        ("Profiles", profiles),
        ("Bots", "kept" if options.keep_bots else "removed"),
        ("Duplicates", "kept" if options.keep_duplicates else "removed"),
        ("Quoted lines", "kept" if options.keep_quotes else "removed"),
        ("HTML entities", "kept as written" if options.keep_entities else "turned into characters"),
        ("Account names", "case-sensitive" if options.exact_spelling else "not case-sensitive"),
    ]


def _subreddits(options: Options) -> str:
    if options.subreddits == ALL:
        return "all"
    source = "our list at the time" if options.subreddits == OUR_LIST else f"the file {options.subreddits}"
    return f"{number(len(options.names))} from {source}"


def _comments(options: Options) -> str:
    maximum = f", at most {number(options.max_comments)}" if options.max_comments else ""
    return f"at least {number(options.min_comments)}{maximum}"
