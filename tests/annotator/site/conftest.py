"""A site in which every URL leads to something."""

from typing import Any

import pytest

from annotator.detection.views import recipe
from tests.annotator.site.every_url import Site, make_site


@pytest.fixture
def site(db: None, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Site:
    settings.EVALUATIONS = tmp_path / "v"
    settings.UPLOADS, settings.EXPORTS, settings.IMPORT_FOLDERS = tmp_path / "u", tmp_path / "e", [tmp_path / "d"]
    (tmp_path / "d").mkdir()
    monkeypatch.setattr(recipe, "run_trial", lambda *_: None)  # takes seconds, and reads no request
    return make_site()
