"""What an ingest has read so far: one folder per corpus, readable only by its owner, removed at the end."""

import shutil
from pathlib import Path

from django.conf import settings

from profiles.ingest.engine import SPILL
from profiles.models import Corpus, DumpFile


class WorkFolder:
    def __init__(self, corpus: Corpus) -> None:
        self.folder: Path = settings.HOME.root / "ingest" / str(corpus.pk)

    def open(self) -> None:
        """Remove what a killed run left half-written; keep what it had finished."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in self.folder.glob("*.part"):
            shutil.rmtree(part) if part.is_dir() else part.unlink()
        for spill in self.folder.glob(f"{SPILL}*"):
            shutil.rmtree(spill, ignore_errors=True)

    def shard(self, file: DumpFile) -> Path:
        return self.folder / f"{file.digest}.shard"

    @property
    def grouped(self) -> Path:
        """The comments of all profiles, account by account, ready to load."""
        return self.folder / "grouped.parquet"

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
