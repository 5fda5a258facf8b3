"""The quick analysis detects exactly what Presidio detects, on comments made to trip it up."""

import multiprocessing
import os
import subprocess
import sys
from dataclasses import astuple
from random import Random

import pytest
from phonenumbers import PhoneNumberMatcher
from thinc.api import NumpyOps

from profiles.detection import pipeline
from profiles.detection.limits import ENDLESS_WORD
from profiles.detection.phones import contains_number
from profiles.detection.presidio import Analyser, TooSlow, default_contents, model_for
from profiles.detection.recipes import ENTITIES
from profiles.spans import EntitySpan
from tests.profiles.detection.awkward_comments import comments


@pytest.fixture(scope="module")
def analyser() -> Analyser:
    return Analyser(default_contents())


@pytest.fixture(scope="module")
def presidio():
    """Stock Presidio: nothing of ours but the name of the model."""
    from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "en", "model_name": model_for("en").name}]
    configuration = NlpEngineProvider().nlp_configuration | {"models": models}
    engine = NlpEngineProvider(nlp_configuration=configuration).create_engine()
    return BatchAnalyzerEngine(AnalyzerEngine(nlp_engine=engine))


def differences(texts: list[str], quick: list[list[EntitySpan]], plain: list[list[EntitySpan]]) -> list[object]:
    return [(text, ours, theirs) for text, ours, theirs in zip(texts, quick, plain, strict=True) if ours != theirs]


@pytest.mark.long
def test_finds_what_presidio_finds(analyser, presidio):
    texts = comments()
    assert len(set(texts)) >= 2000
    finder = analyser.entity_finder
    finder.texts = finder.parsed = finder.repeated = 0
    quick = [spans for at in range(0, len(texts), 256) for spans in analyser.analyse(texts[at : at + 256])]
    theirs = presidio.analyze_iterator(texts, "en", batch_size=64, entities=list(ENTITIES))
    plain = [
        sorted((EntitySpan(r.start, r.end, r.entity_type, r.score) for r in results), key=astuple) for results in theirs
    ]
    assert differences(texts, quick, plain) == []
    assert {span.entity_type for spans in quick for span in spans} == set(ENTITIES)
    assert {span.score for spans in quick for span in spans if span.entity_type == "PHONE_NUMBER"} == {0.4, 0.75}
    assert 0 < finder.repeated < finder.parsed < finder.texts < len(texts)


def test_the_plain_analysis_agrees(analyser):
    texts = comments()[::15]
    assert differences(texts, analyser.analyse(texts), [analyser.analyse_plainly(text) for text in texts]) == []


def test_an_entity_does_not_cross_into_the_next_sentence(analyser):
    """The recogniser alone would go on: only the parser knows that a sentence begins there."""
    text = next(text for text in comments() if _repeats(analyser, text))
    alone = analyser.nlp.get_pipe("ner")(analyser.nlp.make_doc(text))
    whole = analyser.nlp(text)
    assert [str(entity) for entity in alone.ents] != [str(entity) for entity in whole.ents]
    assert analyser.analyse([text]) == [analyser.analyse_plainly(text)]


def _repeats(analyser, text: str) -> bool:
    before = analyser.entity_finder.repeated
    analyser.analyse([text])
    return bool(analyser.entity_finder.repeated > before)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "John Smith went to Paris with 3 friends. " * 2440, id="100,000 characters", marks=pytest.mark.long
        ),
        pytest.param("JohnSmithwenttoPariswithfriends" * 3226, id="100,000 without a space"),
        pytest.param("1234567 " * 1000, id="digits"),
    ],
)
def test_a_long_comment(analyser, text):
    assert analyser.analyse([text]) == [analyser.analyse_plainly(text)]


def test_refuses_what_would_keep_a_worker_for_half_an_hour(analyser):
    for analyse in (analyser.analyse_plainly, lambda text: analyser.analyse(["fine", text])):
        with pytest.raises(TooSlow, match=ENDLESS_WORD.format(length=100_000, marks=100_000)):
            analyse("😀" * 100_000)


def test_no_number_is_too_short_for_the_phone_matcher():
    """Where the matcher is skipped, it finds nothing: short numbers are valid in Germany, for example."""
    countries, numbers = ("US", "GB", "DE", "FR", "IL", "IN", "CA", "BR"), Random(4)  # noqa: S311
    texts = ["".join(numbers.choices("0123456789 -/x+", k=length)) for length in range(4, 14) for _ in range(300)]
    expected = [
        any(PhoneNumberMatcher(text, country, leniency=1).has_next() for country in countries) for text in texts
    ]
    assert [contains_number(text, countries, 1) for text in texts] == expected
    short = [text for text, is_number in zip(texts, expected, strict=True) if is_number and digits(text) < 7]
    assert short


def digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def test_positions_are_code_points(analyser):
    text = "👨‍👩‍👧‍👦🇫🇷 שלום Barack Obama"
    spans = analyser.analyse([text])[0]
    assert [(span.entity_type, span.text_of(text)) for span in spans] == [("PERSON", "Barack Obama")]


def test_empty_texts_have_no_detections(analyser):
    assert analyser.analyse([]) == []
    assert analyser.analyse(["", " ", "\x00"]) == [[], [], []]


def test_keeps_the_order_of_the_texts(analyser):
    texts = ["Call 212-736-5000", "I am in Paris.", "a@example.com", "Nothing.", "Call 212-736-5001 in Rome."]
    types = [[span.entity_type for span in spans] for spans in analyser.analyse(texts)]
    assert types == [["PHONE_NUMBER"], ["LOCATION"], ["EMAIL_ADDRESS"], [], ["PHONE_NUMBER", "LOCATION"]]


def test_forgets_rare_words(analyser, monkeypatch):
    """Otherwise a worker that reads fifty million comments keeps every misspelling of them."""
    monkeypatch.setattr(pipeline, "KEPT_VOCABULARY", 0)
    before = len(analyser.nlp.vocab.strings)
    texts = [f"Qwx{number}zz met Barack Obama in P{number}aris, call 212-736-5000" for number in range(50)]
    for _ in range(2):
        assert differences(texts, analyser.analyse(texts), [analyser.analyse_plainly(text) for text in texts]) == []
    assert len(analyser.nlp.vocab.strings) == before


def test_the_model_is_reloaded_now_and_then(monkeypatch):
    analyser = Analyser(default_contents())
    first, text = analyser.nlp, "Barack Obama, a@example.com, call 212-736-5000"
    spans = analyser.analyse([text])
    assert analyser.nlp is first
    monkeypatch.setattr(pipeline, "MAX_VOCABULARY", 0)
    assert analyser.analyse([text]) == spans
    assert analyser.nlp is not first


def test_goes_on_after_a_failure(analyser, monkeypatch):
    """An exception that leaves spaCy's memory zone would break it."""
    monkeypatch.setattr(pipeline, "KEPT_VOCABULARY", 0)
    for number in range(20):
        with pytest.raises(ZeroDivisionError):
            _fail_over(analyser, f"Unheard{number}of words{number}")
    assert analyser.analyse(["Unheard1of Barack Obama"]) == [analyser.analyse_plainly("Unheard1of Barack Obama")]


def _fail_over(analyser: Analyser, text: str) -> None:
    with pipeline.bounded_vocabulary(analyser.nlp):
        analyser.nlp(text)
        raise ZeroDivisionError


def test_layers_use_numpy_for_their_products(analyser):
    """Layers take the operations that are current when the model is loaded; spaCy might choose others one day.

    It does so for the last layer of parser and recogniser, whose product it calculates in C.
    """
    models = [pipe.model for _, pipe in analyser.nlp.pipeline if hasattr(getattr(pipe, "model", None), "walk")]
    nodes = [node for model in models for node in model.walk()]
    assert {type(node.ops) for node in nodes} == {NumpyOps}
    assert [node.name for node in nodes if node.ops.use_blis] == ["linear"] * 2
    assert len(nodes) > 100


ONE_CORE = """
import time, django
django.setup()
from profiles.detection.presidio import Analyser, default_contents
from tests.profiles.detection.awkward_comments import comments
analyser = Analyser(default_contents())
began, own = time.process_time(), time.thread_time()
analyser.analyse(comments()[:200])
print((time.process_time() - began) / (time.thread_time() - own))
"""


def test_uses_one_core():
    """Workers are processes: threads of one would take the cores of the others."""
    fresh = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", ONE_CORE], capture_output=True, text=True, check=True, env=fresh)
    assert float(done.stdout.split()[-1]) < 1.2


def test_works_in_a_forked_process(analyser):
    """Celery forks its workers."""
    fork, text = multiprocessing.get_context("fork"), "Barack Obama, Paris, a@example.com, call 212-736-5000"
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: there.send(analyser.analyse([text])))
    child.start()
    assert here.poll(30)
    assert here.recv() == analyser.analyse([text])
    child.join()
