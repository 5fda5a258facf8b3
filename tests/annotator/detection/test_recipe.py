"""The recipe page: write a recipe, try it on a sample, start a run."""

import pytest
from django.utils import timezone

from annotator.detection import forms
from annotator.detection.forms import RecipeForms
from annotator.detection.queries.models import available_models, starting_contents
from annotator.detection.queries.trial import run_trial
from annotator.detection.views.recipe import RECIPE_EXISTS
from annotator.detection.views.runs import STARTED
from profiles.detection.recipes import Contents, Model, Pattern, WordList, get_or_create_recipe
from profiles.models import Comment, DetectionRun
from tests.annotator.corpora.hint_lists import messages_of
from tests.annotator.detection.runs import SMALL, detect, make_run
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
HOSTILE = "<script>alert(1)</script>"
RECIPE_FORM = {"name": "corners", "threshold": "0.2", "entities": ["PERSON", "LOCATION"], "context": "home, house"}
CORNER = {
    "pattern-0-name": "corner", "pattern-0-entity_type": "STREET_CORNER", "pattern-0-regex": r"\d+th and \d+th",
    "pattern-0-score": "0.6", "pattern-0-context": "near",
}  # fmt: skip
BARS = {"list-0-name": "bars", "list-0-entity_type": "HANGOUT", "list-0-words": "the Blue Kettle\nJoe's"}


@pytest.fixture(autouse=True)
def _no_workers_called(monkeypatch):
    monkeypatch.setattr("annotator.detection.tasks.plan_detection.delay", lambda *args: None)


@pytest.fixture
def corpus():
    return make_profile("I live near 5th and 12th", "see you at JOE'S", "nothing here").corpus


def recipe_url(corpus) -> str:
    return f"/corpora/{corpus.pk}/detection/recipe/"


def post(client, corpus, do: str, *changes: dict, **kwargs):
    data = {"do": do}
    for fields in (RECIPE_FORM, *changes):
        data |= fields
    return client.post(recipe_url(corpus), data, **kwargs)


def field(page: str, name: str) -> str:
    """The HTML of the input with its help and errors."""
    return page.partition(f'name="{name}"')[2].partition('<div class="field">')[0]


# ── Who ─────────────────────────────────────────────────────────────────────


def test_only_admins_write_recipes(client, ada, rosalind, corpus):
    assert client.get(recipe_url(corpus))["Location"].startswith("/account/login/")
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        assert client.get(recipe_url(corpus)).status_code == 404
        assert post(client, corpus, "start").status_code == 404
    assert not DetectionRun.objects.exists()


# ── Starting from something ─────────────────────────────────────────────────


def test_starts_from_the_default(as_grace, corpus):
    page = as_grace.get(recipe_url(corpus)).content.decode()
    assert available_models().names[0] in page
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
    page = as_grace.get(f"{recipe_url(corpus)}?from={get_or_create_recipe(contents).pk}").content.decode()
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
    start = starting_contents(default, old, (large, small))
    assert (start.models, start.presidio, start.spacy, start.threshold) == ((small,), "2", "3", 0.4)
    assert starting_contents(default, old, (large,)).models == (large,)


def test_a_model_is_asked_for_only_where_there_is_a_choice():
    small, large = Model("en", "small", "1"), Model("en", "large", "2")
    start = Contents(models=(large, Model("de", "klein", "1")), presidio="2", spacy="3")
    fixed = RecipeForms(RECIPE_FORM, start, (large,))
    assert "model" not in fixed.recipe.fields
    choice = RecipeForms(RECIPE_FORM | {"model": "small"}, start, (large, small))
    assert choice.is_valid(action="start")
    assert choice.contents.models == (small, Model("de", "klein", "1"))
    assert not RecipeForms(RECIPE_FORM | {"model": "other"}, start, (large, small)).is_valid(action="start")


# ── Starting a run ──────────────────────────────────────────────────────────


