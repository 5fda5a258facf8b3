"""Writing a recipe, trying it on a sample, and starting a run by it."""

import pytest
from django.utils import timezone

from annotator.detection import forms
from annotator.detection.forms import RecipeForms
from annotator.detection.queries.models import begin_with, models_here
from annotator.detection.queries.trial import trial_of
from profiles.detection.recipes import Contents, Model, Pattern, WordList, keep_recipe
from profiles.models import Comment, DetectionRun
from tests.annotator.corpora.hint_lists import messages_of
from tests.annotator.detection.runs import SMALL, detect, make_run
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
HOSTILE = "<script>alert(1)</script>"
ASKED = {"name": "corners", "threshold": "0.2", "entities": ["PERSON", "LOCATION"], "context": "home, house"}
CORNER = {
    "pattern-0-name": "corner", "pattern-0-entity_type": "STREET_CORNER", "pattern-0-regex": r"\d+th and \d+th",
    "pattern-0-score": "0.6", "pattern-0-context": "near",
}  # fmt: skip
BARS = {"list-0-name": "bars", "list-0-entity_type": "HANGOUT", "list-0-words": "the Blue Kettle\nJoe's"}


@pytest.fixture(autouse=True)
def _nobody_is_called(monkeypatch):
    monkeypatch.setattr("annotator.detection.tasks.plan_detection.delay", lambda *args: None)


@pytest.fixture
def corpus():
    return make_profile("I live near 5th and 12th", "see you at JOE'S", "nothing here").corpus


def at(corpus) -> str:
    return f"/corpora/{corpus.pk}/detection/recipe/"


def post(client, corpus, do: str, *said: dict, **kwargs):
    data = {"do": do}
    for one in (ASKED, *said):
        data |= one
    return client.post(at(corpus), data, **kwargs)


def field(page: str, name: str) -> str:
    """The input and all that stands with it."""
    return page.partition(f'name="{name}"')[2].partition('<div class="field">')[0]


# ── Who ─────────────────────────────────────────────────────────────────────


def test_only_admins_write_recipes(client, ada, rosalind, corpus):
    assert client.get(at(corpus))["Location"].startswith("/account/login/")
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        assert client.get(at(corpus)).status_code == 404
        assert post(client, corpus, "start").status_code == 404
    assert not DetectionRun.objects.exists()


# ── Starting from something ─────────────────────────────────────────────────


def test_starts_from_the_default(as_grace, corpus):
    page = as_grace.get(at(corpus)).content.decode()
    assert models_here().names[0] in page
    assert page.count('name="entities"') == 5
    assert page.count("checked") == 5
    assert 'name="pattern-4-regex"' in page
    assert 'name="list-2-words"' in page


def test_starts_from_another_recipe(as_grace, corpus):
    contents = Contents(
        models=SMALL.models, presidio="1", spacy="1", threshold=0.35, entities=("NRP",), context=("home", "house"),
        patterns=(Pattern("corner", "STREET_CORNER", "<b>\\d+", 0.6, ("near", "at")),),
        word_lists=(WordList("bars", "HANGOUT", ("the Blue Kettle", "Joe's")),),
    )  # fmt: skip
    page = as_grace.get(f"{at(corpus)}?from={keep_recipe(contents).pk}").content.decode()
    for shown in (
        'value="0.35"', 'value="home, house"', 'value="corner"', 'value="&lt;b&gt;\\d+"', 'value="0.6"',
        'value="near, at"', "the Blue Kettle\nJoe&#x27;s",
    ):  # fmt: skip
        assert shown in page
    assert page.count("checked") == 1


def test_another_recipe_is_brought_to_what_is_installed():
    small, large = Model("en", "small", "1"), Model("en", "large", "1")
    default = Contents(models=(large,), presidio="2", spacy="3")
    old = Contents(models=(small,), presidio="1", spacy="1", threshold=0.4)
    began = begin_with(default, old, (large, small))
    assert (began.models, began.presidio, began.spacy, began.threshold) == ((small,), "2", "3", 0.4)
    assert begin_with(default, old, (large,)).models == (large,)


def test_a_model_is_asked_for_only_where_there_is_a_choice():
    small, large = Model("en", "small", "1"), Model("en", "large", "2")
    start = Contents(models=(large, Model("de", "klein", "1")), presidio="2", spacy="3")
    one = RecipeForms(ASKED, start, (large,))
    assert "model" not in one.recipe.fields
    two = RecipeForms(ASKED | {"model": "small"}, start, (large, small))
    assert two.is_valid(wanted="start")
    assert two.contents.models == (small, Model("de", "klein", "1"))
    assert not RecipeForms(ASKED | {"model": "other"}, start, (large, small)).is_valid(wanted="start")


# ── Starting a run ──────────────────────────────────────────────────────────


