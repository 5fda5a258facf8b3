"""How a corpus was made: by which rules, from which files, and what each rule removed."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from annotator.charts.hbars import HorizontalBars, funnel
from annotator.core.formatting import number
from profiles.ingest.options import ALL, OUR_LIST, Options
from profiles.models import Corpus, DumpFile, SetAside

FILES_A_PAGE = 100
LINES_A_PAGE = 100
MOST_LINES = 1000
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
class Reason:
    reason: str
    count: int


def funnel_chart(corpus: Corpus) -> HorizontalBars | None:
    """None while it is not known yet. No query."""
    steps = [(step["label"], step["left"]) for step in corpus.funnel]
    return funnel("Comments left after each rule", steps) if steps else None


def files_page(corpus: Corpus, page: str = "1") -> "Page[FileRow]":
    """By name. 2 queries."""
    found: Page[Any] = Paginator(corpus.files.order_by("name", "pk"), FILES_A_PAGE).get_page(page)
    found.object_list = [_file_row(file) for file in found.object_list]
    return found


def set_aside_page(file: DumpFile, page: str = "1") -> "Page[SetAside]":
    """The first thousand lines, in their order. 2 queries."""
    return Paginator(file.set_aside.order_by("line")[:MOST_LINES], LINES_A_PAGE).get_page(page)


def reasons_of(file: DumpFile) -> list[Reason]:
    """The most frequent first. No query."""
    return [Reason(reason, count) for reason, count in sorted(file.reasons.items(), key=lambda item: (-item[1], item))]


def rules_of(corpus: Corpus) -> list[tuple[str, str]]:
    """In words, or nothing where the corpus was not made from dumps. No query."""
    return _in_words(Options.from_json(corpus.options)) if "since" in corpus.options else []


def can_grow(corpus: Corpus) -> bool:
    return "since" in corpus.options and Options.from_json(corpus.options).can_grow


def needs_every_file(corpus: Corpus) -> bool:
    """Whether adding to it takes the earlier files once more."""
    return bool(corpus.ready_at) and Options.from_json(corpus.options).needs_every_file


def _file_row(file: DumpFile) -> FileRow:
    state = DumpFile.State(file.state)
    return FileRow(
        pk=file.pk, name=file.name, size=file.size, lines=file.lines, kept=file.kept,
        set_aside=sum(file.reasons.values()), state=state.label, badge=BADGES.get(state, ""), problem=file.problem,
    )  # fmt: skip


def _in_words(rules: Options) -> list[tuple[str, str]]:
    drawn = f"a sample of {number(rules.sample)}, seed {rules.seed}" if rules.sample else "all"
    return [
        ("Written", f"from {rules.since} until {rules.until}, not included"),
        ("Subreddits", _subreddits(rules)),
        ("Length", f"at least {number(rules.min_chars)} characters"),
        ("Comments per profile", _comments(rules)),
        ("Profiles", drawn),
        ("Bots", "kept" if rules.keep_bots else "left out"),
        ("Duplicates", "kept" if rules.keep_duplicates else "each comment once"),
        ("Quoted lines", "kept" if rules.keep_quotes else "cut out"),
        ("HTML entities", "kept as written" if rules.keep_entities else "turned into characters"),
        ("Account names", f"upper and lower case {'differ' if rules.exact_spelling else 'make no difference'}"),
    ]


def _subreddits(rules: Options) -> str:
    if rules.subreddits == ALL:
        return "all"
    where = "our list as it was then" if rules.subreddits == OUR_LIST else f"the file {rules.subreddits}"
    return f"the {number(len(rules.names))} of {where}"


def _comments(rules: Options) -> str:
    most = f", at most {number(rules.max_comments)}" if rules.max_comments else ""
    return f"at least {number(rules.min_comments)}{most}"
