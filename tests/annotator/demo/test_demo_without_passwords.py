"""The demo study on servers that others can reach."""

import pytest

from annotator.demo.people import demo_people
from annotator.demo.study import load_demo
from annotator.models import Annotator

pytestmark = pytest.mark.django_db


def test_on_other_peoples_servers_nobody_can_sign_in_with_the_demo_password():
    load_demo(with_passwords=False, tell=lambda _: None)
    assert demo_people() == []
    assert not any(person.has_usable_password() for person in Annotator.objects.all())
