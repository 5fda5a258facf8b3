"""Labelling without scripts: the whole form at once."""

import pytest

from annotator.labelling.cards import NO_RATING
from annotator.labelling.forms import BAD_RATING, NO_REASON, NO_REMARK
from annotator.labelling.services import CHANGED_ELSEWHERE, NOT_WRITABLE, save_card
from annotator.labelling.submission import NOTHING_INFERRED
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
    assert "message-success" in post(as_ada, held, location=FILLED)
    assert held.drafts.count() == 1
    assert drafted(held).value == "oslo"


def test_submitting_seals_and_leads_on(as_ada, held):
    post(as_ada, held, "submit", location=FILLED)
    assert Submission.objects.get().answers[0]["value"] == "oslo"


def test_what_is_incomplete_is_said_and_kept(as_ada, held):
    page = post(as_ada, held, "submit", location=FILLED | {"hardness": 0})
    assert NO_RATING.format(ratings="hardness") in page
    assert drafted(held).value == "oslo"


def test_nothing_must_be_ticked(as_ada, held):
    assert NOTHING_INFERRED in post(as_ada, held, "submit")
    assert not Submission.objects.exists()
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
    assert CHANGED_ELSEWHERE in page
    assert drafted(held).value == "Oslo"
    assert drafted(held, "age").value == "27"
    assert not Submission.objects.exists()


def test_tampering_is_refused_in_words(as_ada, held):
    assert BAD_RATING in post(as_ada, held, location=FILLED | {"hardness": 9})


def test_skipping(as_ada, held):
    assert NO_REASON in post(as_ada, held, "skip")
    assert NO_REMARK in post(as_ada, held, "skip", {"reason": "other"})
    post(as_ada, held, "skip", {"reason": "too_little"})
    held.refresh_from_db()
    assert held.skip_reason == "too_little"


def test_a_second_submit_is_explained(as_ada, held):
    post(as_ada, held, "submit", {"nothing": "yes"})
    assert NOT_WRITABLE in post(as_ada, held, "submit", location=FILLED)
    assert Submission.objects.count() == 1
