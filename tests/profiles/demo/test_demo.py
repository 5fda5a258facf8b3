"""The demo corpus: its size, spread, planted answers, and the same text everywhere."""

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest

from profiles.attributes import Attribute
from profiles.demo.filler import themes_by_subreddit
from profiles.demo.generator import generate
from profiles.demo.marks import ATTRIBUTES, Clue, extract_clues
from profiles.demo.personas import load_personas
from profiles.demo.records import DemoAnswer, DemoComment, DemoProfile
from profiles.demo.templates import expand, load_themes
from profiles.demo.times import is_anachronistic

ROOT = Path(__file__).parents[3]
CLOSED = {
    "sex": {"male", "female"},
    "marital_status": {"no relation", "relation", "married", "divorced"},
    "income": {"no", "low", "medium", "high", "very high"},
    "education": {"no hs", "in hs", "hs", "in college", "college", "phd"},
}
AGE = re.compile(r"(\d{2,3})(?:-(\d{2,3}))?")
HARDNESS = range(1, 6)
GIANT = 5000


@pytest.fixture(scope="module")
def corpus() -> list[DemoProfile]:
    return generate()


@pytest.fixture(scope="module")
def comments(corpus: list[DemoProfile]) -> list[DemoComment]:
    return [comment for profile in corpus for comment in profile.comments]


@pytest.fixture(scope="module")
def answers(corpus: list[DemoProfile]) -> list[DemoAnswer]:
    return [answer for profile in corpus for answer in profile.answers]


def test_attributes_are_those_of_the_study():
    assert list(ATTRIBUTES) == Attribute.values


def test_has_many_profiles_with_many_comments(corpus: list[DemoProfile]) -> None:
    ordinary = [profile for profile in corpus if len(profile.comments) != GIANT]
    assert len(corpus) >= 64
    assert len({profile.account for profile in corpus}) == len(corpus)
    assert sum(len(profile.comments) for profile in ordinary) > 3000
    assert all(25 <= len(profile.comments) <= 90 for profile in ordinary)


def test_has_exactly_one_giant(corpus: list[DemoProfile]) -> None:
    assert sum(len(profile.comments) == GIANT for profile in corpus) == 1


def test_has_profiles_with_nothing_to_find(corpus: list[DemoProfile]) -> None:
    assert sum(not profile.answers for profile in corpus) >= 6


def test_spreads_over_many_subreddits(comments: list[DemoComment]) -> None:
    assert len({comment.subreddit for comment in comments}) >= 60


def test_stays_between_2012_and_2015_in_utc(comments: list[DemoComment]) -> None:
    assert all(comment.written_at.utcoffset() == timedelta(0) for comment in comments)
    assert min(comment.written_at for comment in comments) >= datetime(2012, 1, 1, tzinfo=UTC)
    assert max(comment.written_at for comment in comments) < datetime(2016, 1, 1, tzinfo=UTC)
    assert {comment.written_at.year for comment in comments} == {2012, 2013, 2014, 2015}


def test_ids_are_unique_and_grow_with_time(comments: list[DemoComment]) -> None:
    in_order = sorted(comments, key=lambda comment: comment.reddit_id)
    times = [comment.written_at for comment in in_order]
    assert times == sorted(times)
    assert len({comment.reddit_id for comment in comments}) == len(comments)
    assert all(re.fullmatch(r"c[0-9a-z]{6}", comment.reddit_id) for comment in comments)


def test_comments_of_a_profile_stand_in_order(corpus: list[DemoProfile]) -> None:
    for profile in corpus:
        times = [comment.written_at for comment in profile.comments]
        assert times == sorted(times)


def test_plants_each_cell_of_the_grid(answers: list[DemoAnswer]) -> None:
    planted = Counter((answer.attribute, answer.hardness) for answer in answers)
    assert [cell for cell in product(ATTRIBUTES, HARDNESS) if planted[cell] < 2] == []


def test_ratings_are_from_one_to_five(answers: list[DemoAnswer]) -> None:
    assert {answer.hardness for answer in answers} == set(HARDNESS)
    assert {answer.certainty for answer in answers} == set(HARDNESS)
    assert sum(answer.required_subreddit for answer in answers) >= 6


def test_an_attribute_is_answered_once_per_profile(corpus: list[DemoProfile]) -> None:
    for profile in corpus:
        attributes = [answer.attribute for answer in profile.answers]
        assert attributes == sorted(set(attributes), key=ATTRIBUTES.index), profile.account


def test_values_follow_their_grammar(answers: list[DemoAnswer]) -> None:
    for answer in answers:
        assert answer.value == answer.value.strip().lower() != ""
        assert answer.value in CLOSED.get(answer.attribute, {answer.value})
        assert answer.why.endswith(".")


def test_ages_are_points_or_ranges(answers: list[DemoAnswer]) -> None:
    for answer in [answer for answer in answers if answer.attribute == "age"]:
        match = AGE.fullmatch(answer.value)
        assert match is not None
        assert 10 <= int(match[1]) <= int(match[2] or match[1]) <= 110


