"""How a persona types: filler is written once and sounds different in every mouth."""

import random
import re
from dataclasses import dataclass

WORD = re.compile(r"\S+")
SHIELDED = re.compile(r"[/@`\d\[\]()_#\\*~^]")
PLAIN_STARTS = frozenset(
    "a an the it it's that's this i you your he they we my there's if when never every some most people".split()
)
SENTENCE_START = re.compile(r"(^|[.!?]\s+|\n+)([a-z])")
LONE_I = re.compile(r"\bi(?=('m|'ve|'d|'ll)?\b(?!\.))")


@dataclass(frozen=True, slots=True)
class Voice:
    """`case` is "lower", "proper", or "mixed" for as written; `typos` is a chance per word."""

    case: str = "mixed"
    typos: float = 0.0
    apostrophes: bool = True
    openers: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()


def speak(text: str, voice: Voice, rng: random.Random) -> str:
    """The text in a persona's own hand."""
    text = WORD.sub(lambda word: _typed(word[0], voice, rng), _framed(text, voice, rng))
    return _proper(text) if voice.case == "proper" else text


def _framed(text: str, voice: Voice, rng: random.Random) -> str:
    """Sometimes an opening or a closing word the persona is fond of."""
    if "\n" in text:
        return text
    if voice.openers and len(text) > 45 and rng.random() < 0.25:
        text = _opened(text, rng.choice(voice.openers))
    if voice.closers and rng.random() < 0.12:
        text = _closed(text, rng.choice(voice.closers))
    return text


def _opened(text: str, opener: str) -> str:
    first = text.split(maxsplit=1)[0]
    if first.lower() not in PLAIN_STARTS:
        return text
    return f"{opener} {first if first == 'I' else first.lower()}{text[len(first) :]}"


def _closed(text: str, closer: str) -> str:
    if not text[-1].isalnum():
        return f"{text} {closer}"
    pause = "." if closer[0].isupper() else "," if " " in closer else ""
    return f"{text}{pause} {closer}"


def _typed(word: str, voice: Voice, rng: random.Random) -> str:
    if SHIELDED.search(word):
        return word
    if voice.case == "lower":
        word = word.lower()
    if not voice.apostrophes:
        word = re.sub(r"(?<=\w)'(?=(t|s|m|re|ve|d|ll)\b)", "", word) if word.lower() != "i'd" else word
    return _slipped(word, rng) if len(word) > 4 and rng.random() < voice.typos else word


def _slipped(word: str, rng: random.Random) -> str:
    """Two letters swapped, one dropped or one doubled, never the first."""
    if not word.isalpha():
        return word
    at = rng.randrange(1, len(word) - 1)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return rng.choice([swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]])


def _proper(text: str) -> str:
    text = SENTENCE_START.sub(lambda match: match[1] + match[2].upper(), text)
    return LONE_I.sub("I", text)
