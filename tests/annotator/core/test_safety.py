"""Headers, cookies and themes: what every response carries."""

import pytest

from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def test_the_policy_allows_no_inline_script_or_style(client):
    policy = client.get("/account/login/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy


def test_pages_cannot_be_framed_or_sniffed(client):
    headers = client.get("/account/login/").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_cookies_are_out_of_reach_of_scripts(client, ada):
    client.get("/account/login/")
    client.post("/account/login/", {"login": "ada", "password": PASSWORD})
    assert {"telltale_session", "telltale_csrf"} <= set(client.cookies)
    for cookie in client.cookies.values():
        assert cookie["httponly"], cookie.key
        assert cookie["samesite"] == "Lax", cookie.key


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_is_remembered(as_ada, theme):
    response = as_ada.post("/theme/", {"theme": theme, "next": "/"})
    assert response.url == "/"
    assert f'data-theme="{theme}"' in as_ada.get("/").content.decode()


def test_the_system_decides_the_theme_by_default(as_ada):
    assert "data-theme=" not in as_ada.get("/").content.decode()


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_the_theme_switch_leads_nowhere_else(as_ada, back):
    assert as_ada.post("/theme/", {"theme": "dark", "next": back}).url == "/"


def test_htmx_is_sent_to_sign_in_with_the_whole_page_and_back(client):
    asked_from = {"HX-Request": "true", "HX-Current-URL": "http://testserver/corpora/1/?q=owl"}
    response = client.get("/corpora/1/", headers=asked_from)
    assert response.status_code == 200
    assert response.headers["HX-Redirect"] == "/account/login/?next=%2Fcorpora%2F1%2F%3Fq%3Dowl"
    assert "Location" not in response.headers


def test_htmx_is_not_sent_back_to_another_site(client):
    asked_from = {"HX-Request": "true", "HX-Current-URL": "https://evil.example/corpora/"}
    assert "evil" not in client.get("/corpora/", headers=asked_from).headers["HX-Redirect"]


def test_an_unknown_theme_changes_nothing(as_ada):
    as_ada.post("/theme/", {"theme": '"><script>', "next": "/"})
    assert "telltale_theme" not in as_ada.cookies


def test_the_style_guide_is_for_admins(as_ada):
    assert as_ada.get("/styleguide/").status_code == 404


def test_the_style_guide_shows_itself(as_grace):
    assert as_grace.get("/styleguide/").status_code == 200
