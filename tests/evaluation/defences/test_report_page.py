"""The page of a run over defences."""

import pytest

from annotator.models import Role
from evaluation.defences.queries import examples_page
from profiles.attributes import Attribute
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.gold.records import make_gold
from tests.evaluation.defences.studies import do_run, make_study, rules_plan
from tests.factories import make_annotator, make_corpus, make_profile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def rita(client):
    client.force_login(make_annotator("rita", roles=[Role.RESEARCHER]))


def text_of(response) -> str:
    return response.content.decode()


@pytest.mark.usefixtures("rita")
def test_shows_numbers_and_what_is_still_inferable(client):
    run = do_run(rules_plan(*make_study(3)))
    page = text_of(client.get(f"/evaluations/{run.pk}/?defence=evidence-stars"))
    assert run.signature in page
    assert "houston / texas / united states" in page
    assert "a ** year old nurse" in page


@pytest.mark.usefixtures("rita")
def test_comments_with_evidence_come_first_changed_or_not(client):
    corpus = make_corpus()
    detection = make_run(corpus)
    profile = make_profile(*(f"Houston again {number}" for number in range(4)), "I am 31 years old", corpus=corpus)
    *others, last = profile.comments.order_by("pk")
    for comment in others:
        make_detection(detection, comment, "Houston")
    span = {"comment": last.pk, "start": 5, "end": 7, "text": "31"}
    make_gold(Attribute.AGE, "31", profile=profile, evidence=[span])
    (example,) = examples_page(do_run(rules_plan(corpus, detection, "detections-tag")), "").rows
    assert [text.is_changed for text in example.texts] == [False, True, True]
    assert example.texts[0].body == last.body


@pytest.mark.usefixtures("rita")
def test_an_unknown_defence_shows_the_first(client):
    run = do_run(rules_plan(*make_study(2)))
    page = text_of(client.get(f"/evaluations/{run.pk}/?defence=klingon&page=9"))
    assert "[LOCATION]" in page


@pytest.mark.usefixtures("rita")
def test_htmx_gets_the_examples_alone(client):
    run = do_run(rules_plan(*make_study(2)))
    page = text_of(client.get(f"/evaluations/{run.pk}/", headers={"HX-Request": "true", "HX-Target": "examples"}))
    assert page.strip().startswith("<section")


@pytest.mark.usefixtures("rita")
@pytest.mark.parametrize("profiles", [2, 12])
def test_query_count_does_not_grow(client, django_assert_num_queries, profiles):
    run = do_run(rules_plan(*make_study(profiles)))
    client.get(f"/evaluations/{run.pk}/")
    with django_assert_num_queries(QUERIES):
        client.get(f"/evaluations/{run.pk}/")


QUERIES = 8


def test_evaluators_do_not_see_it(client):
    run = do_run(rules_plan(*make_study(2)))
    client.force_login(make_annotator("eva"))
    assert client.get(f"/evaluations/{run.pk}/").status_code == 404


@pytest.mark.usefixtures("rita")
def test_the_file_quotes_nobody(client):
    run = do_run(rules_plan(*make_study(3)))
    page = text_of(client.get(f"/evaluations/{run.pk}/report.html"))
    assert run.signature in page
    assert "houston" not in page.lower()


@pytest.mark.usefixtures("rita")
def test_two_runs_can_be_compared(client):
    corpus, detection = make_study(3)
    first, second = (do_run(rules_plan(corpus, detection, key)) for key in ("detections-tag", "evidence-tag"))
    response = client.get(f"/evaluations/compare/?first={first.pk}&second={second.pk}")
    assert response.status_code == 200
