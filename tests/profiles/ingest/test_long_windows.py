"""Zstandard with windows of 2 GiB: decoded correctly, in bounded memory, or refused with a reason."""

import errno
import os
import random
from contextlib import closing

import pytest

from profiles.ingest import window
from profiles.ingest.chunks import Unpacker, UnpackerDied
from profiles.ingest.zst import HUGE_WINDOW
from tests.profiles.ingest.dumps import lines_of, pack_zst, with_window
from tests.profiles.ingest.test_archives import unpack, unpack_file

MB = 1 << 20
TEXT = b"".join(lines_of(300))


@pytest.fixture
def small_pieces(monkeypatch):
    """A long window in miniature, so that little text shows what happens to much."""
    monkeypatch.setattr(window, "SEGMENT", MB)
    monkeypatch.setattr(window, "MAX_ANONYMOUS_SEGMENTS", 4)
    monkeypatch.setattr(window, "MAX_MAPPED_BYTES", 4 * MB)
    monkeypatch.setattr(window, "AHEAD", 2 * MB)


@pytest.fixture
def far(tmp_path, small_pieces):
    """32 MB that only a decoder with all of them at hand can unpack: its second half repeats the first."""
    noise = random.Random(5).randbytes(16 * MB)  # noqa: S311
    path = tmp_path / "RC_2013-05.zst"
    path.write_bytes(pack_zst(noise + noise, window_log=31))
    assert path.stat().st_size < 20 * MB
    return path, noise + noise


@pytest.fixture
def mapped(monkeypatch):
    """How much of the window's file is in memory at each step of the decoder."""
    sizes, advance = [], window.LongWindow.advance

    def watched(self, position):
        sizes.append(window._mapped_bytes() - self._before)
        advance(self, position)

    monkeypatch.setattr(window.LongWindow, "advance", watched)
    return sizes


def test_a_window_of_two_gib_is_decoded_right_in_little_memory(far, mapped):
    path, text = far
    unpacked, problem = unpack_file(path, size=MB)
    assert (unpacked == text, problem) == (True, "")
    assert 4 * MB < max(mapped) < 12 * MB


def test_without_releasing_pages_it_would_grow(far, mapped, monkeypatch):
    """So that the test above can fail."""
    monkeypatch.setattr(window, "MAX_MAPPED_BYTES", 1 << 40)
    unpack_file(far[0], size=MB)
    assert max(mapped) > 14 * MB


@pytest.mark.parametrize("back", [1, 3, 5, 7])
def test_the_window_wraps_around(tmp_path, small_pieces, back):
    """Write through a window of 8 MB five times, with references into every part, also right before the position
    that is written next."""
    chance = random.Random(back)  # noqa: S311
    text = bytearray(chance.randbytes(8 * MB))
    while len(text) < 44 * MB:
        start = len(text) - back * MB - chance.randrange(MB)
        text += text[start : start + chance.randrange(1, 300_000)] + chance.randbytes(chance.randrange(60_000))
    path = tmp_path / "RC_2013-05.zst"
    path.write_bytes(pack_zst(bytes(text), window_log=23, level=3, far=True))
    assert path.stat().st_size < 20 * MB
    assert unpack_file(path, size=MB) == (bytes(text), "")


def test_the_window_leaves_nothing_on_the_disk(far):
    path, _ = far
    unpack_file(path, size=MB)
    assert list(path.parent.iterdir()) == [path]


def test_small_windows_need_no_file(monkeypatch):
    monkeypatch.setattr(window, "LongWindow", lambda *of: pytest.fail("a file was made"))
    assert unpack(pack_zst(TEXT, window_log=25)) == (TEXT, "")


def test_frames_with_other_windows_may_follow():
    packed = pack_zst(TEXT, window_log=20) + with_window(pack_zst(TEXT), 31) + pack_zst(TEXT, window_log=22)
    assert unpack(packed) == (TEXT * 3, "")


@pytest.mark.parametrize("window_log", [32, 41])
def test_a_window_beyond_that_is_refused_with_the_reason(window_log):
    text, problem = unpack(pack_zst(TEXT) + with_window(pack_zst(TEXT), window_log))
    assert text == TEXT
    assert HUGE_WINDOW in problem


def test_a_full_disk_is_not_taken_for_a_damaged_archive(far, monkeypatch):
    def full(*of):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(OSError, match="No space left"):
        unpack_file(far[0])


def test_a_full_disk_ends_the_unpacker_and_says_so(tmp_path, capfd):
    """A file cannot be made where there is no folder, which stands for all that a disk can refuse."""
    path = tmp_path / "RC_2013-05.zst"
    path.write_bytes(with_window(pack_zst(TEXT), 31))
    died = pytest.raises(UnpackerDied, match="1")
    with closing(Unpacker(path, tmp_path / "missing", buffers=1)) as unpacker, died:
        list(unpacker.chunks())
    assert "No such file" in capfd.readouterr().err
