"""Pages are not stored: neither by the browser nor by a proxy on the way."""

import pytest

from tests.annotator.site.every_url import Site, role_for, send, some_paths

# A published version of the guidelines never changes, and a list of places says nothing about anybody.
STORED = ("/guidelines/1/cards/", "/places/", "/tables/jsi18n/")


@pytest.mark.parametrize("paths", [some_paths, pytest.param(Site.paths, marks=pytest.mark.long)])
def test_no_page_is_stored(site, paths):
    for path in paths(site):
        response = send(site.clients[role_for(path)], "get", path)
        assert path in STORED or "no-store" in response.headers["Cache-Control"], path


def test_pages_with_texts_are_not_stored(site):
    own, profile, corpus = (site.rows[name] for name in ("assignment_id", "profile_id", "corpus_id"))
    at = f"/assignments/{own}"
    of_evaluator = [f"{at}/", f"{at}/comments/", f"{at}/comments/{site.rows['comment_id']}/", f"{at}/presidio/"]
    of_admin = [f"/profiles/{profile}/", f"/adjudication/{profile}/", f"/corpora/{corpus}/", "/audit/changes/"]
    for path in of_evaluator + of_admin:
        response = send(site.clients[role_for(path)], "get", path)
        assert response.status_code == 200, path
        assert "no-store" in response.headers["Cache-Control"], path
