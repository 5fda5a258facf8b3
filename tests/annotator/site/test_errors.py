"""What people see when something goes wrong: what happened and what to do, never a stack trace."""

import pytest
from django.test import Client

from annotator.site.views import home

pytestmark = pytest.mark.django_db


def test_a_page_that_is_not_there(client):
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "Traceback" not in response.content.decode()
    assert 'href="/"' in response.content.decode()


def test_a_form_without_its_token(ada):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(ada)
    response = careful.post("/theme/", {"theme": "dark"})
    assert response.status_code == 403
    assert "reload" in response.content.decode().lower() or "go back" in response.content.decode().lower()


def test_htmx_sends_the_token_in_a_header(ada):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(ada)
    page = careful.get("/").content.decode()
    token = page.split('hx-headers=\'{"x-csrftoken": "')[1].split('"')[0]
    assert careful.post("/theme/", {"theme": "dark"}, headers={"x-csrftoken": token}).status_code == 302


def test_a_fault_of_ours(ada, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("the text of somebody's comment")

    monkeypatch.setattr(home, "batches_of", broken)
    calm = Client(raise_request_exception=False)
    calm.force_login(ada)
    response = calm.get("/")
    assert response.status_code == 500
    assert "Traceback" not in response.content.decode()
    assert "comment" not in response.content.decode()


def test_a_host_that_is_not_ours(client):
    response = client.get("/", headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert "evil.example" not in response.content.decode()
