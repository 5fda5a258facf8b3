"""The unpacker: a process of its own that fills slots with whole lines of a dump.

Apart, because a window of 2 GiB moves a lot of memory about, which would hold up every thread beside it, and because
a full disk ends this process and not the one that keeps the books. It ends when its parent does.

    python -m profiles.ingest.unpacker DUMP SCRATCH FD…

It reads the number of a free slot from standard input, one byte each, and answers with one line of JSON. Lines are
counted by its parent, which has the time for it: everything waits for this process.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from profiles.ingest.archives import Archive, Broken
from profiles.ingest.shared_buffers import CHUNK, Slot

FIRST_ROOM = 4 << 20  # and twice as much each time: nobody waits long for the first lines


@dataclass(frozen=True, slots=True)
class Filled:
    """What lies in a slot: whole lines, counted from 0 in the file."""

    slot: int
    size: int
    first_line: int
    line_count: int
    position: int  # in the file as it is packed
    too_long: list[int]  # lines that were skipped, as they fit in no slot
    broken: str  # the archive cannot be read further, and the last line may be a piece


class Cutter:
    """Keeps what is left over behind the last whole line for the next slot."""

    def __init__(self, archive: Archive, count: Callable[[memoryview], int]) -> None:
        self._archive = archive
        self._count = count
        self._rest = b""
        self._line = 0
        self._room = FIRST_ROOM
        self._broken = ""
        self.is_over = False

    def fill(self, slot: Slot) -> Filled:
        slot.show(CHUNK)
        too_long: list[int] = []
        filled, size = self._whole_lines(slot)
        while not size and not self.is_over:
            too_long.append(self._line)
            self._skip_line(slot)
            filled, size = self._whole_lines(slot)
        self._rest = bytes(slot.view[size:filled])
        self._room = min(self._room * 2, CHUNK)
        return self._told(slot, size, too_long)

    def _whole_lines(self, slot: Slot) -> tuple[int, int]:
        """How far the slot was filled, and how far its last whole line goes."""
        filled, size = len(self._rest), len(self._rest) if self.is_over else 0
        slot.view[:filled] = self._rest
        while not self.is_over and not size and filled < CHUNK:
            room = self._room if filled < self._room else CHUNK
            filled += self._fill_up(slot.view[filled:room])
            size = filled if self.is_over else slot.last_end(filled)
        return filled, size

    def _fill_up(self, room: memoryview) -> int:
        filled = 0
        while filled < len(room) and (given := self._read(room[filled:])):
            filled += given
        return filled

    def _skip_line(self, slot: Slot) -> None:
        self._line, self._rest = self._line + 1, b""
        while given := self._read(slot.view):
            end = slot.first_end(given)
            if end:
                self._rest = bytes(slot.view[end:given])
                return

    def _read(self, into: memoryview) -> int:
        given = 0
        try:
            given = self._archive.readinto(into)
        except Broken as error:
            self._broken = str(error)
        self.is_over = not given
        return given

    def _told(self, slot: Slot, size: int, too_long: list[int]) -> Filled:
        lines = self._count(slot.view[:size])
        slot.show(size)
        first, self._line = self._line, self._line + lines
        return Filled(slot.number, size, first, lines, self._archive.position, too_long, self._broken)


def main(dump: str, scratch: str, *files: str) -> None:
    slots = [Slot(number, int(file)) for number, file in enumerate(files)]
    cutter = Cutter(Archive(Path(dump), Path(scratch)), count=lambda view: 0)
    while not cutter.is_over and (asked := sys.stdin.buffer.read(1)):
        sys.stdout.write(json.dumps(asdict(cutter.fill(slots[asked[0]]))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