def test_starts_a_run_by_what_was_written(as_grace, corpus):
    response = post(as_grace, corpus, "start", CORNER, BARS, follow=True)
    run = DetectionRun.objects.get()
    assert "Detection has begun" in messages_of(response)
    assert response.redirect_chain == [(f"/corpora/{corpus.pk}/detection/{run.pk}/", 302)]
    contents = Contents.from_json(run.recipe.contents)
    assert run.recipe.name == "corners"
    assert (contents.threshold, contents.entities, contents.context) == (0.2, ("PERSON", "LOCATION"), ("home", "house"))
    assert contents.patterns == (Pattern("corner", "STREET_CORNER", r"\d+th and \d+th", 0.6, ("near",)),)
    assert contents.word_lists == (WordList("bars", "HANGOUT", ("the Blue Kettle", "Joe's")),)
    assert contents.models == models_here().contents.models


def test_starting_the_same_twice_makes_one_run(as_grace, corpus):
    for _ in range(2):
        post(as_grace, corpus, "start", CORNER)
    assert DetectionRun.objects.count() == 1


@pytest.mark.parametrize("said", [{"name": "other words"}, {"threshold": "0.3"}], ids=["contents", "name"])
def test_contents_or_a_name_that_are_there_already_are_told(as_grace, corpus, said):
    post(as_grace, corpus, "start", CORNER)
    response = post(as_grace, corpus, "start", CORNER, said, follow=True)
    assert "Its recipe is called “corners" in messages_of(response)


def test_a_recipe_with_more_recognisers_than_usual_loses_none(as_grace, corpus):
    many = tuple(Pattern(f"p{n}", "A", "a+b") for n in range(7))
    recipe = keep_recipe(Contents(models=SMALL.models, presidio="1", spacy="1", patterns=many))
    assert 'name="pattern-6-regex"' in as_grace.get(f"{at(corpus)}?from={recipe.pk}").content.decode()


def test_a_recogniser_of_the_other_recipe_that_was_emptied_is_gone(as_grace, corpus):
    contents = Contents(models=SMALL.models, presidio="1", spacy="1", patterns=(Pattern("corner", "A", "a+b"),))
    recipe, empty = keep_recipe(contents), dict.fromkeys(CORNER, "") | {"pattern-0-score": "0.5"}
    as_grace.post(f"{at(corpus)}?from={recipe.pk}", ASKED | empty | {"do": "start"})
    assert DetectionRun.objects.get().recipe.contents["patterns"] == []


def test_one_that_was_left_as_it_was_stays(as_grace, corpus):
    contents = Contents(models=SMALL.models, presidio="1", spacy="1", patterns=(Pattern("corner", "A", "a+b"),))
    same = {
        "pattern-0-name": "corner",
        "pattern-0-entity_type": "A",
        "pattern-0-regex": "a+b",
        "pattern-0-score": "0.5",
    }
    as_grace.post(f"{at(corpus)}?from={keep_recipe(contents).pk}", ASKED | same | {"do": "start"})
    assert DetectionRun.objects.get().recipe.contents["patterns"][0]["regex"] == "a+b"


