"""What the labelling page sends during work is saved or refused. Tampering gains nothing."""

import json
import re
from uuid import uuid4

import pytest
from django.core.validators import ProhibitNullCharactersValidator
from django.utils import timezone

from annotator.labelling.cards import NO_RATING
from annotator.labelling.forms import BAD_EVIDENCE, BAD_RATING, NOTE_TOO_LONG, TOO_MUCH_EVIDENCE, VALUE_TOO_LONG
from annotator.labelling.services import NOT_WRITABLE
from annotator.labelling.submission import submit_assignment
from annotator.models import Batch, Draft, Flag, LookUp, Sitting
from tests.annotator.labelling.forms import drafted, sent
from tests.factories import make_annotator, make_assignment, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(ada):
    return make_assignment(annotator=ada, profile=make_profile("I live in Oslo"))


def save(client, held, attribute="location", **fields):
    return client.post(f"/assignments/{held.pk}/answers/{attribute}/", sent(attribute, **fields))


def test_a_card_is_kept_and_confirmed(as_ada, held):
    answer = save(as_ada, held, value="Oslo / Norway").json()
    assert (answer["version"], answer["state"], answer["problem"]) == (1, "answered", "")
    assert drafted(held).value == "Oslo / Norway"


def test_a_half_filled_card_is_kept_and_says_what_is_missing(as_ada, held):
    answer = save(as_ada, held, hardness=0).json()
    assert answer["state"] == "incomplete"
    assert answer["problem"] == NO_RATING.format(ratings="hardness")
    assert "30-40" in save(as_ada, held, "age", value="30+").json()["problem"]


def test_an_ambiguous_place_asks_for_more(as_ada, held):
    answer = save(as_ada, held, value="springfield").json()
    assert answer["state"] == "answered"
    assert "springfield" in answer["hint"]


def test_an_emptied_card_says_that_nothing_is_to_be_found(as_ada, held):
    assert save(as_ada, held, value="", hardness=0, certainty=0).json()["state"] == "nothing"


def test_evidence_comes_with_code_points_and_its_words(as_ada, ada):
    profile = make_profile("😀😀 I live\r\nin Oslo")
    held, comment = make_assignment(annotator=ada, profile=profile), profile.comments.get()
    shown = comment.body.replace("\r\n", "\n")  # as a browser has it
    start = shown.index("Oslo")
    span = {"comment": comment.pk, "start": start, "end": start + 4, "text": "Oslo"}
    (kept,) = save(as_ada, held, evidence=[span]).json()["evidence"]
    assert comment.body[kept["start"] : kept["end"]] == kept["text"] == "Oslo"


def test_what_another_tab_wrote_comes_back_with_the_refusal(as_ada, held):
    save(as_ada, held, value="bergen")
    response = save(as_ada, held, value="oslo")
    assert response.status_code == 409
    assert response.json()["theirs"]["value"] == "bergen"
    assert drafted(held).value == "bergen"
    assert save(as_ada, held, value="oslo", version=1).json()["version"] == 2


def test_sending_the_same_again_changes_nothing(as_ada, held):
    save(as_ada, held)
    assert save(as_ada, held).json()["version"] == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hardness": 6}, BAD_RATING),
        ({"hardness": -1}, BAD_RATING),
        ({"certainty": "five"}, BAD_RATING),
        ({"value": "x" * 501}, VALUE_TOO_LONG),
        ({"value": "a\x00b"}, ProhibitNullCharactersValidator.message),
        ({"note": "x" * 2001}, NOTE_TOO_LONG),
        ({"evidence": ["not json"]}, BAD_EVIDENCE),
        ({"evidence": ["[]"]}, BAD_EVIDENCE),
        ({"evidence": ['{"comment": 1}']}, BAD_EVIDENCE),
        ({"evidence": [{"comment": True, "start": 0, "end": 1, "text": "I"}]}, BAD_EVIDENCE),
        ({"evidence": [{"comment": 2**70, "start": 0, "end": 1, "text": "I"}]}, BAD_EVIDENCE),
        ({"evidence": [{"comment": 1, "start": 0, "end": 2**40, "text": "I"}]}, BAD_EVIDENCE),
        ({"evidence": [{"comment": 1, "start": 0, "end": 1, "text": 7}]}, BAD_EVIDENCE),
        ({"evidence": ["[" * 100_000]}, BAD_EVIDENCE),
        ({"evidence": [{"comment": 1, "start": n, "end": n + 1, "text": "I"} for n in range(51)]}, TOO_MUCH_EVIDENCE),
        ({"evidence": [{"comment": 1, "start": 0, "end": 1, "text": "\ud800"}]}, BAD_EVIDENCE),
        ({"version": 2**40}, ""),
    ],
)
def test_what_no_page_would_send_is_refused_in_words(as_ada, held, fields, message):
    response = save(as_ada, held, **fields)
    assert response.status_code == 422
    assert str(message) in response.json()["problem"]
    assert not Draft.objects.exists()


