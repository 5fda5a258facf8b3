"""The language of a comment, if it is clear."""

import time

import pytest

from profiles.demo.templates import load_themes
from profiles.detection.languages import detect_language
from tests.profiles.detection.other_languages import ALL, LATIN, OTHER_SCRIPTS

ENGLISH = [
    "",
    "   \n",
    "ok",
    "Angela Merkel",
    "Los Angeles, San Francisco, Las Vegas and Santa Maria de la Cruz del Norte",
    "lol idk tbh ngl thats lowkey bussin fr fr no cap",
    "omg i cant even rn, u guys r hilarious, brb gonna go cry in the car",
    "😂😂😂😂😂 🔥🔥",
    "ಠ_ಠ ಠ_ಠ ಠ_ಠ ಠ_ಠ ಠ_ಠ",
    "¯\\_(ツ)_/¯ (╯°□°)╯︵ ┻━┻",
    "la la la la la la la la la",
    "C'est la vie, as they say.",
    "There is a certain je ne sais quoi about the place.",
    "def total(items): return sum(item.price for item in items if item is not None)",
    "SELECT den, des, der FROM die WHERE das = 3 AND und = 4;",
    "und https://de.wikipedia.org/wiki/Das_ist_nicht_die_Frage_aber_wir_haben_auch_eine",
    "He said «я не знаю, что с этим делать» and left the room without another word.",
    "My grandmother used to say „man soll den Tag nicht vor dem Abend loben“, which means do not praise it too early.",
    "привет",
    "яяяяяяяяяяяяяяяяя",
    "a\x00b \ud800 c",
]


@pytest.mark.parametrize("text", ENGLISH, ids=range(len(ENGLISH)))
def test_english_short_mixed_or_no_language_is_as_expected(text):
    assert detect_language(text) == "en"


def test_filler_in_english_is_english():
    texts = [text for theme in load_themes().values() if theme.language == "en" for text in theme.comments]
    assert [text for text in texts if detect_language(text) != "en"] == []


def test_sentences_in_other_languages_are_not_taken_for_english():
    missed = [(code, text) for code, text in ALL if detect_language(text) == "en"]
    assert len(missed) <= 0.05 * len(ALL), missed


@pytest.mark.parametrize("code", [*LATIN, *OTHER_SCRIPTS])
def test_no_language_is_left_out(code):
    named = [detect_language(text) for text in (LATIN | OTHER_SCRIPTS)[code]]
    assert named.count("en") <= 1
    assert named.count(code) > len(named) / 2


@pytest.mark.parametrize(
    ("text", "expected", "language"),
    [
        ("Ich habe das gestern auch probiert, aber es hat leider nicht funktioniert.", "de", "de"),
        ("I tried that yesterday as well, but unfortunately it would not work for me.", "de", "en"),
        ("I tried that yesterday as well, but unfortunately it would not work for me.", "ja", "en"),
        ("Я вчера весь день пытался это починить, но ничего не получилось.", "ru", "ru"),
        ("Я вчора весь день намагався це полагодити, але нічого не вийшло.", "uk", "uk"),
        ("昨日一日中直そうとしたけど、うまくいきませんでした。", "zh", "ja"),
        ("我昨天修了一整天，可惜还是没有修好，真让人生气。", "ja", "zh"),
        ("", "xx1", "xx1"),
    ],
)
def test_expects_the_language_of_the_model(text, expected, language):
    assert detect_language(text, expected) == language


@pytest.mark.parametrize("text", ["x" * 100_000 + " @", "@" * 100_000, "de " * 33_000, "я" * 100_000, "//" * 50_000])
def test_a_giant_comment_takes_no_time(text):
    detect_language("once, so that the words are there")
    began = time.perf_counter()
    assert detect_language(text) == "en"
    assert time.perf_counter() - began < 0.5
