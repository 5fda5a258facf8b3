"""Gold records as a table for spreadsheets: one a row, UTF-8 with a mark that Excel looks for, CRLF line ends."""

import csv
import io
from collections.abc import Iterator

from annotator.exchange.formats.records import Gold, LabelledProfile, moment

BOM = "\ufeff"
COLUMNS = (
    "corpus profile attribute value hardness certainty required_subreddit reached rule decided_by decided_at guideline "
    "evidence_comments evidence_text reason"
).split()
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def head() -> str:
    return BOM + _row(COLUMNS)


def table_rows(profile: LabelledProfile) -> Iterator[str]:
    for attribute, gold in profile.gold.items():
        yield _row([profile.corpus, profile.name, attribute, *_cells(gold)])


def _cells(gold: Gold) -> list[str]:
    return [
        gold.value, str(gold.hardness), str(gold.certainty), "yes" if gold.required_subreddit else "no",
        gold.reached, gold.rule, gold.decided_by, moment(gold.decided_at), str(gold.guideline or ""),
        " ".join(dict.fromkeys(one.comment for one in gold.evidence)),
        " | ".join(one.text for one in gold.evidence if one.text), gold.reason,
    ]  # fmt: skip


def _row(cells: list[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow([defused(cell) for cell in cells])
    return written.getvalue()


def defused(cell: str) -> str:
    """A spreadsheet runs what begins like a formula; behind an apostrophe it is text."""
    return f"'{cell}" if cell.startswith(FORMULAS) else cell
