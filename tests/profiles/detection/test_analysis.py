"""One comment costs a bounded time, is set aside with its reason, and is never tried again beside others."""

import os
import signal
import time
from collections import Counter
from types import SimpleNamespace

import billiard
import pytest
import regex

from profiles.detection import analysis, isolation, limits
from profiles.detection.analysis import ISOLATED_FROM, analyse, analysers_for
from profiles.detection.isolation import Died, OutOfTime, run_isolated
from profiles.detection.limits import PatternClock, TimedPatterns, TooSlow
from profiles.detection.presidio import Analyser, default_contents
from profiles.detection.recipes import Pattern

HOUSTON = "My brother James moved to Houston last year."
NAMES = "Mary Smith José García Olga Ivanov Rajesh Patel Emma Johnson Wei Nakamura " * 1600  # about 119 kB


@pytest.fixture(scope="module")
def contents():
    return default_contents().with_custom(patterns=(Pattern("slow", "SLOW", r"(?:x+x+)+y", score=0.5),))


@pytest.fixture(scope="module")
def run(contents):
    """Analyse numbered texts by the real model."""
    analysers = analysers_for(contents)
    return lambda *texts: analyse(list(enumerate(texts)), contents, analysers)


def entity_types(outcome):
    return {(comment, span.entity_type) for comment, span in outcome.detections}


def test_a_text_that_keeps_the_model_for_long_is_set_aside(run, monkeypatch):
    monkeypatch.setattr(isolation, "CPU_SECONDS", 0.3)
    outcome = run(HOUSTON, NAMES, HOUSTON)
    assert entity_types(outcome) == {(0, "PERSON"), (0, "LOCATION"), (2, "PERSON"), (2, "LOCATION")}
    detail = analysis.TOOK_TOO_LONG.format(length=len(NAMES), seconds=0.3)
    assert outcome.unanalysed == [(1, "slow", detail)]


def test_a_long_text_is_analysed_like_any_other(run, contents):
    text = f"{HOUSTON} " * (ISOLATED_FROM // len(HOUSTON))
    assert len(text) >= ISOLATED_FROM
    [spans] = analysers_for(contents)["en"].analyse([text])
    assert run(text).detections == [(0, span) for span in spans]


def test_a_long_text_that_ends_its_process_leaves_the_worker_alone(run, monkeypatch):
    monkeypatch.setattr(Analyser, "detect", lambda self, screened: os.kill(os.getpid(), signal.SIGKILL))
    assert run("word " * ISOLATED_FROM).unanalysed == [(0, "ended", analysis.ENDED)]


def test_a_long_text_that_no_model_can_read(run):
    assert run("word " * ISOLATED_FROM + "\ud83d").unanalysed == [(0, "failed", "LoneSurrogate")]


def test_what_is_slow_or_unreadable_is_tried_once_even_if_another_one_fails(run, monkeypatch):
    """The model fails over one comment, so the others are halved: not the pattern's time, again and again."""
    monkeypatch.setattr(limits, "TIMEOUT", 0.2)
    screen, detect, screened = Analyser.screen, Analyser.detect, Counter()

    def count(self, text):
        screened[text] += 1
        return screen(self, text)

    def refuse(self, items):
        if any(item.text == "poison" for item in items):
            raise ValueError
        return detect(self, items)

    monkeypatch.setattr(Analyser, "screen", count)
    monkeypatch.setattr(Analyser, "detect", refuse)
    outcome = run(*[HOUSTON] * 6, "x" * 5000, "poison", "half \ud83d")
    assert set(screened.values()) == {6, 1}
    reasons = [(comment, str(reason)) for comment, reason, _ in outcome.unanalysed]
    assert sorted(reasons) == [(6, "slow"), (7, "failed"), (8, "failed")]
    assert {comment for comment, _ in outcome.detections} == set(range(6))


def test_the_time_is_for_all_patterns_of_a_recipe_together(monkeypatch):
    monkeypatch.setattr(limits, "TIMEOUT", 0.2)
    pattern = SimpleNamespace(regex=r"(?:x+x+)+y")
    recogniser = SimpleNamespace(name="slow", patterns=[pattern], global_regex_flags=0)
    timed, clock, began = TimedPatterns(recogniser, regex.compile), PatternClock(), time.process_time()
    for _ in range(20):
        with pytest.raises(TooSlow):
            timed.matches("x" * 5000, clock)
    assert time.process_time() - began < 1


def test_a_copy_that_waits_for_ever_is_ended(monkeypatch):
    monkeypatch.setattr(isolation, "WALL_SECONDS", 0.1)
    with pytest.raises(OutOfTime):
        run_isolated(lambda: time.sleep(30))


def test_a_copy_that_never_looks_at_signals_is_ended(monkeypatch):
    monkeypatch.setattr(isolation, "CPU_SECONDS", 0.1)
    with pytest.raises(OutOfTime):
        run_isolated(lambda: 7 ** (10**8))  # one call into compiled code, for minutes


def test_a_copy_that_ends_in_the_middle_of_its_answer():
    with pytest.raises(Died):
        run_isolated(lambda: os._exit(3))
    assert run_isolated(lambda: ["x" * 1_000_000]) == ["x" * 1_000_000]


def test_a_pool_process_of_celery_can_isolate_work():
    with billiard.Pool(1) as pool:
        assert pool.apply(_isolate_in_pool) == 42


def _isolate_in_pool():
    return run_isolated(lambda: 42)
