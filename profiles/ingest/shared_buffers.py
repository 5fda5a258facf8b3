"""Files that exist in memory only, shared with the unpacker and read by DuckDB. They are gone with the process."""

import mmap
import os

CHUNK = 48 << 20  # a line that does not fit is skipped: Reddit's own are far below 1 MB


class Slot:
    """Filled again and again with whole lines."""

    def __init__(self, number: int, file: int | None = None) -> None:
        self.number = number
        self.file = os.memfd_create("chunk") if file is None else file
        self.path = f"/proc/{os.getpid()}/fd/{self.file}"
        os.ftruncate(self.file, CHUNK)
        self._memory = mmap.mmap(self.file, CHUNK)
        self.view = memoryview(self._memory)

    def show(self, size: int) -> None:
        """Whoever reads the file sees so many bytes of it."""
        os.ftruncate(self.file, size)

    def last_end(self, filled: int) -> int:
        """Where the last whole line ends, or 0."""
        return self._memory.rfind(b"\n", 0, filled) + 1

    def first_end(self, filled: int) -> int:
        return self._memory.find(b"\n", 0, filled) + 1

    def close(self) -> None:
        self.view.release()
        self._memory.close()
        os.close(self.file)
