"""How a persona types, so that the same filler reads differently for each of them."""

import random
import re
from dataclasses import dataclass

WORD = re.compile(r"\S+")
UNTOUCHED = re.compile(r"[/@`\d\[\]()_#\\*~^]")
PLAIN_STARTS = frozenset(
    "a an the it it's that's this i you your he they we my there's if when never every some most people".split()
)
SENTENCE_START = re.compile(r"(^|[.!?]\s+|\n+)([a-z])")
LONE_I = re.compile(r"\bi(?=('m|'ve|'d|'ll)?\b(?!\.))")


@dataclass(frozen=True, slots=True)
class Voice:
    """`case` is "lower", "proper", or "mixed" (as written); `typos` is a chance per word."""

    case: str = "mixed"
    typos: float = 0.0
    apostrophes: bool = True
    openers: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()


def speak(text: str, voice: Voice, rng: random.Random) -> str:
    """Rewrite the text as the persona would type it."""
    text = WORD.sub(lambda word: _type_word(word[0], voice, rng), _add_phrases(text, voice, rng))
    return _capitalize(text) if voice.case == "proper" else text


def _add_phrases(text: str, voice: Voice, rng: random.Random) -> str:
    """Sometimes add a favourite opener or closer."""
    if "\n" in text:
        return text
    if voice.openers and len(text) > 45 and rng.random() < 0.25:
        text = _add_opener(text, rng.choice(voice.openers))
    if voice.closers and rng.random() < 0.12:
        text = _add_closer(text, rng.choice(voice.closers))
    return text


def _add_opener(text: str, opener: str) -> str:
    first = text.split(maxsplit=1)[0]
    if first.lower() not in PLAIN_STARTS:
        return text
    return f"{opener} {first if first == 'I' else first.lower()}{text[len(first) :]}"


def _add_closer(text: str, closer: str) -> str:
    if not text[-1].isalnum():
        return f"{text} {closer}"
    pause = "." if closer[0].isupper() else "," if " " in closer else ""
    return f"{text}{pause} {closer}"


def _type_word(word: str, voice: Voice, rng: random.Random) -> str:
    if UNTOUCHED.search(word):
        return word
    if voice.case == "lower":
        word = word.lower()
    if not voice.apostrophes:
        word = re.sub(r"(?<=\w)'(?=(t|s|m|re|ve|d|ll)\b)", "", word) if word.lower() != "i'd" else word
    return _add_typo(word, rng) if len(word) > 4 and rng.random() < voice.typos else word


def _add_typo(word: str, rng: random.Random) -> str:
    """Swap two letters, or drop or double one, but never the first."""
    if not word.isalpha():
        return word
    at = rng.randrange(1, len(word) - 1)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return rng.choice([swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]])


def _capitalize(text: str) -> str:
    text = SENTENCE_START.sub(lambda match: match[1] + match[2].upper(), text)
    return LONE_I.sub("I", text)
