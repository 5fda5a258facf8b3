"""The dataset folder as one file, for an export that somebody requests on a page."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from annotator.exchange.export.files import PART, ZIP_EPOCH, FileNotWritten, atomic_file, fingerprint, open_zip
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import ExportSummary, Report
from evaluation.datasets.folder import FolderNotWritten, write_dataset
from profiles.models import Corpus


def write_archive(corpus: Corpus, options: ExportOptions, path: Path, report: Report) -> ExportSummary:
    """Raises NothingToExport and FileNotWritten."""
    with TemporaryDirectory(prefix=PART, dir=path.parent) as parent:
        folder = Path(parent) / path.stem
        try:
            _, summary = write_dataset(corpus, options, folder, report)
        except FolderNotWritten as stopped:
            raise FileNotWritten(str(stopped)) from stopped
        with atomic_file(path) as file, open_zip(file) as archive:
            for member in sorted(folder.rglob("*")):
                if member.is_file():
                    _add(archive, member, str(member.relative_to(folder.parent)))
    size, sha256 = fingerprint(path)
    return replace(summary, size=size, sha256=sha256)


def _add(archive: ZipFile, member: Path, name: str) -> None:
    info = ZipInfo(name, ZIP_EPOCH)
    info.compress_type, info.external_attr = ZIP_DEFLATED, 0o600 << 16
    archive.writestr(info, member.read_bytes())