def test_starts_a_run_by_what_was_written(as_grace, corpus):
    response = post(as_grace, corpus, "start", CORNER, BARS, follow=True)
    run = DetectionRun.objects.get()
    assert STARTED in messages_of(response)
    assert response.redirect_chain == [(f"/corpora/{corpus.pk}/detection/{run.pk}/", 302)]
    contents = Contents.from_json(run.recipe.contents)
    assert run.recipe.name == "corners"
    assert (contents.threshold, contents.entities, contents.context) == (0.2, ("PERSON", "LOCATION"), ("home", "house"))
    assert contents.patterns == (Pattern("corner", "STREET_CORNER", r"\d+th and \d+th", 0.6, ("near",)),)
    assert contents.word_lists == (WordList("bars", "HANGOUT", ("the Blue Kettle", "Joe's")),)
    assert contents.models == available_models().contents.models


def test_starting_the_same_twice_makes_one_run(as_grace, corpus):
    for _ in range(2):
        post(as_grace, corpus, "start", CORNER)
    assert DetectionRun.objects.count() == 1


@pytest.mark.parametrize("changes", [{"name": "other words"}, {"threshold": "0.3"}], ids=["contents", "name"])
def test_contents_or_a_name_that_are_there_already_are_told(as_grace, corpus, changes):
    post(as_grace, corpus, "start", CORNER)
    response = post(as_grace, corpus, "start", CORNER, changes, follow=True)
    assert RECIPE_EXISTS.partition("{}")[0] + "corners" in messages_of(response)


def test_a_recipe_with_more_recognisers_than_usual_loses_none(as_grace, corpus):
    many = tuple(Pattern(f"p{n}", "A", "a+b") for n in range(7))
    recipe = get_or_create_recipe(Contents(models=SMALL.models, presidio="1", spacy="1", patterns=many))
    assert 'name="pattern-6-regex"' in as_grace.get(f"{recipe_url(corpus)}?from={recipe.pk}").content.decode()


def test_a_recogniser_of_the_other_recipe_that_was_emptied_is_gone(as_grace, corpus):
    contents = Contents(models=SMALL.models, presidio="1", spacy="1", patterns=(Pattern("corner", "A", "a+b"),))
    recipe, empty = get_or_create_recipe(contents), dict.fromkeys(CORNER, "") | {"pattern-0-score": "0.5"}
    as_grace.post(f"{recipe_url(corpus)}?from={recipe.pk}", RECIPE_FORM | empty | {"do": "start"})
    assert DetectionRun.objects.get().recipe.contents["patterns"] == []


def test_one_that_was_left_as_it_was_stays(as_grace, corpus):
    contents = Contents(models=SMALL.models, presidio="1", spacy="1", patterns=(Pattern("corner", "A", "a+b"),))
    same = {
        "pattern-0-name": "corner",
        "pattern-0-entity_type": "A",
        "pattern-0-regex": "a+b",
        "pattern-0-score": "0.5",
    }
    as_grace.post(
        f"{recipe_url(corpus)}?from={get_or_create_recipe(contents).pk}", RECIPE_FORM | same | {"do": "start"}
    )
    assert DetectionRun.objects.get().recipe.contents["patterns"][0]["regex"] == "a+b"


