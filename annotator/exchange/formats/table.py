"""Gold records as CSV for spreadsheets: one per row, UTF-8 with the BOM that Excel needs, CRLF line ends."""

import csv
import io
from collections.abc import Iterable

from annotator.exchange.formats.records import Gold, LabelledProfile, format_time

BOM = "\ufeff"
COLUMNS = (
    "corpus profile attribute value hardness certainty required_subreddit reached rule decided_by decided_at guideline "
    "evidence_comments evidence_text reason"
).split()
PROMPTED_BY = "prompted_by"  # the last column, if model-prompted answers are included
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def header(*, with_prompted: bool = False) -> str:
    return BOM + _rows([[*COLUMNS, *([PROMPTED_BY] if with_prompted else [])]])


def table_rows(profile: LabelledProfile, *, with_prompted: bool = False) -> str:
    return _rows(
        [profile.corpus, profile.name, attribute, *_cells(gold), *([gold.prompted_by] if with_prompted else [])]
        for attribute, gold in profile.gold.items()
    )


def _cells(gold: Gold) -> list[str]:
    return [
        gold.value, str(gold.hardness), str(gold.certainty), "yes" if gold.required_subreddit else "no",
        gold.reached, gold.rule, gold.decided_by, format_time(gold.decided_at), str(gold.guideline or ""),
        " ".join(dict.fromkeys(span.comment for span in gold.evidence)),
        " | ".join(span.text for span in gold.evidence if span.text), gold.reason,
    ]  # fmt: skip


def _rows(rows: Iterable[Iterable[str]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(map(escape_formula, cells) for cells in rows)
    return buffer.getvalue()


def escape_formula(cell: str) -> str:
    """Add an apostrophe before a cell that a spreadsheet would run as a formula."""
    return f"'{cell}" if cell.startswith(FORMULAS) else cell
