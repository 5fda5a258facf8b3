"""What was detected stays detected, whatever ended the run."""

import subprocess
import sys

import pytest

from evaluation.spans.systems.cache import CacheUnusable, DetectionCache, text_hash
from profiles.spans import EntitySpan

SPANS = (EntitySpan(0, 3, "PERSON", 0.85),)


def test_keeps_detections_for_the_next_run(tmp_path):
    with DetectionCache(tmp_path, "recipe") as cache:
        cache.add("a", SPANS)
        cache.add("b", ())
    with DetectionCache(tmp_path, "recipe") as cache:
        assert (cache.get("a"), cache.get("b"), cache.get("c")) == (SPANS, (), None)


def test_another_recipe_knows_nothing_of_it(tmp_path):
    with DetectionCache(tmp_path, "recipe") as cache:
        cache.add("a", SPANS)
    with DetectionCache(tmp_path, "other") as cache:
        assert cache.get("a") is None


@pytest.mark.parametrize("kept", range(1, 30, 4))
def test_a_half_line_is_cut_off(tmp_path, kept):
    with DetectionCache(tmp_path, "recipe") as cache:
        cache.add("a", SPANS)
        whole = cache.path.read_bytes()
        cache.add("b", SPANS)
    cache.path.write_bytes(cache.path.read_bytes()[: len(whole) + kept])
    with DetectionCache(tmp_path, "recipe") as again:
        assert (again.get("a"), again.get("b")) == (SPANS, None)
        again.add("b", SPANS)
    with DetectionCache(tmp_path, "recipe") as third:
        assert (third.get("a"), third.get("b")) == (SPANS, SPANS)


@pytest.mark.parametrize("line", [b"nonsense", b"[]", b'{"text": "a"}', b'{"text": "a", "spans": [[1]]}', b"\xff"])
def test_a_strange_line_is_skipped(tmp_path, line):
    with DetectionCache(tmp_path, "recipe") as cache:
        cache.add("b", SPANS)
    cache.path.write_bytes(line + b"\n" + cache.path.read_bytes())
    with DetectionCache(tmp_path, "recipe") as again:
        assert (again.get("a"), again.get("b")) == (None, SPANS)


def test_a_line_is_on_disk_at_once(tmp_path):
    with DetectionCache(tmp_path, "recipe") as cache:
        cache.add("a", SPANS)
        assert cache.path.read_bytes().endswith(b"\n")


OTHER_RUN = """
import sys
from pathlib import Path
from evaluation.spans.systems.cache import DetectionCache
with DetectionCache(Path(sys.argv[1]), "recipe") as cache:
    cache.add("b", ())
    print(cache.get("a"), cache.get("b"))
"""


def test_a_second_run_reads_but_does_not_write(tmp_path):
    """Not even the half line is cut off, which the first run is about to end."""
    with DetectionCache(tmp_path, "recipe") as cache:
        cache.add("a", SPANS)
        with cache.path.open("ab") as file:
            file.write(b"half a li")
        before = cache.path.read_bytes()
        command = [sys.executable, "-c", OTHER_RUN, tmp_path]
        other = subprocess.run(command, capture_output=True, text=True, check=True)
        assert cache.path.read_bytes() == before
    assert other.stdout.strip() == f"{SPANS} ()"


def test_a_full_disk_leaves_no_half_line(tmp_path, monkeypatch):
    with DetectionCache(tmp_path, "recipe") as cache:
        cache.add("a", SPANS)
        before = cache.path.read_bytes()
        file, short = cache._file, cache._file.write

        class Full:
            def __getattr__(self, name):
                return (lambda line: short(line[:5])) if name == "write" else getattr(file, name)

        monkeypatch.setattr(cache, "_file", Full())
        with pytest.raises(CacheUnusable, match="no room"):
            cache.add("b", SPANS)
        monkeypatch.undo()
    assert cache.path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheUnusable, match="--cache"):
        DetectionCache(tmp_path / "file" / "below", "recipe").__enter__()


def test_holds_no_texts_and_is_private(tmp_path):
    with DetectionCache(tmp_path / "new", "recipe") as cache:
        cache.add(text_hash("Ada Lovelace \ud800"), SPANS)
    assert b"Ada" not in cache.path.read_bytes()
    assert cache.path.stat().st_mode & 0o777 == 0o600
    assert cache.path.parent.stat().st_mode & 0o777 == 0o700
