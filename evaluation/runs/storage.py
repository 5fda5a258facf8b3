"""The stored files of a run: gold, predictions and label schemes, in a folder that only our account can read.

Every run has a folder of its own. A file that serves a second run is linked there, which takes no space, so that
deleting a run removes its folder and nothing else.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from evaluation.models import EvaluationInput, EvaluationRun

SECONDS_PER_DAY = 24 * 3600
MAX_SUFFIX = 12


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to keep with a run. `name` is the one that it was uploaded under."""

    role: EvaluationInput.Role
    path: Path
    name: str


def folder_of(run_id: int) -> Path:
    return Path(settings.EVALUATIONS) / str(run_id)


def path_of(stored: EvaluationInput) -> Path:
    return folder_of(stored.run_id) / stored.file_name


def store_files(run: EvaluationRun, files: Iterable[InputFile]) -> list[EvaluationInput]:
    """Link the files into the run's folder and create their rows. The originals stay where they are.

    A folder that is there already belongs to a run that no longer exists, as after going back to a backup.
    """
    remove_files(run.pk)
    folder_of(run.pk).mkdir(mode=0o700, parents=True)
    counts: dict[str, int] = {}
    rows = [_store(run, file, counts) for file in files]
    return EvaluationInput.objects.bulk_create(rows)


def remove_files(run_id: int) -> None:
    shutil.rmtree(folder_of(run_id), ignore_errors=True)


def sweep_folders() -> int:
    """Remove folders without a run: of requests that were killed, and of runs that went with a corpus. 1 query."""
    root = Path(settings.EVALUATIONS)
    folders = [path for path in root.glob("*") if path.name.isdecimal() and _is_old(path)] if root.exists() else []
    known = set(EvaluationRun.objects.filter(pk__in=[int(path.name) for path in folders]).values_list("pk", flat=True))
    orphans = [path for path in folders if int(path.name) not in known]
    for path in orphans:
        shutil.rmtree(path, ignore_errors=True)
    return len(orphans)


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _store(run: EvaluationRun, file: InputFile, counts: dict[str, int]) -> EvaluationInput:
    position = counts[file.role] = counts.get(file.role, -1) + 1
    file_name = f"{file.role}-{position}{_suffix(file)}"
    _link(file.path, folder_of(run.pk) / file_name)
    return EvaluationInput(
        run=run, role=file.role, position=position, name=file.name[:200], file_name=file_name,
        sha256=sha256_of(file.path), size=file.path.stat().st_size,
    )  # fmt: skip


def _suffix(file: InputFile) -> str:
    """The ending, if it is a plain one: some formats are recognised by it."""
    suffix = Path(file.name).suffix.lower()
    return suffix if suffix[1:].isascii() and suffix[1:].isalnum() and len(suffix) <= MAX_SUFFIX else ""


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, target)
        target.chmod(0o600)


def _is_old(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - SECONDS_PER_DAY
    except FileNotFoundError:
        return False
