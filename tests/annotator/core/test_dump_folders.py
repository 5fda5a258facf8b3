"""Dumps on the server: which are listed, and that nothing outside the folders can be named."""

import os
from pathlib import Path

import pytest

from annotator.core.dump_folders import NotImportable, list_dumps, resolve_dump
from tests.annotator.corpora.dumps import (
    IMPORT_FORM,
    PATH,
    form_errors,
)

pytestmark = pytest.mark.django_db
ELSEWHERE = "One of the files cannot be imported from here"


def test_lists_dumps_in_the_folders_with_their_sizes(as_grace, dumps):
    (dumps / "2013").mkdir()
    (dumps / "2013" / "RC_2013-01.ZST").write_bytes(b"x" * 2048)
    (dumps / "notes.txt").write_text("no dump")
    page = as_grace.get(PATH).content.decode()
    assert f'value="{dumps}/2013/RC_2013-01.ZST"' in page
    assert "2.0\xa0KB" in page
    assert "notes.txt" not in page


def test_says_where_to_put_dumps_when_there_are_none(as_grace, dumps):
    (dumps / "RC_2012-11.ndjson").unlink()
    assert f"<code>{dumps}</code>" in as_grace.get(PATH).content.decode()
    dumps.rmdir()
    assert as_grace.get(PATH).status_code == 200


def test_shows_some_of_very_many_and_says_so(as_grace, dumps, monkeypatch):
    monkeypatch.setattr("annotator.core.dump_folders.MAX_FILES", 2)
    for number in range(2):
        (dumps / f"{number}.zst").touch()
    page = as_grace.get(PATH).content.decode()
    assert page.count('name="picked"') == 2
    assert "Only the first 2 are shown" in page


def test_does_not_look_at_a_whole_disk(dumps, monkeypatch):
    monkeypatch.setattr("annotator.core.dump_folders.MAX_SCANNED", 3)
    for number in range(9):
        (dumps / f"{number}.zst").touch()
    assert len(list_dumps().files) == 3


def test_a_hostile_name_stays_text_and_one_that_is_no_text_is_passed_over(as_grace, dumps):
    (dumps / '"><img src=x>.zst').touch()
    os.close(os.open(os.fsencode(dumps) + b"/\xff.zst", os.O_CREAT))
    page = as_grace.get(PATH).content.decode()
    assert "&lt;img src=x&gt;.zst" in page
    assert "<img src=x>" not in page
    assert page.count('name="picked"') == 2


def outside(dumps: Path) -> Path:
    secret = dumps.parent / "secret.zst"
    secret.write_bytes(b"x")
    return secret


@pytest.mark.parametrize(
    "written",
    [
        "{dumps}/../secret.zst", "{dumps}/./../dumps/../secret.zst", "{root}/secret.zst", "{root}/missing.zst",
        "{dumps}/missing.zst", "{dumps}/out.zst", "{dumps}/away/secret.zst", "{dumps}/circle.zst", "{dumps}",
        "{dumps}/notes.txt", "../secret.zst", "RC_2012-11.ndjson", "{dumps}2/a.zst", "/etc/passwd", "/dev/zero", "",
        "{dumps}/a\x00.zst", "{dumps}/" + "x" * 5000 + ".zst", "{dumps}/pipe.zst",
    ],
)  # fmt: skip
def test_nothing_outside_the_folders_can_be_named(as_grace, dumps, written):
    secret = outside(dumps)
    (dumps / "out.zst").symlink_to(secret)
    (dumps / "away").symlink_to(dumps.parent)
    (dumps / "circle.zst").symlink_to(dumps / "circle.zst")
    (dumps / "notes.txt").touch()
    os.mkfifo(dumps / "pipe.zst")
    (dumps.parent / "dumps2").mkdir()
    (dumps.parent / "dumps2" / "a.zst").touch()
    response = as_grace.post(PATH, IMPORT_FORM | {"picked": written.format(dumps=dumps, root=dumps.parent)})
    assert ELSEWHERE in form_errors(response)["picked"]
    assert [dump.name for dump in list_dumps().files] == ["RC_2012-11.ndjson"]


def test_a_link_that_stays_inside_may_be_named_and_gives_its_real_place(dumps):
    (dumps / "again.zst").symlink_to(dumps / "RC_2012-11.ndjson")
    with pytest.raises(NotImportable):  # it is what it is, not what the link calls it
        resolve_dump(str(dumps / "gone.zst"))
    assert resolve_dump(str(dumps / "again.zst")) == (dumps / "RC_2012-11.ndjson").resolve()
