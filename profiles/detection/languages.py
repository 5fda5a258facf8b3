"""Detect whether a comment is clearly in another language than its model. If in doubt, it is not."""

import re
from collections import Counter, defaultdict
from functools import cache
from importlib import import_module
from operator import itemgetter

# Languages in Latin letters, distinguished by the function words that spaCy ships.
LATIN = "en de fr es pt it nl sv da nb fi pl cs ro tr id".split()

# The language we report for a script, others that use it, and its letters.
SCRIPTS = (
    ("ja", "", "\u3041-\u30ff"),  # before Chinese: Japanese is written with both
    ("zh", "", "\u4e00-\u9fff"),
    ("ru", "be bg kk ky mk mn sr tg tt uk", "\u0400-\u052f"),
    ("el", "grc", "\u0370-\u03ff\u1f00-\u1fff"),
    ("ar", "fa ku ps sd ug ur", "\u0620-\u06ff"),
    ("he", "yi", "\u05d0-\u05f2"),
    ("ko", "", "\u1100-\u11ff\uac00-\ud7a3"),
    ("th", "", "\u0e01-\u0e4e"),
    ("hi", "mr ne sa", "\u0900-\u097f"),
)
SCRIPT_FAMILIES = [(code, {code, *others.split()}, re.compile(f"[{letters}]")) for code, others, letters in SCRIPTS]
OTHER_LETTER = re.compile(f"[{''.join(letters for _, _, letters in SCRIPTS)}]")
LATIN_LETTER = re.compile("[a-zA-Z\u00c0-\u024f]")
WORD = re.compile(r"[^\W\d_]{2,}")
URL_OR_EMAIL = re.compile(r"(?://|www\.|@)\S*")

# Function words of other languages that also occur in English: as words, in names, or before an apostrophe.
AMBIGUOUS_WORDS = frozenset(
    "ad ah ai alt bag biz bland car care casa cat certain co com come comment de del des die dies different dig "
    "diverse dog dont door eh el em email en end era eras etc exact face fi final fine fire folk god ha haha hi hit "
    "im inclusive io la land las later le les like local logo los male man men mere met mit mod mon multi nah net nice "
    "non ok op os pan pe plus possible pot press pro pure relative sans se sea sex solo state stop store suit tag tale "
    "tend til till total um un ur usa van ve vi von want war ya zero".split()
)


def detect_language(text: str, expected: str = "en") -> str:
    """The expected language, unless the script or the function words clearly show another."""
    if "//" in text or "www." in text or "@" in text:
        text = URL_OR_EMAIL.sub(" ", text)
    return _by_script(text, expected) or _by_function_words(text, expected) or expected


def _by_script(text: str, expected: str) -> str | None:
    """Requires twice as many letters of other scripts as Latin ones, and at least eight different ones."""
    if text.isascii():
        return None
    letters = OTHER_LETTER.findall(text)
    if len(set(letters)) < 8 or len(letters) < 2 * len(LATIN_LETTER.findall(text)):
        return None
    return _language_of_script("".join(letters), expected)


def _language_of_script(letters: str, expected: str) -> str:
    """The language of the most frequent script, or the expected one if it uses that script.

    Chinese characters count as Japanese if there is more than one kana per ten of them.
    """
    counts = {code: len(of_script.findall(letters)) for code, _, of_script in SCRIPT_FAMILIES}
    if 10 * counts["ja"] > counts["zh"]:
        counts["ja"] += counts.pop("zh")
    code = max(counts, key=lambda code: counts[code])
    family = next(family for name, family, _ in SCRIPT_FAMILIES if name == code)
    return expected if expected in family else code


def _by_function_words(text: str, expected: str) -> str | None:
    """Requires enough different function words of one other language, and hardly any of the expected one.

    Enough: at least three, a fifth of at least five different words, and more than twice as many as expected ones.
    """
    own, others = _function_words(expected)
    text = text.lower()
    if others.keys().isdisjoint(text.split()):  # nearly every comment stops here, before the careful split
        return None
    words = set(WORD.findall(text))
    counts = Counter(code for word in words & others.keys() for code in others[word])
    code, count = max(counts.items(), key=itemgetter(1), default=("", 0))
    is_clear = count >= max(3, 0.2 * len(words)) and count > 2 * len(words & own)
    return code if is_clear and len(words) >= 5 else None


@cache
def _function_words(expected: str) -> tuple[frozenset[str], dict[str, list[str]]]:
    """Words of the expected language only, and words of others with their languages."""
    rest = [code for code in LATIN if code != expected]
    others: dict[str, list[str]] = defaultdict(list)
    for code in rest:
        for word in _stop_words(code) - _stop_words(expected) - AMBIGUOUS_WORDS:
            others[word].append(code)
    return _stop_words(expected).difference(*map(_stop_words, rest)), dict(others)


@cache
def _stop_words(code: str) -> frozenset[str]:
    """Empty for a language that spaCy does not know."""
    try:
        return frozenset(import_module(f"spacy.lang.{code}.stop_words").STOP_WORDS)
    except ModuleNotFoundError:
        return frozenset()
