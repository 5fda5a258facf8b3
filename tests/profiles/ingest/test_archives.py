"""Every kind of archive comes out as it went in; a broken one as far as it goes."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profiles.ingest import archives
from profiles.ingest.archives import Archive, Broken, kind_of
from tests.profiles.ingest.dumps import KINDS, line, lines_of, pack, pack_zst, skippable

PACKED_KINDS = [kind for kind in KINDS if kind != "plain"]
TEXT = b"".join(lines_of(300))


def unpack(packed: bytes, *, room: int = 1 << 16) -> tuple[bytes, str]:
    """What comes out, and how it broke."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "RC_2013-05"
        path.write_bytes(packed)
        return unpack_file(path, room=room)


def unpack_file(path: Path, *, room: int = 1 << 16) -> tuple[bytes, str]:
    archive, into, pieces, problem = Archive(path, path.parent), memoryview(bytearray(room)), [], ""
    try:
        while given := archive.readinto(into):
            pieces.append(bytes(into[:given]))
    except Broken as error:
        problem = str(error)
    finally:
        archive.close()
    return b"".join(pieces), problem


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("room", [1, 7, 1 << 20])
def test_reads_each_kind_whole_into_whatever_room(kind, room):
    text = TEXT[:3000] if room == 1 else TEXT
    assert unpack(pack(text, kind), room=room) == (text, "")


@pytest.mark.parametrize("kind", KINDS)
def test_reads_streams_that_follow_each_other_and_empty_ones_between(kind):
    nothing = pack(b"", kind)
    streams = [nothing, pack(TEXT, kind), nothing, nothing, pack(b"second\n", kind), pack(b"third\n", kind), nothing]
    assert unpack(b"".join(streams)) == (TEXT + b"second\nthird\n", "")


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_thousands_of_empty_streams_are_no_trouble(kind):
    assert unpack(pack(b"first\n", kind) + pack(b"", kind) * 3000 + pack(b"last\n", kind)) == (b"first\nlast\n", "")


@pytest.mark.parametrize("kind", KINDS)
def test_streams_are_found_wherever_a_piece_of_the_file_ends(kind, monkeypatch):
    monkeypatch.setattr(archives, "PACKED_AT_ONCE", 20)
    assert unpack(pack(TEXT[:900], kind) * 3) == (TEXT[:900] * 3, "")


def test_nothing_gives_nothing():
    assert unpack(b"") == (b"", "")


def test_skips_what_is_to_be_skipped():
    long = skippable(b"x" * (archives.PACKED_AT_ONCE + 5))
    packed = skippable() + pack_zst(b"first\n") + long + skippable(b"") + pack_zst(b"last\n") + skippable()
    assert unpack(packed) == (b"first\nlast\n", "")
    assert unpack(skippable()) == (b"", "")


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_is_known_by_its_first_bytes_and_not_by_its_name(kind, tmp_path):
    path = tmp_path / "RC_2013-05.ndjson"
    path.write_bytes(pack(TEXT, kind))
    assert kind_of(path) == kind
    assert unpack_file(path) == (TEXT, "")


CUT = {kind: [pack(TEXT[:9000], kind), pack(line(id="c1"), kind)] for kind in PACKED_KINDS}


@pytest.mark.parametrize("kind", PACKED_KINDS)
@settings(max_examples=60)
@given(data=st.data())
def test_whatever_is_cut_off_the_rest_is_good_and_the_cut_is_told(kind, data):
    streams = CUT[kind]
    whole = b"".join(streams)
    at = data.draw(st.integers(6, len(whole)))  # before that, nobody can tell what it was
    text, problem = unpack(whole[:at])
    assert (TEXT[:9000] + line(id="c1")).startswith(text)
    assert bool(problem) == (at not in (len(streams[0]), len(whole)))
    assert not problem or "byte" in problem


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_what_lies_before_a_damage_is_given(kind):
    """Some notice it at once, some by the checksum at the end."""
    noise = random.Random(3).randbytes(2_000_000)  # noqa: S311
    packed = bytearray(pack(noise, kind))
    packed[1_200_000:1_200_040] = b"\x00" * 40
    text, problem = unpack(bytes(packed))
    assert text[:800_000] == noise[:800_000]
    assert problem.startswith("damaged at byte")


@pytest.mark.parametrize("kind", PACKED_KINDS)
def test_garbage_behind_the_end_is_told_and_takes_nothing_away(kind):
    text, problem = unpack(pack(TEXT, kind) + b"<html>not found</html>")
    assert text == TEXT
    assert problem.startswith("damaged at byte")
