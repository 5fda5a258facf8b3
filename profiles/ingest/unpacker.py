"""The unpacker: a separate process that fills shared buffers with whole lines of a dump.

It is separate so that unpacking and filtering run at the same time: threads of one process would wait for each other.
If memory runs out, the kernel ends this process and not the one that records the results. It ends when its parent does.

    python -m profiles.ingest.unpacker DUMP FD…

It reads the numbers of free buffers from standard input, one byte each, and answers each with one line of JSON. Its
parent counts the lines, because everything waits for this process, and because it starts faster without numpy.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from profiles.ingest.archives import Archive, BrokenArchive
from profiles.ingest.shared_buffers import BUFFER_SIZE, SharedBuffer

FIRST_CHUNK_SIZE = 4 << 20  # doubled each time, so that nobody waits long for the first lines


@dataclass(frozen=True, slots=True)
class ChunkInfo:
    """What a buffer holds: whole lines, numbered from 0 in the file."""

    buffer: int
    size: int
    first_line: int
    line_count: int
    position: int  # in the packed file
    too_long: list[int]  # lines that were skipped because they do not fit into a buffer
    problem: str  # why the archive cannot be read further; the last line may be cut off


class LineCutter:
    """Fills buffers with whole lines. What is left after the last line goes into the next buffer."""

    def __init__(self, archive: Archive, count: Callable[[memoryview], int]) -> None:
        self._archive = archive
        self._count = count
        self._rest = b""
        self._line = 0
        self._limit = FIRST_CHUNK_SIZE
        self._problem = ""
        self.is_over = False

    def fill(self, buffer: SharedBuffer) -> ChunkInfo:
        buffer.truncate(BUFFER_SIZE)
        too_long: list[int] = []
        filled, size = self._whole_lines(buffer)
        while not size and not self.is_over:
            too_long.append(self._line)
            self._skip_line(buffer)
            filled, size = self._whole_lines(buffer)
        self._rest = bytes(buffer.view[size:filled])
        self._limit = min(self._limit * 2, BUFFER_SIZE)
        return self._describe(buffer, size, too_long)

    def _whole_lines(self, buffer: SharedBuffer) -> tuple[int, int]:
        """Fill the buffer. Return how far it is filled, and where its last whole line ends."""
        filled, size = len(self._rest), len(self._rest) if self.is_over else 0
        buffer.view[:filled] = self._rest
        while not self.is_over and not size and filled < BUFFER_SIZE:
            limit = self._limit if filled < self._limit else BUFFER_SIZE
            filled += self._fill_up(buffer.view[filled:limit])
            size = filled if self.is_over else buffer.end_of_last_line(filled)
        return filled, size

    def _fill_up(self, view: memoryview) -> int:
        filled = 0
        while filled < len(view) and (count := self._read(view[filled:])):
            filled += count
        return filled

    def _skip_line(self, buffer: SharedBuffer) -> None:
        self._line, self._rest = self._line + 1, b""
        while count := self._read(buffer.view):
            end = buffer.end_of_first_line(count)
            if end:
                self._rest = bytes(buffer.view[end:count])
                return

    def _read(self, into: memoryview) -> int:
        count = 0
        try:
            count = self._archive.readinto(into)
        except BrokenArchive as error:
            self._problem = str(error)
        self.is_over = not count
        return count

    def _describe(self, buffer: SharedBuffer, size: int, too_long: list[int]) -> ChunkInfo:
        lines = self._count(buffer.view[:size])
        buffer.truncate(size)
        first, self._line = self._line, self._line + lines
        return ChunkInfo(buffer.number, size, first, lines, self._archive.position, too_long, self._problem)


def main(dump: str, *files: str) -> None:
    buffers = [SharedBuffer(number, int(file)) for number, file in enumerate(files)]
    cutter = LineCutter(Archive(Path(dump)), count=lambda view: 0)
    while not cutter.is_over and (number := sys.stdin.buffer.read(1)):
        sys.stdout.write(json.dumps(asdict(cutter.fill(buffers[number[0]]))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
