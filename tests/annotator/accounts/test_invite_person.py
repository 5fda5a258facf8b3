"""`bin/manage invite_person`: how the first admin gets in."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotator.models import Annotator, Invitation
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def invite(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("invite_person", *arguments, stdout=out, stderr=err)
    return out.getvalue().strip(), err.getvalue()


def test_prints_a_link_that_makes_an_admin(client):
    link, note = invite()
    assert link.startswith("http://127.0.0.1:8000/join/")
    assert "admin" in note
    form = {"username": "mary", "display_name": "Mary", "password1": PASSWORD, "password2": PASSWORD}
    client.post(link.removeprefix("http://127.0.0.1:8000"), form)
    assert Annotator.objects.get(username="mary").roles == ["admin"]


def test_takes_several_roles_and_an_address():
    invite("--role", "researcher", "--role", "admin", "--role", "admin", "--email", "Mary@Example.org")
    invitation = Invitation.objects.get()
    assert (invitation.roles, invitation.email) == (["admin", "researcher"], "mary@example.org")


def test_takes_the_address_of_the_site_from_the_argument_or_the_settings(settings):
    assert invite("--base-url", "https://a.example/")[0].startswith("https://a.example/join/")
    settings.BASE_URL = "https://b.example"
    assert invite()[0].startswith("https://b.example/join/")


@pytest.mark.parametrize("arguments", [("--role", "emperor"), ("--email", "nonsense")])
def test_refuses_what_makes_no_sense(arguments):
    with pytest.raises(CommandError):
        invite(*arguments)
    assert not Invitation.objects.exists()