# ── What is refused ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "name", "why"),
    [
        ({"name": ""}, "name", "Give the recipe a name"),
        ({"threshold": "2"}, "threshold", "less than or equal to 1"),
        ({"threshold": "nan"}, "threshold", "Enter a number"),
        (CORNER | {"pattern-0-regex": "(a"}, "pattern-0-regex", "cannot be read"),
        (CORNER | {"pattern-0-regex": ""}, "pattern-0-regex", "This field is required"),
        (CORNER | {"pattern-0-regex": "a*"}, "pattern-0-regex", "matches where nothing is written"),
        (CORNER | {"pattern-0-entity_type": "street"}, "pattern-0-entity_type", "capital letters"),
        (CORNER | {"pattern-0-score": "0"}, "pattern-0-score", "must be more than 0"),
        (CORNER | {"pattern-0-score": "lots"}, "pattern-0-score", "Enter a number"),
        (CORNER | {"pattern-0-context": "x" * 101}, "pattern-0-context", "longer than 100"),
        (BARS | {"list-0-words": " \n "}, "list-0-words", "required"),
        (BARS | {"list-0-words": "x" * 101}, "list-0-words", "longer than 100"),
        (BARS | {"list-0-name": ""}, "list-0-name", "required"),
        (CORNER | BARS | {"list-0-name": "corner"}, "list-0-name", "another of this name"),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_the_message_stands_at_the_field_and_nothing_typed_is_lost(as_grace, said, name, why, headers):
    corpus = make_corpus()
    typed = {"context": "kept words", "pattern-3-name": HOSTILE}
    response = post(as_grace, corpus, "start", typed, said, headers=headers)
    page = response.content.decode()
    assert response.status_code == 422
    assert why in field(page, name)
    assert 'aria-invalid="true"' in field(page, name)
    assert 'value="kept words"' in page
    assert HOSTILE not in page
    assert ("<html" in page) is (headers == {})
    assert not DetectionRun.objects.exists()


def test_without_entity_types_there_is_no_recipe(as_grace, corpus):
    response = post(as_grace, corpus, "start", {"entities": []})
    assert response.status_code == 422
    assert "This field is required" in response.content.decode()


def test_what_the_service_refuses_is_said_on_the_page(as_grace, corpus, monkeypatch):
    from annotator.detection.services import DetectionRefused

    def refuse(*args, **kwargs):
        raise DetectionRefused("The corpus is not complete yet.")

    monkeypatch.setattr("annotator.detection.services.start_run", refuse)
    response = post(as_grace, corpus, "start", CORNER)
    assert response.status_code == 422
    assert "The corpus is not complete yet." in response.content.decode()
    assert 'value="corner"' in response.content.decode()


# ── Trying ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_trial_shows_what_is_found_and_starts_nothing(as_grace, corpus, headers):
    page = post(as_grace, corpus, "try", {"name": ""}, CORNER, BARS, headers=headers).content.decode()
    for shown in (
        "Tried on 3 comments of 1 profile: 2 found", ">5th and 12th</mark>", ">JOE&#x27;S</mark>", "all of it is new",
        'value="corner"', "the Blue Kettle",
    ):  # fmt: skip
        assert shown in page
    assert not DetectionRun.objects.exists()


def test_a_trial_tells_what_no_run_has_found_before(corpus):
    first, second, _ = Comment.objects.order_by("pk")
    run = make_run(corpus, finished_at=timezone.now(), name="old")
    detect(run, first, "12th", "LOCATION")  # overlaps
    later = make_run(corpus)
    detect(later, second, "JOE'S", "PERSON")  # of a run that is not done
    trial = trial_of(corpus, _contents())
    assert trial.compared_with == run
    assert [(line.name, line.comments, line.found, line.new) for line in trial.lines] == [
        ("corner", 1, 1, 0), ("bars", 1, 1, 1),
    ]  # fmt: skip
    assert [(one.text, one.is_new) for one in trial.examples] == [("5th and 12th", False), ("JOE'S", True)]


def _contents(threshold: float = 0.0) -> Contents:
    return Contents(
        models=SMALL.models, presidio="1", spacy="1", threshold=threshold,
        patterns=(Pattern("corner", "STREET_CORNER", r"\d+th and \d+th", 0.3),),
        word_lists=(WordList("bars", "HANGOUT", ("the Blue Kettle", "Joe's")),),
    )  # fmt: skip


def test_what_scores_less_than_the_threshold_is_told(as_grace, corpus):
    assert [line.is_under_threshold for line in trial_of(corpus, _contents(0.31)).lines] == [True, False]
    page = post(as_grace, corpus, "try", CORNER, {"threshold": "0.9"}).content.decode()
    assert "scores less than the threshold" in page


def test_what_is_too_slow_is_stopped_and_told(as_grace, monkeypatch):
    monkeypatch.setattr("annotator.detection.queries.trial.SECONDS", 0.2)
    corpus = make_profile("a" * 4000 + "!", *["b"] * 9).corpus
    slow = CORNER | {"pattern-0-regex": r"(a|aa)+(b|bb)+c\1", "pattern-0-name": HOSTILE}
    page = post(as_grace, corpus, "try", slow).content.decode()
    assert "is too slow: it was stopped after" in page
    assert HOSTILE not in page


def test_a_trial_needs_something_to_try(as_grace, corpus):
    response = post(as_grace, corpus, "try")
    assert response.status_code == 422
    assert forms.NOTHING_TO_TRY in response.content.decode()


def test_the_sample_is_the_same_each_time_and_spread_over_profiles():
    corpus = make_corpus()
    for number in range(30):
        make_profile(*(f"5th and 12th {number} {n}" for n in range(20)), corpus=corpus)
    make_profile("5th and 12th elsewhere")
    one, same, other = (trial_of(corpus, _contents(), seed) for seed in (1, 1, 2))
    assert (one.comments, one.profiles, one.found) == (500, 30, 500)
    assert one.examples == same.examples
    assert {example.comment for example in one.examples} != {example.comment for example in other.examples}
    assert len(one.examples) == 15  # of 30, half for each of two recognisers


def test_one_large_profile_gives_the_whole_sample():
    corpus = make_profile(*["5th and 12th"] * 600).corpus
    assert trial_of(corpus, _contents()).comments == 500


def test_an_empty_corpus_can_be_tried_too():
    assert trial_of(make_corpus(), _contents()).comments == 0


@pytest.mark.parametrize("rows", [1, 30])
def test_query_count_of_a_trial_does_not_grow(as_grace, django_assert_num_queries, rows):
    corpus = make_corpus()
    for _ in range(rows):
        make_profile("5th and 12th", corpus=corpus)
        make_run(corpus, finished_at=timezone.now())
    as_grace.get("/corpora/")
    with django_assert_num_queries(5):  # person, corpus, sample, newest run, its detections
        assert post(as_grace, corpus, "try", CORNER).status_code == 200
    with django_assert_num_queries(2):
        as_grace.get(at(corpus))
