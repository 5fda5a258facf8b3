"""Write the gold set of a corpus as a dataset folder in Hugging Face's layout."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from django.utils import timezone

from annotator.exchange.export.manifest import build_manifest
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import ExportSummary, NothingToExport, Report, write_export
from annotator.models import Format
from evaluation.agreement.reports import make_report
from evaluation.agreement.scopes import Scope
from evaluation.datasets.card import CardFacts, write_card
from evaluation.datasets.parquet import Counts, write_splits
from profiles.models import Corpus

FILES = Path(__file__).with_name("files")
TASKS = ("telltale_gold.py", "telltale_gold.yaml", "telltale_lm_eval.py", "inspect_telltale.py")
NO_GOLD = "No profile has a gold record under these filters, so no folder was made. Build the gold first."
EXISTS = "{folder} already exists. Choose another name or remove it. Nothing was written."
NOT_WRITTEN = "The folder can't be written: {reason}. Nothing was left behind."


class FolderNotWritten(Exception):
    """The folder exists, or can't be written. The message says which."""


def write_dataset(
    corpus: Corpus, options: ExportOptions, folder: Path, report: Report = lambda done, total: None
) -> tuple[Counts, ExportSummary]:
    """Write the whole folder or nothing, and sum up what is in it. Account names and Reddit's ids are never in it.

    Raises FolderNotWritten, NothingToExport and FileNotWritten.
    """
    options = replace(options, with_names=False, format=Format.NATIVE)
    with _new_folder(folder) as part:
        return _fill(part, corpus, options, report)


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """A private folder that gets its name once it is complete."""
    if folder.exists():
        raise FolderNotWritten(EXISTS.format(folder=folder))
    part = None
    try:
        part = Path(tempfile.mkdtemp(prefix=".part-", dir=folder.absolute().parent))
        yield part
        part.rename(folder)
    except OSError as error:
        raise FolderNotWritten(NOT_WRITTEN.format(reason=error.strerror or "unknown problem")) from error
    finally:
        if part:
            shutil.rmtree(part, ignore_errors=True)


def _fill(part: Path, corpus: Corpus, options: ExportOptions, report: Report) -> tuple[Counts, ExportSummary]:
    native, data = part / "native.jsonl", part / "data"
    summary = write_export(corpus, options, native, report)
    data.mkdir()
    counts = write_splits(native, data, with_prompted=options.with_prompted)
    native.unlink()
    if not counts:
        raise NothingToExport(NO_GOLD)
    if options.with_text:
        _copy_tasks(part / "tasks")
    manifest = build_manifest(summary, options, corpus=corpus.name, file="", by="", at=timezone.now())
    agreement = make_report(Scope(corpus))
    facts = CardFacts(
        corpus.name, counts, manifest, agreement.contents["figures"] if agreement else (), options.with_text,
        {f"data/{path.name}": _digest(path) for path in sorted(data.iterdir())},
    )  # fmt: skip
    (part / "README.md").write_text(write_card(facts), encoding="utf-8")
    return counts, summary


def _copy_tasks(folder: Path) -> None:
    folder.mkdir()
    for name in TASKS:
        shutil.copyfile(FILES / name, folder / name)


def _digest(path: Path) -> str:
    os.chmod(path, 0o600)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