# ── What is refused ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"name": ""}, "name"),
        ({"threshold": "2"}, "threshold"),
        ({"threshold": "nan"}, "threshold"),
        (CORNER | {"pattern-0-regex": "(a"}, "pattern-0-regex"),
        (CORNER | {"pattern-0-regex": ""}, "pattern-0-regex"),
        (CORNER | {"pattern-0-regex": "a*"}, "pattern-0-regex"),
        (CORNER | {"pattern-0-entity_type": "street"}, "pattern-0-entity_type"),
        (CORNER | {"pattern-0-score": "0"}, "pattern-0-score"),
        (CORNER | {"pattern-0-score": "lots"}, "pattern-0-score"),
        (CORNER | {"pattern-0-context": "x" * 101}, "pattern-0-context"),
        (BARS | {"list-0-words": " \n "}, "list-0-words"),
        (BARS | {"list-0-words": "x" * 101}, "list-0-words"),
        (BARS | {"list-0-name": ""}, "list-0-name"),
        (CORNER | BARS | {"list-0-name": "corner"}, "list-0-name"),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_the_message_stands_at_the_field_and_nothing_typed_is_lost(as_grace, changes, name, headers):
    corpus = make_corpus()
    typed = {"context": "kept words", "pattern-3-name": HOSTILE}
    response = post(as_grace, corpus, "start", typed, changes, headers=headers)
    page = response.content.decode()
    assert response.status_code == 422
    assert 'class="errorlist"' in field(page, name)
    assert 'aria-invalid="true"' in field(page, name)
    assert 'value="kept words"' in page
    assert HOSTILE not in page
    assert ("<html" in page) is (headers == {})
    assert not DetectionRun.objects.exists()


def test_without_entity_types_there_is_no_recipe(as_grace, corpus):
    response = post(as_grace, corpus, "start", {"entities": []})
    assert response.status_code == 422
    assert "entities" in response.context["forms"].recipe.errors


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
    response = post(as_grace, corpus, "try", {"name": ""}, CORNER, BARS, headers=headers)
    page, trial = response.content.decode(), response.context["trial"]
    assert (trial.comments, trial.profiles, trial.matches, trial.new) == (3, 1, 2, 2)
    for shown in (
        ">5th and 12th</mark>", ">JOE&#x27;S</mark>",
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
    trial = run_trial(corpus, _contents())
    assert trial.compared_with == run
    assert [(line.name, line.comments, line.matches, line.new) for line in trial.lines] == [
        ("corner", 1, 1, 0), ("bars", 1, 1, 1),
    ]  # fmt: skip
    assert [(span.text, span.is_new) for span in trial.examples] == [("5th and 12th", False), ("JOE'S", True)]


def _contents(threshold: float = 0.0) -> Contents:
    return Contents(
        models=SMALL.models, presidio="1", spacy="1", threshold=threshold,
        patterns=(Pattern("corner", "STREET_CORNER", r"\d+th and \d+th", 0.3),),
        word_lists=(WordList("bars", "HANGOUT", ("the Blue Kettle", "Joe's")),),
    )  # fmt: skip


def test_what_scores_less_than_the_threshold_is_told(as_grace, corpus):
    assert [line.is_under_threshold for line in run_trial(corpus, _contents(0.31)).lines] == [True, False]
    page = post(as_grace, corpus, "try", CORNER, {"threshold": "0.9"}).content.decode()
    assert "message-warning" in page


def test_what_is_too_slow_is_stopped_and_told(as_grace, monkeypatch):
    monkeypatch.setattr("annotator.detection.queries.trial.SECONDS", 0.2)
    corpus = make_profile("a" * 4000 + "!", *["b"] * 9).corpus
    slow = CORNER | {"pattern-0-regex": r"(a|aa)+(b|bb)+c\1", "pattern-0-name": HOSTILE}
    response = post(as_grace, corpus, "try", slow)
    page = response.content.decode()
    assert response.context["trial"].lines[0].is_too_slow
    assert "message-error" in page
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
    first, same, other = (run_trial(corpus, _contents(), seed) for seed in (1, 1, 2))
    assert (first.comments, first.profiles, first.matches) == (500, 30, 500)
    assert first.examples == same.examples
    assert {example.comment for example in first.examples} != {example.comment for example in other.examples}
    assert len(first.examples) == 15  # of 30, half for each of two recognisers


def test_one_large_profile_gives_the_whole_sample():
    corpus = make_profile(*["5th and 12th"] * 600).corpus
    assert run_trial(corpus, _contents()).comments == 500


def test_an_empty_corpus_can_be_tried_too():
    assert run_trial(make_corpus(), _contents()).comments == 0


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
        as_grace.get(recipe_url(corpus))
