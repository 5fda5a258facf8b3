"""A dump as chunks of whole lines, unpacked ahead by a separate process."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from profiles.ingest.shared_buffers import SharedBuffer
from profiles.ingest.unpacker import ChunkInfo

NEWLINE = ord("\n")
PIECE = 1 << 18  # fits into the CPU cache
PROJECT = Path(__file__).resolve().parents[2]


class UnpackerDied(Exception):
    """The unpacker ended without giving a reason: it was killed, or memory ran out."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Valid until its buffer is released."""

    buffer: SharedBuffer
    info: ChunkInfo

    def lines(self) -> Iterator[bytes]:
        return split_lines(self.buffer.view[: self.info.size])


class Unpacker:
    """The unpacker process, its buffers, and the order in which they are filled."""

    def __init__(self, dump: Path, *, buffers: int) -> None:
        self.buffers = [SharedBuffer(number) for number in range(buffers)]
        files = [buffer.file for buffer in self.buffers]
        command = [sys.executable, "-m", "profiles.ingest.unpacker", str(dump), *map(str, files)]
        self._process = subprocess.Popen(
            command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=files, bufsize=0
        )
        self._free, self._answers = self._pipes()
        for buffer in self.buffers:
            self.release(buffer)

    def chunks(self) -> Iterator[Chunk]:
        line = 0
        for answer in self._answers:
            chunk = self._numbered(ChunkInfo(**json.loads(answer)), line)
            line = chunk.info.first_line + chunk.info.line_count
            yield chunk
        if self._process.wait() != 0:
            raise UnpackerDied(f"the unpacker ended with {self._process.returncode}")

    def _numbered(self, info: ChunkInfo, line: int) -> Chunk:
        """Count and number the lines. Lines that were too long came right before them."""
        buffer, skipped = self.buffers[info.buffer], len(info.too_long)
        too_long = list(range(line, line + skipped))
        lines = count_lines(buffer.view[: info.size])
        return Chunk(buffer, replace(info, first_line=line + skipped, line_count=lines, too_long=too_long))

    def release(self, buffer: SharedBuffer) -> None:
        with suppress(BrokenPipeError):  # it has read everything, or it died, which `chunks` reports
            self._free.write(bytes([buffer.number]))

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        free, answers = self._process.stdin, self._process.stdout
        if free is None or answers is None:
            raise UnpackerDied("the unpacker has no pipes")
        return free, answers

    def close(self) -> None:
        self._free.close()
        self._answers.close()
        self._process.kill()
        self._process.wait()
        for buffer in self.buffers:
            buffer.close()


def count_lines(view: memoryview) -> int:
    """Count in pieces, reusing memory: fresh memory would cost more than the counting."""
    codes, lines, is_end = _as_numbers(view), 0, np.empty(PIECE, dtype=np.bool_)
    for start in range(0, len(codes), PIECE):
        piece = codes[start : start + PIECE]
        lines += int(np.count_nonzero(np.equal(piece, NEWLINE, out=is_end[: len(piece)])))
    is_open = len(codes) > 0 and codes[-1] != NEWLINE
    return lines + is_open


def split_lines(view: memoryview) -> Iterator[bytes]:
    """Yield the lines with their line ends. The last one may have none."""
    start = 0
    for end in [*(np.flatnonzero(_as_numbers(view) == NEWLINE) + 1).tolist(), len(view)]:
        if end > start:
            yield bytes(view[start:end])
        start = end


def _as_numbers(view: memoryview) -> npt.NDArray[np.uint8]:
    return np.frombuffer(view, dtype=np.uint8)
