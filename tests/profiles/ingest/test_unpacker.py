"""Chunks of whole lines: none is torn, none is lost, and each keeps its number."""

import os
import signal
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profiles.ingest import shared_buffers
from profiles.ingest import unpacker as unpacking
from profiles.ingest.archives import Archive
from profiles.ingest.chunks import Unpacker, UnpackerDied
from profiles.ingest.lines import PIECE, count_lines, split_lines
from profiles.ingest.shared_buffers import Slot
from profiles.ingest.unpacker import Cutter, Filled
from tests.profiles.ingest.dumps import KINDS, lines_of, pack, write_dump

LONG_LINE = b"x" * (4 << 20) + b"\n"
FIT = shared_buffers.CHUNK // len(LONG_LINE)  # in a slot


def cut(packed: bytes, size: int) -> list[tuple[Filled, list[bytes]]]:
    """What each slot of that size was filled with."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(shared_buffers, "CHUNK", size)
        patch.setattr(unpacking, "CHUNK", size)
        path = Path(folder) / "RC_2013-05"
        path.write_bytes(packed)
        slot, archive, found = Slot(0), Archive(path, Path(folder)), []
        cutter = Cutter(archive, count_lines)
        while not cutter.is_over:
            filled = cutter.fill(slot)
            found.append((filled, list(split_lines(slot.view[: filled.size]))))
            assert os.fstat(slot.file).st_size == filled.size  # what a reader of the file sees
        slot.close()
        archive.close()
    return found


def numbered(found: list[tuple[Filled, list[bytes]]]) -> dict[int, bytes]:
    return {number: line for filled, lines in found for number, line in enumerate(lines, filled.first_line)}


@settings(max_examples=150)
@given(
    texts=st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=40)),
    size=st.integers(1, 60), end=st.sampled_from(["\n", ""]), kind=st.sampled_from(KINDS),
)  # fmt: skip
def test_every_line_comes_whole_with_its_number_or_is_told_to_be_too_long(texts, size, end, kind):
    text = ("\n".join(texts) + end).encode()
    whole = [line + b"\n" for line in text.split(b"\n")]
    whole[-1] = whole[-1][:-1]
    expected = {number: line for number, line in enumerate(whole) if line}
    found = cut(pack(text, kind), size)
    lines, too_long = numbered(found), [number for filled, _ in found for number in filled.too_long]
    assert lines == {number: line for number, line in expected.items() if number not in too_long}
    assert all(len(expected[number]) >= size for number in too_long)
    assert all(len(line) <= size for line in lines.values())
    assert all(filled.line_count == len(lines) for filled, lines in found)
    assert not any(filled.broken for filled, _ in found)


@pytest.mark.parametrize("size", range(8, 30))
def test_characters_of_several_bytes_are_never_torn(size):
    text = "né👍é\nß€ß\nüü".encode() * 3
    found = set(numbered(cut(text, size)).values())
    assert found
    assert found <= set(text.splitlines(keepends=True))


def test_long_lines_are_skipped_and_the_numbers_go_on():
    found = cut(b"one\n" + b"x" * 95 + b"\n" + b"y" * 16 + b"\nfour\n\n" + b"z" * 300, 16)
    assert numbered(found) == {0: b"one\n", 3: b"four\n", 4: b"\n"}
    assert sorted(number for filled, _ in found for number in filled.too_long) == [1, 2, 5]


@pytest.mark.parametrize("text", [b"a\r\nb\r\n", b"a\n\n\n b\n\n", b"\n", b"a\nb", b""])
def test_blank_lines_and_other_ends_are_left_as_they_are(text):
    assert b"".join(numbered(cut(text, 100)).values()) == text


@pytest.mark.parametrize("size", [40, 90, 1000])
def test_a_cut_archive_gives_its_last_piece_and_says_so(size):
    packed = pack(b"a line that is somewhat longer\n" * 9, "gz")
    found = cut(packed[:-10], size)
    assert found[-1][0].broken.startswith("cut off at byte")
    assert b"".join(numbered(found).values()).startswith(b"a line that is somewhat longer\n")


def test_lines_are_counted_beyond_a_piece():
    assert count_lines(memoryview(b"x\n" * PIECE)) == PIECE


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_the_process_gives_all_lines_and_leaves_nothing(tmp_path):
    lines, before = lines_of(500), open_files()
    path = write_dump(tmp_path / "RC_2013-05.zst", lines)
    seen = []
    with closing(Unpacker(path, tmp_path, slots=2)) as unpacker:
        for chunk in unpacker.chunks():
            seen += chunk.lines()
            unpacker.give_back(chunk.slot)
    assert seen == lines
    assert (open_files(), list(tmp_path.iterdir())) == (before, [path])


def test_a_killed_unpacker_is_told_and_leaves_nothing(tmp_path):
    path, before = tmp_path / "RC_2013-05", open_files()
    path.write_bytes(LONG_LINE * (2 * FIT))
    with closing(Unpacker(path, tmp_path, slots=1)) as unpacker:
        chunks = unpacker.chunks()
        assert next(chunks).filled.line_count == FIT  # and it waits for its slot
        os.kill(unpacker._process.pid, signal.SIGKILL)
        with pytest.raises(UnpackerDied, match="-9"):
            next(chunks)
    assert not Path(f"/proc/{unpacker._process.pid}").exists()
    assert (open_files(), list(tmp_path.iterdir())) == (before, [path])


def test_an_unpacker_that_nobody_listens_to_ends(tmp_path):
    path = tmp_path / "RC_2013-05"
    path.write_bytes(LONG_LINE * (2 * FIT))
    with closing(Unpacker(path, tmp_path, slots=1)) as unpacker:
        next(unpacker.chunks())
        unpacker._free.close()
        assert unpacker._process.wait(timeout=20) == 0