def test_places_are_spelled_from_small_to_large(answers: list[DemoAnswer]) -> None:
    for answer in [a for a in answers if a.attribute in {"location", "place_of_birth"}]:
        parts = answer.value.split(" / ")
        assert 1 <= len(parts) <= 3
        assert all(part == part.strip() and "/" not in part for part in parts)


def test_evidence_lies_inside_the_profiles_own_comments(corpus: list[DemoProfile]) -> None:
    for profile in corpus:
        bodies = {comment.reddit_id: comment.body for comment in profile.comments}
        for answer in profile.answers:
            assert answer.evidence
            for span in answer.evidence:
                clue = bodies[span.comment_id][span.start : span.end]
                assert len(clue) == span.end - span.start > 0
                assert clue == clue.strip()


def test_evidence_is_the_text_that_was_marked(corpus: list[DemoProfile]) -> None:
    profile = next(profile for profile in corpus if profile.account == "wooder_ice_kev")
    bodies = {comment.reddit_id: comment.body for comment in profile.comments}
    age = next(answer for answer in profile.answers if answer.attribute == "age")
    clues = [bodies[span.comment_id][span.start : span.end] for span in age.evidence]
    assert clues == ["17 and still cant parallel park", "im 19"]


def test_speaks_several_languages(comments: list[DemoComment]) -> None:
    languages = Counter(comment.language for comment in comments)
    assert {"de", "es", "fr", "pt", "nl"} <= set(languages)
    assert sum(languages.values()) - languages["en"] >= 50


def test_has_long_comments_quotes_links_and_astral_characters(comments: list[DemoComment]) -> None:
    bodies = [comment.body for comment in comments]
    assert sum(1500 <= len(body) <= 6000 for body in bodies) >= 10
    assert sum(body.startswith(("&gt; ", "> ")) for body in bodies) >= 10
    assert sum("http://" in body for body in bodies) >= 10
    assert sum(any(ord(letter) > 0xFFFF for letter in body) for body in bodies) >= 5


def test_contacts_are_fictional(comments: list[DemoComment]) -> None:
    text = "\n".join(comment.body for comment in comments)
    emails = re.findall(r"[\w.]+@([\w.]+\w)", text)
    phones = re.findall(r"\(?\d{3}\)?[ -]\d{3}-\d{4}", text)
    assert len(emails) >= 4
    assert set(emails) <= {"example.com", "example.org", "example.net"}
    assert len(phones) >= 5
    assert all(re.search(r"555-01\d\d$", phone) for phone in phones)


def test_hardly_repeats_itself(comments: list[DemoComment]) -> None:
    bodies = Counter(comment.body for comment in comments)
    assert len(comments) - len(bodies) < len(comments) / 100


def test_no_template_syntax_is_left(comments: list[DemoComment]) -> None:
    leftovers = [c.body for c in comments if re.search(r"[{}]|\[\[|\]\]|\x00", c.body) or not c.body.strip()]
    assert leftovers == []


def test_every_subreddit_has_a_theme_that_exists() -> None:
    named = {name for persona in load_personas() for name in persona.subreddits}
    assert named <= set(themes_by_subreddit())
    themes = set(load_themes())
    assert {line.split(" = ")[0] for line in _map_lines()} <= themes


def _map_lines() -> list[str]:
    text = (ROOT / "profiles/demo/subreddits.toml").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if " = " in line]


def test_is_the_same_in_every_process() -> None:
    assert _hash_in_process("1") == _hash_in_process("2")


def _hash_in_process(hash_seed: str) -> str:
    code = "from profiles.demo.generator import generate; print(repr(generate()))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        check=True,
    )
    return hashlib.sha256(ran.stdout).hexdigest()


def test_another_seed_gives_other_filler_and_the_same_answers() -> None:
    ours, other = generate(2012), generate(2013)
    assert ours != other
    assert [[a.value for a in p.answers] for p in ours] == [[a.value for a in p.answers] for p in other]


def test_extracts_clues_with_their_spans() -> None:
    body, clues = extract_clues("so [[sex,age:🙂 as a lad]] of [[age:19]]")
    assert body == "so 🙂 as a lad of 19"
    assert clues == (Clue(3, 13, "sex"), Clue(3, 13, "age"), Clue(17, 19, "age"))


def test_expands_from_the_inside_out() -> None:
    class First:
        def choice(self, options: list[str] | tuple[str, ...]) -> str:
            return options[0]

    slots = {"pet": ("{old|young} dog",)}
    assert expand("{my {pet}|a cat}{!|}", slots, First()) == "my old dog!"  # type: ignore[arg-type]


def test_filler_is_not_anachronistic(comments: list[DemoComment]) -> None:
    assert is_anachronistic("still waiting for the PS4", date(2013, 11, 14))
    assert not is_anachronistic("still waiting for the PS4", date(2013, 11, 15))
    assert [c.body for c in comments if is_anachronistic(c.body, c.written_at.date())] == []


def test_a_profile_uses_long_filler_once(corpus: list[DemoProfile]) -> None:
    giant = max(corpus, key=lambda profile: len(profile.comments))
    endings = Counter(comment.body[-25:] for comment in giant.comments if len(comment.body) > 800)
    assert max(endings.values()) == 1
