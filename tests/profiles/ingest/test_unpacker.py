"""Chunks of whole lines: no line is torn or lost, and each keeps its number."""

import os
import signal
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.ingest import shared_buffers
from profiles.ingest import unpacker as unpacker_module
from profiles.ingest.archives import CUT_OFF, Archive
from profiles.ingest.chunks import PIECE, Unpacker, UnpackerDied, count_lines, split_lines
from profiles.ingest.shared_buffers import SharedBuffer
from profiles.ingest.unpacker import ChunkInfo, LineCutter
from tests.profiles.ingest.dumps import KINDS, lines_of, pack, write_dump

LONG_LINE = b"x" * (4 << 20) + b"\n"
FIT = shared_buffers.BUFFER_SIZE // len(LONG_LINE)  # into a buffer


def cut(packed: bytes, size: int) -> list[tuple[ChunkInfo, list[bytes]]]:
    """What each buffer of that size was filled with."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(shared_buffers, "BUFFER_SIZE", size)
        patch.setattr(unpacker_module, "BUFFER_SIZE", size)
        path = Path(folder) / "RC_2013-05"
        path.write_bytes(packed)
        buffer, archive, chunks = SharedBuffer(0), Archive(path), []
        cutter = LineCutter(archive, count_lines)
        while not cutter.is_over:
            info = cutter.fill(buffer)
            chunks.append((info, list(split_lines(buffer.view[: info.size]))))
            assert os.fstat(buffer.file).st_size == info.size  # what a reader of the file sees
        buffer.close()
        archive.close()
    return chunks


def numbered(chunks: list[tuple[ChunkInfo, list[bytes]]]) -> dict[int, bytes]:
    return {number: line for info, lines in chunks for number, line in enumerate(lines, info.first_line)}


@given(
    texts=st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=40)),
    size=st.integers(1, 60), end=st.sampled_from(["\n", ""]), kind=st.sampled_from(KINDS),
)  # fmt: skip
def test_every_line_comes_whole_with_its_number_or_is_reported_as_too_long(texts, size, end, kind):
    text = ("\n".join(texts) + end).encode()
    whole = [line + b"\n" for line in text.split(b"\n")]
    whole[-1] = whole[-1][:-1]
    expected = {number: line for number, line in enumerate(whole) if line}
    chunks = cut(pack(text, kind), size)
    lines, too_long = numbered(chunks), [number for info, _ in chunks for number in info.too_long]
    assert lines == {number: line for number, line in expected.items() if number not in too_long}
    assert all(len(expected[number]) >= size for number in too_long)
    assert all(len(line) <= size for line in lines.values())
    assert all(info.line_count == len(lines) for info, lines in chunks)
    assert not any(info.problem for info, _ in chunks)


@pytest.mark.parametrize("size", range(8, 30))
def test_characters_of_several_bytes_are_never_torn(size):
    text = "né👍é\nß€ß\nüü".encode() * 3
    lines = set(numbered(cut(text, size)).values())
    assert lines
    assert lines <= set(text.splitlines(keepends=True))


def test_long_lines_are_skipped_and_the_numbers_go_on():
    chunks = cut(b"one\n" + b"x" * 95 + b"\n" + b"y" * 16 + b"\nfour\n\n" + b"z" * 300, 16)
    assert numbered(chunks) == {0: b"one\n", 3: b"four\n", 4: b"\n"}
    assert sorted(number for info, _ in chunks for number in info.too_long) == [1, 2, 5]


@pytest.mark.parametrize("text", [b"a\r\nb\r\n", b"a\n\n\n b\n\n", b"\n", b"a\nb", b""])
def test_blank_lines_and_other_ends_are_left_as_they_are(text):
    assert b"".join(numbered(cut(text, 100)).values()) == text


@pytest.mark.parametrize("size", [40, 90, 1000])
def test_a_cut_archive_yields_its_last_piece_and_reports_the_cut(size):
    packed = pack(b"a line that is somewhat longer\n" * 9, "gz")
    chunks = cut(packed[:-10], size)
    assert chunks[-1][0].problem.startswith(CUT_OFF)
    assert b"".join(numbered(chunks).values()).startswith(b"a line that is somewhat longer\n")


def test_lines_are_counted_beyond_a_piece():
    assert count_lines(memoryview(b"x\n" * PIECE)) == PIECE


def open_files() -> set[str]:
    """What is open here, by name. A count says little: objects of earlier tests may close theirs at any time."""
    links = (os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd"))
    return {os.readlink(link) for link in links if os.path.islink(link)}


def test_the_process_yields_all_lines_and_leaves_nothing(tmp_path):
    lines, before = lines_of(500), open_files()
    path = write_dump(tmp_path / "RC_2013-05.zst", lines)
    lines_read = []
    with closing(Unpacker(path, buffers=2)) as unpacker:
        for chunk in unpacker.chunks():
            lines_read += chunk.lines()
            unpacker.release(chunk.buffer)
    assert lines_read == lines
    assert (open_files() - before, list(tmp_path.iterdir())) == (set(), [path])


def test_a_killed_unpacker_is_reported_and_leaves_nothing(tmp_path):
    path, before = tmp_path / "RC_2013-05", open_files()
    path.write_bytes(LONG_LINE * (2 * FIT))
    with closing(Unpacker(path, buffers=1)) as unpacker:
        chunks = unpacker.chunks()
        assert next(chunks).info.line_count == FIT  # and it waits for its buffer
        os.kill(unpacker._process.pid, signal.SIGKILL)
        with pytest.raises(UnpackerDied, match=str(-signal.SIGKILL.value)):
            next(chunks)
    assert not Path(f"/proc/{unpacker._process.pid}").exists()
    assert (open_files() - before, list(tmp_path.iterdir())) == (set(), [path])


def test_an_unpacker_without_a_parent_ends(tmp_path):
    path = tmp_path / "RC_2013-05"
    path.write_bytes(LONG_LINE * (2 * FIT))
    with closing(Unpacker(path, buffers=1)) as unpacker:
        next(unpacker.chunks())
        unpacker._free.close()
        assert unpacker._process.wait(timeout=20) == 0
