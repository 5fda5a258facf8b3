"""Finding dumps, and identifying them by content."""

import hashlib

import pytest

from profiles.ingest import sources
from profiles.ingest.sources import NoSuchFile, find_files, identify_file


@pytest.fixture
def folder(tmp_path):
    for name in (
        "RC_2013-05.zst", "RC_2013-04.bz2", "RS_2013-05.zst", "notes.txt", "RC_2006-01", "RC_2013-06.zst.part",
        "deep/RC_2012-01.xz", "deep/er/part-0.parquet", "deep/RS_2012-01.xz", "[odd] name.ndjson",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def names(folder, *paths: str) -> list[str]:
    return [str(path.relative_to(folder)) for path in find_files(folder / path for path in paths)]


def test_a_folder_gives_the_dumps_of_comments_in_it_and_below(folder):
    assert names(folder, ".") == [
        "RC_2006-01", "RC_2013-04.bz2", "RC_2013-05.zst", "[odd] name.ndjson", "deep/RC_2012-01.xz",
        "deep/er/part-0.parquet",
    ]  # fmt: skip


def test_a_file_is_taken_as_it_is(folder):
    assert names(folder, "notes.txt") == ["notes.txt"]
    assert names(folder, "[odd] name.ndjson") == ["[odd] name.ndjson"]


def test_a_pattern_gives_what_it_matches_in_order(folder):
    assert names(folder, "RC_2013-*.*z*") == ["RC_2013-04.bz2", "RC_2013-05.zst", "RC_2013-06.zst.part"]
    assert names(folder, "**/*.xz") == ["deep/RC_2012-01.xz", "deep/RS_2012-01.xz"]


def test_each_file_comes_once_however_often_it_matches(folder):
    (folder / "linked.zst").symlink_to(folder / "RC_2013-05.zst")
    again = names(folder, "RC_2013-05.zst", "deep/../RC_2013-05.zst", "RC_2013-05*", "linked.zst")
    assert again == ["RC_2013-05.zst"]


@pytest.mark.parametrize("missing", ["RC_1999-01.zst", "none/*.zst", "empty", "de?p"])
def test_a_path_without_a_file_is_refused_by_its_name(folder, missing):
    (folder / "empty").mkdir()
    with pytest.raises(NoSuchFile) as refusal:
        names(folder, "RC_2013-05.zst", missing)
    assert missing in str(refusal.value)


def test_a_broken_link_is_no_file(folder):
    (folder / "gone.zst").symlink_to(folder / "nowhere.zst")
    assert "gone.zst" not in names(folder, ".")
    with pytest.raises(NoSuchFile):
        names(folder, "gone.zst")


def test_a_file_is_identified_by_its_content(folder, monkeypatch):
    monkeypatch.setattr(sources, "READ_SIZE", 4)
    sizes: list[int] = []
    source = identify_file(folder / "RC_2013-05.zst", sizes.append)
    assert (source.size, sizes) == (14, [4, 4, 4, 2])
    assert source.digest == hashlib.sha256(b"RC_2013-05.zst").hexdigest()
    (folder / "other name").write_text("RC_2013-05.zst")
    assert identify_file(folder / "other name", sizes.append).digest == source.digest


def test_a_file_that_cannot_be_read_says_which(folder):
    """A folder stands for it, because root may read every file."""
    with pytest.raises(OSError) as refusal:
        identify_file(folder / "deep", lambda size: None)
    assert refusal.value.filename == str(folder / "deep")
