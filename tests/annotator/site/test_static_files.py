"""Static files: bundles contain their parts, in order, and follow their changes."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from annotator.site import static_files
from annotator.site.static_files import BUNDLES, SOURCES

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_is_its_parts_in_order(name):
    bundle = Path(finders.find(name)).read_text()
    parts = [(SOURCES / name).parent / part for part in BUNDLES[name]]
    assert bundle == "\n".join(part.read_text() for part in parts)


def test_a_bundle_follows_its_parts(tmp_path, monkeypatch):
    (tmp_path / "css").mkdir()
    monkeypatch.setattr(static_files, "SOURCES", tmp_path)
    monkeypatch.setattr(static_files, "BUNDLES", {"css/two.css": ["a.css", "b.css"]})
    for text in ("a {}", "b {}"):
        for name in ("a", "b"):
            (tmp_path / "css" / f"{name}.css").write_text(text)
        assert Path(finders.find("css/two.css")).read_text() == f"{text}\n{text}"


def test_what_is_no_bundle_is_not_found():
    assert finders.find("css/nothing.css") is None


def test_no_file_stands_in_a_bundle_twice():
    assert all(len(parts) == len(set(parts)) for parts in BUNDLES.values())


def test_every_style_sheet_is_used():
    bundled = {part for parts in BUNDLES.values() for part in parts}
    named = set(re.findall(r"'css/([\w.]+)'", "".join(path.read_text() for path in TEMPLATES.rglob("*.html"))))
    assert {path.name for path in (SOURCES / "css").glob("*.css")} <= bundled | named


def test_files_are_collected_once_until_one_changes(tmp_path, monkeypatch, settings):
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    collected = []
    monkeypatch.setattr(static_files, "call_command", lambda *words, **options: collected.append(words[0]))
    static_files.collect_static()
    static_files.collect_static()
    assert collected == ["collectstatic"]
    monkeypatch.setattr(static_files, "BUNDLES", {**BUNDLES, "css/new.css": ["tables.css"]})
    static_files.collect_static()
    assert collected == ["collectstatic"] * 2


def test_an_interrupted_collection_is_repeated(tmp_path, monkeypatch, settings):
    settings.STATIC_ROOT = tmp_path
    monkeypatch.setattr(static_files, "call_command", lambda *words, **options: None)
    static_files.collect_static()
    monkeypatch.setattr(static_files, "_sources_digest", lambda: "other")
    monkeypatch.setattr(static_files, "call_command", lambda *words, **options: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        static_files.collect_static()
    assert not (tmp_path / static_files.STAMP).exists()
