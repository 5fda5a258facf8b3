"""A folder to import from."""

from pathlib import Path

import pytest

from tests.annotator.importing import ASKED, dump_lines


@pytest.fixture
def dumps(settings, tmp_path) -> Path:
    """The one folder from which may be imported, with one dump in it."""
    settings.UPLOADS = tmp_path / "uploads"
    settings.IMPORT_FOLDERS = [tmp_path / "dumps"]
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / "RC_2012-11.ndjson").write_text(dump_lines("I moved to Houston last week", "so humid here"))
    return tmp_path / "dumps"


@pytest.fixture
def picked(dumps) -> dict[str, str]:
    return ASKED | {"picked": str(dumps / "RC_2012-11.ndjson")}
