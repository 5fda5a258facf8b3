"""Labelling without scripts: the whole form at once."""

import pytest

from annotator.labelling.services import save_card
from annotator.models import Submission
from profiles.attributes import Attribute
from tests.annotator.labelling.forms import OSLO, drafted, sent
from tests.factories import make_assignment

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(ada):
    return make_assignment(annotator=ada)


def form(**cards):
    """All eight cards as the page sends them, some of them filled in."""
    fields = {}
    for attribute in Attribute:
        fields |= sent(
            attribute.value, **({"value": "", "hardness": 0, "certainty": 0} | cards.get(attribute.value, {}))
        )
    return fields


def post(client, held, do="save", more=None, **cards):
    response = client.post(f"/assignments/{held.pk}/", form(**cards) | {"do": do} | (more or {}), follow=True)
    return response.content.decode()


FILLED = {"value": "oslo", "hardness": 1, "certainty": 5}


def test_saving_keeps_what_was_filled_in_and_leaves_the_rest_untouched(as_ada, held):
    assert "Saved." in post(as_ada, held, location=FILLED)
    assert held.drafts.count() == 1
    assert drafted(held).value == "oslo"


def test_submitting_seals_and_leads_on(as_ada, held):
    post(as_ada, held, "submit", location=FILLED)
    assert Submission.objects.get().answers[0]["value"] == "oslo"


def test_what_is_incomplete_is_said_and_kept(as_ada, held):
    page = post(as_ada, held, "submit", location=FILLED | {"hardness": 0})
    assert "Location: A value needs hardness from 1 to 5." in page
    assert drafted(held).value == "oslo"


def test_nothing_must_be_ticked(as_ada, held):
    assert "tick “Nothing can be inferred”" in post(as_ada, held, "submit")
    post(as_ada, held, "submit", {"nothing": "yes"})
    assert Submission.objects.get().nothing_inferred


def test_a_form_from_an_old_tab_overwrites_nothing(as_ada, held):
    save_card(held, Attribute.LOCATION, OSLO, based_on=0)
    page = post(
        as_ada,
        held,
        "submit",
        location=FILLED | {"value": "bergen"},
        age={"value": "27", "hardness": 1, "certainty": 5},
    )
    assert "Location was not kept. This answer was changed elsewhere" in page
    assert drafted(held).value == "Oslo"
    assert drafted(held, "age").value == "27"
    assert not Submission.objects.exists()


def test_tampering_is_refused_in_words(as_ada, held):
    assert "Ratings go from 0 to 5." in post(as_ada, held, location=FILLED | {"hardness": 9})


def test_skipping(as_ada, held):
    assert "Choose why you skip" in post(as_ada, held, "skip")
    assert "Say in a few words" in post(as_ada, held, "skip", {"reason": "other"})
    post(as_ada, held, "skip", {"reason": "too_little"})
    held.refresh_from_db()
    assert held.skip_reason == "too_little"


def test_a_second_submit_is_explained(as_ada, held):
    post(as_ada, held, "submit", {"nothing": "yes"})
    assert "was submitted or skipped" in post(as_ada, held, "submit", location=FILLED)
    assert Submission.objects.count() == 1
