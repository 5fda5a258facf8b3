"""`bin/manage lift_lockout`: how the only admin gets back in."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotator.accounts import lockout
from tests.annotator.accounts.sign_in_forms import entry, sign_in

pytestmark = pytest.mark.django_db


def lift(*arguments: str) -> str:
    out = StringIO()
    call_command("lift_lockout", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("name", ["grace", "GRACE", "grace@example.org"])
def test_lets_a_person_try_again_and_writes_it_down(client, grace, name):
    for _ in range(6):
        sign_in(client, "grace", "wrong")
    assert "Grace" in lift(name)
    assert not lockout.is_locked_out(grace)
    assert (entry("lock_out_lifted").subject, entry("lock_out_lifted").actor) == (grace, None)
    assert sign_in(client, "grace").status_code == 302


def test_says_so_when_nobody_has_that_name(grace):
    with pytest.raises(CommandError, match="nobody"):
        lift("nobody")


def test_without_a_name_lists_who_is_locked_out(client, grace, ada):
    assert "Nobody" in lift()
    for _ in range(5):
        sign_in(client, "grace", "wrong")
    assert "grace" in lift()
    assert "ada" not in lift()
    assert lockout.is_locked_out(grace)
