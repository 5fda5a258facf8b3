"""Every kind of archive unpacks to what was packed; a broken one as far as possible."""

import random
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.ingest import archives
from profiles.ingest.archives import CUT_OFF, DAMAGED, Archive, BrokenArchive, detect_format
from tests.profiles.ingest.dumps import KINDS, line, lines_of, pack, pack_zst, skippable

PACKED_KINDS = [kind for kind in KINDS if kind != "plain"]
TEXT = b"".join(lines_of(300))


def unpack(packed: bytes, *, size: int = 1 << 16) -> tuple[bytes, str]:
    """The unpacked bytes, and the problem if it broke."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "RC_2013-05"
        path.write_bytes(packed)
        return unpack_file(path, size=size)


def unpack_file(path: Path, *, size: int = 1 << 16) -> tuple[bytes, str]:
    archive, into, pieces, problem = Archive(path), memoryview(bytearray(size)), [], ""
    try:
        while count := archive.readinto(into):
            pieces.append(bytes(into[:count]))
    except BrokenArchive as error:
        problem = str(error)
    finally:
        archive.close()
    return b"".join(pieces), problem


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_reads_each_kind_into_a_buffer_of_any_size(kind, size):
    text = TEXT[:3000] if size == 1 else TEXT
    assert unpack(pack(text, kind), size=size) == (text, "")


@pytest.mark.parametrize("kind", KINDS)
def test_reads_streams_that_follow_each_other_and_empty_ones_between(kind):
    nothing = pack(b"", kind)
    streams = [nothing, pack(TEXT, kind), nothing, nothing, pack(b"second\n", kind), pack(b"third\n", kind), nothing]
    assert unpack(b"".join(streams)) == (TEXT + b"second\nthird\n", "")


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_reads_thousands_of_empty_streams(kind):
    assert unpack(pack(b"first\n", kind) + pack(b"", kind) * 3000 + pack(b"last\n", kind)) == (b"first\nlast\n", "")


@pytest.mark.parametrize("kind", KINDS)
def test_streams_are_found_wherever_a_piece_of_the_file_ends(kind, monkeypatch):
    monkeypatch.setattr(archives, "READ_SIZE", 20)
    assert unpack(pack(TEXT[:900], kind) * 3) == (TEXT[:900] * 3, "")


def test_an_empty_file_yields_nothing():
    assert unpack(b"") == (b"", "")


def test_skips_skippable_frames():
    long = skippable(b"x" * (archives.READ_SIZE + 5))
    packed = skippable() + pack_zst(b"first\n") + long + skippable(b"") + pack_zst(b"last\n") + skippable()
    assert unpack(packed) == (b"first\nlast\n", "")
    assert unpack(skippable()) == (b"", "")


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_is_known_by_its_first_bytes_and_not_by_its_name(kind, tmp_path):
    path = tmp_path / "RC_2013-05.ndjson"
    path.write_bytes(pack(TEXT, kind))
    assert detect_format(path) == kind
    assert unpack_file(path) == (TEXT, "")


CUT = {kind: [pack(TEXT[:9000], kind), pack(line(id="c1"), kind)] for kind in PACKED_KINDS}


@pytest.mark.parametrize("kind", PACKED_KINDS)
@given(data=st.data())
def test_a_cut_archive_is_read_up_to_the_cut_which_is_reported(kind, data):
    streams = CUT[kind]
    whole = b"".join(streams)
    at = data.draw(st.integers(6, len(whole)))  # before that, nobody can tell what it was
    text, problem = unpack(whole[:at])
    assert (TEXT[:9000] + line(id="c1")).startswith(text)
    assert bool(problem) == (at not in (len(streams[0]), len(whole)))
    assert not problem or problem.startswith((CUT_OFF, DAMAGED))


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_what_precedes_damage_is_read(kind):
    """Some notice it at once, some by the checksum at the end."""
    noise = random.Random(3).randbytes(2_000_000)  # noqa: S311
    packed = bytearray(pack(noise, kind))
    packed[1_200_000:1_200_040] = b"\x00" * 40
    text, problem = unpack(bytes(packed))
    assert text[:800_000] == noise[:800_000]
    assert problem.startswith(DAMAGED)


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_garbage_after_the_end_is_reported_and_takes_nothing_away(kind):
    text, problem = unpack(pack(TEXT, kind) + b"<html>not found</html>")
    assert text == TEXT
    assert problem.startswith(DAMAGED)


STREAM_KINDS = ("bz2", "xz", "gz")


def position_in(problem: str) -> int:
    place = re.search(r"byte ([\d,]+)", problem)
    assert place
    return int(place[1].replace(",", ""))


@pytest.mark.parametrize("kind", STREAM_KINDS)
@pytest.mark.parametrize("streams", [1, 3])
def test_garbage_after_the_end_is_placed_at_the_end(kind, streams):
    packed = pack(TEXT, kind) * streams
    assert position_in(unpack(packed + b"<html>not found</html>")[1]) == len(packed)


@pytest.mark.parametrize("kind", STREAM_KINDS)
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_cut_is_placed_at_the_end_of_the_file(kind, share):
    packed = pack(random.Random(5).randbytes(1_500_000), kind)  # noqa: S311
    cut = packed[: int(len(packed) * share)]
    assert position_in(unpack(cut)[1]) == len(cut)


@pytest.mark.parametrize("kind", STREAM_KINDS)
@pytest.mark.parametrize("share", [0.2, 0.7])
def test_damage_is_placed_where_it_is_noticed_and_never_before_it(kind, share):
    """A checksum follows every stream, so damage is noticed at its end at the latest."""
    streams = [pack(random.Random(n).randbytes(300_000), kind) for n in range(8)]  # noqa: S311
    packed = bytearray(b"".join(streams))
    damaged = next(n for n in range(8) if len(b"".join(streams[: n + 1])) > len(packed) * share)
    start, end = (len(b"".join(streams[:n])) for n in (damaged, damaged + 1))
    middle = (start + end) // 2
    packed[middle] ^= 0xFF
    text, problem = unpack(bytes(packed))
    assert len(text) >= 150_000 * damaged
    assert middle <= position_in(problem) <= end + archives.PIECE


@pytest.mark.parametrize("kind", ["xz", "gz"])
@pytest.mark.parametrize("zeros", [4, 512, 3 << 20])
def test_zeros_between_and_after_streams_are_padding(kind, zeros):
    padding = b"\0" * zeros
    assert unpack(pack(TEXT, kind) + padding + pack(b"last\n", kind) + padding) == (TEXT + b"last\n", "")
