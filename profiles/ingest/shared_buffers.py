"""In-memory files (`memfd_create`), shared with the unpacker process and read by DuckDB as `/proc/…/fd/…`.

They avoid writing every unpacked byte to disk and reading it again, and they vanish with the process (ADR 12).
"""

import mmap
import os

BUFFER_SIZE = 31 << 20  # longer lines are skipped; DuckDB takes up to 32 MB, and Reddit’s own are far below 1 MB


class SharedBuffer:
    """A reusable buffer for whole lines of a dump."""

    def __init__(self, number: int, file: int | None = None) -> None:
        self.number = number
        self.file = os.memfd_create("chunk") if file is None else file
        self.path = f"/proc/{os.getpid()}/fd/{self.file}"
        os.ftruncate(self.file, BUFFER_SIZE)
        self._memory = mmap.mmap(self.file, BUFFER_SIZE)
        self.view = memoryview(self._memory)

    def truncate(self, size: int) -> None:
        """Limit what readers see of the file to this many bytes."""
        os.ftruncate(self.file, size)

    def end_of_last_line(self, info: int) -> int:
        """The end of the last whole line, or 0."""
        return self._memory.rfind(b"\n", 0, info) + 1

    def end_of_first_line(self, info: int) -> int:
        return self._memory.find(b"\n", 0, info) + 1

    def close(self) -> None:
        self.view.release()
        self._memory.close()
        os.close(self.file)
