"""Zstandard with windows of 2 GiB: decoded correctly, in bounded memory, or refused with a reason."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from profiles.ingest.zst import HUGE_WINDOW
from tests.profiles.ingest.dumps import lines_of, pack_zst, with_window
from tests.profiles.ingest.test_archives import unpack

MB = 1 << 20
TEXT = b"".join(lines_of(300))
BLOCK = 128 << 10
PEAK = r"""
import re, sys
from pathlib import Path
from profiles.ingest.archives import Archive
archive, into, total = Archive(Path(sys.argv[1])), memoryview(bytearray(1 << 20)), 0
peak = lambda: int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) << 10
before = peak()
while count := archive.readinto(into):
    total += count
print(total, peak() - before)
"""


def bytes_and_peak(path: Path) -> tuple[int, int]:
    """How many bytes a process unpacks, and how far its memory grows meanwhile."""
    ran = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
    total, peak = map(int, ran.stdout.split())
    return total, peak


def test_decodes_references_over_a_long_window():
    """The second half repeats the first, which only a decoder with all of it at hand can unpack."""
    noise = random.Random(5).randbytes(4 * MB)  # noqa: S311
    packed = pack_zst(noise + noise, window_log=31)
    assert len(packed) < 5 * MB
    assert unpack(packed, size=MB) == (noise + noise, "")


@pytest.mark.parametrize("back", [1, 3])
def test_decodes_more_than_a_window(back):
    """Write through a window of 4 MB several times, with references into every part of it."""
    chance = random.Random(back)  # noqa: S311
    text = bytearray(chance.randbytes(4 * MB))
    while len(text) < 14 * MB:
        start = len(text) - back * MB - chance.randrange(MB)
        text += text[start : start + chance.randrange(1, 300_000)] + chance.randbytes(chance.randrange(60_000))
    assert unpack(pack_zst(bytes(text), window_log=22, level=3, far=True), size=MB) == (bytes(text), "")


def test_memory_is_the_window_and_little_more(tmp_path):
    path = tmp_path / "RC_2013-05.zst"
    path.write_bytes(pack_zst(random.Random(6).randbytes(60 * MB), window_log=24))  # noqa: S311
    total, peak = bytes_and_peak(path)
    assert total == 60 * MB
    assert peak < 16 * MB + 24 * MB


def test_a_bomb_is_unpacked_in_little_memory(tmp_path):
    """Blocks of four bytes that unpack to 128 kB each."""
    path, blocks = tmp_path / "RC_2013-05.zst", 6000
    header = b"\x28\xb5\x2f\xfd\x00" + bytes([(20 - 10) << 3])
    repeat = ((BLOCK << 3) | (1 << 1)).to_bytes(3, "little") + b"x"
    last = ((1 << 3) | (1 << 1) | 1).to_bytes(3, "little") + b"\n"
    path.write_bytes(header + repeat * blocks + last)
    total, peak = bytes_and_peak(path)
    assert total == blocks * BLOCK + 1
    assert peak < 600 * MB


def test_missing_memory_is_not_taken_for_a_damaged_archive(tmp_path):
    path = tmp_path / "RC_2013-05.zst"
    path.write_bytes(with_window(pack_zst(TEXT), 31))
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))"
    ran = subprocess.run([sys.executable, "-c", limit + PEAK, str(path)], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "MemoryError" in ran.stderr.splitlines()[-1]


def test_frames_with_other_windows_may_follow():
    packed = pack_zst(TEXT, window_log=20) + with_window(pack_zst(TEXT), 31) + pack_zst(TEXT, window_log=22)
    assert unpack(packed) == (TEXT * 3, "")


@pytest.mark.parametrize("window_log", [32, 41])
def test_a_window_beyond_that_is_refused_with_the_reason(window_log):
    text, problem = unpack(pack_zst(TEXT) + with_window(pack_zst(TEXT), window_log))
    assert text == TEXT
    assert HUGE_WINDOW in problem
