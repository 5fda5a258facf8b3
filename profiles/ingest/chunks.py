"""A dump as chunks of whole lines, unpacked ahead of the one who asks, in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from profiles.ingest.lines import count_lines, split_lines
from profiles.ingest.shared_buffers import Slot
from profiles.ingest.unpacker import Filled

PROJECT = Path(__file__).resolve().parents[2]


class UnpackerDied(Exception):
    """It ended without saying why: it was killed, or the disk is full."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Good until its slot is given back."""

    slot: Slot
    filled: Filled

    def lines(self) -> Iterator[bytes]:
        return split_lines(self.slot.view[: self.filled.size])


class Unpacker:
    """The process, its slots, and the order in which they are filled."""

    def __init__(self, dump: Path, scratch: Path, *, slots: int) -> None:
        self.slots = [Slot(number) for number in range(slots)]
        files = [slot.file for slot in self.slots]
        command = [sys.executable, "-m", "profiles.ingest.unpacker", str(dump), str(scratch), *map(str, files)]
        self._process = subprocess.Popen(
            command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=files, bufsize=0
        )
        self._free, self._answers = self._pipes()
        for slot in self.slots:
            self.give_back(slot)

    def chunks(self) -> Iterator[Chunk]:
        line = 0
        for answer in self._answers:
            chunk = self._numbered(Filled(**json.loads(answer)), line)
            line = chunk.filled.first_line + chunk.filled.line_count
            yield chunk
        if self._process.wait() != 0:
            raise UnpackerDied(f"the unpacker ended with {self._process.returncode}")

    def _numbered(self, filled: Filled, line: int) -> Chunk:
        """With its lines counted. Those that were too long stood right before them."""
        slot, skipped = self.slots[filled.slot], len(filled.too_long)
        too_long = list(range(line, line + skipped))
        lines = count_lines(slot.view[: filled.size])
        return Chunk(slot, replace(filled, first_line=line + skipped, line_count=lines, too_long=too_long))

    def give_back(self, slot: Slot) -> None:
        with suppress(BrokenPipeError):  # it has read everything, or it is dead, which `chunks` tells
            self._free.write(bytes([slot.number]))

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        free, answers = self._process.stdin, self._process.stdout
        if free is None or answers is None:
            raise UnpackerDied("the unpacker could not be spoken to")
        return free, answers

    def close(self) -> None:
        self._free.close()
        self._answers.close()
        self._process.kill()
        self._process.wait()
        for slot in self.slots:
            slot.close()