def test_other_peoples_cards_do_not_exist(as_ada):
    theirs = make_assignment(annotator=make_annotator())
    for path in ("answers/location/", "submit/", "skip/", "flag/", "look-ups/", "time/", "reopen/"):
        assert as_ada.post(f"/assignments/{theirs.pk}/{path}", sent()).status_code == 404
    assert not Draft.objects.exists()


def test_an_attribute_that_does_not_exist_has_no_address(as_ada, held):
    assert as_ada.post(f"/assignments/{held.pk}/answers/shoe_size/", {}).status_code == 404


def test_reading_is_not_writing(as_ada, held):
    for path in ("answers/location/", "submit/", "skip/", "flag/", "look-ups/", "time/", "reopen/"):
        assert as_ada.get(f"/assignments/{held.pk}/{path}").status_code == 405


def test_whoever_is_signed_out_gets_401_and_words(client, held):
    response = save(client, held)
    assert response.status_code == 401
    assert not Draft.objects.exists()


@pytest.mark.parametrize("how", ["submitted", "closed"])
def test_what_is_over_says_so(as_ada, held, how):
    if how == "submitted":
        submit_assignment(held, nothing=True)
    else:
        Batch.objects.update(closed_at=timezone.now())
    response = save(as_ada, held)
    assert response.status_code == 409
    assert response.json()["closed"]
    assert response.json()["problem"] == NOT_WRITABLE


def test_a_look_up_is_remembered(as_ada, held):
    response = as_ada.post(f"/assignments/{held.pk}/look-ups/", {"service": "google", "words": "Stone Road " * 100})
    assert response.json() == {"service": "Google"}
    assert len(LookUp.objects.get().words) == 300
    assert as_ada.post(f"/assignments/{held.pk}/look-ups/", {"service": "altavista"}).status_code == 422


def looked_up_cards(page: str) -> list[str]:
    return re.findall(r'data-attribute="(\w+)"[^>]* data-looked-up', page)


def test_a_look_up_suggests_hardness_on_its_own_card_and_a_translation_on_none(as_ada, held):
    for service, attribute in (("google", "location"), ("deepl", "sex"), ("bing", "")):
        sent = {"service": service, "words": "Stone Road", "attribute": attribute}
        assert as_ada.post(f"/assignments/{held.pk}/look-ups/", sent).status_code == 200
    page = as_ada.get(f"/assignments/{held.pk}/").content.decode()
    assert looked_up_cards(page) == ["location"]
    bad = {"service": "google", "words": "Stone Road", "attribute": "shoe size"}
    assert as_ada.post(f"/assignments/{held.pk}/look-ups/", bad).status_code == 422


def test_a_flag_needs_a_remark(as_ada, held):
    assert as_ada.post(f"/assignments/{held.pk}/flag/", {"remark": " "}).status_code == 422
    comment = held.profile.comments.get().pk
    assert as_ada.post(f"/assignments/{held.pk}/flag/", {"remark": "Look.", "comment": comment}).status_code == 200
    assert Flag.objects.get().comment_id == comment
    stranger = make_profile("elsewhere").comments.get().pk
    assert as_ada.post(f"/assignments/{held.pk}/flag/", {"remark": "!", "comment": stranger}).status_code == 422


def test_time_is_counted_and_nonsense_dropped(as_ada, held):
    key = uuid4()
    url = f"/assignments/{held.pk}/time/"
    assert as_ada.post(url, {"key": key, "active": 4, "cards": json.dumps({"age": 2, "x": 9})}).status_code == 204
    assert Sitting.objects.get().card_seconds == {"age": 2}
    for bad in ({"key": "x", "active": 4}, {"key": key, "active": -4}, {"key": key, "active": 9, "cards": "[1]"}):
        assert as_ada.post(url, bad).status_code == 204
    assert Sitting.objects.get().active_seconds == 4


def test_places_are_suggested_to_whoever_is_signed_in(client, as_ada):
    assert as_ada.get("/places/?typed=houst").json()["places"][0] == "houston / texas / united states"
    assert as_ada.get("/places/").json() == {"places": []}
    client.logout()
    assert client.get("/places/?typed=houst").status_code == 401


def test_no_text_and_no_value_reaches_the_log(as_ada, held, caplog):
    with caplog.at_level("DEBUG"):
        save(as_ada, held, value="zanzibar", note="hushhush")
        as_ada.post(f"/assignments/{held.pk}/look-ups/", {"service": "google", "words": "quetzal"})
        as_ada.post(f"/assignments/{held.pk}/flag/", {"remark": "wombat"})
    assert not [word for word in ("zanzibar", "hushhush", "quetzal", "wombat") if word in caplog.text]
