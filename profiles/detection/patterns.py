"""Recognisers of one's own, as an admin types them: checked in kind words, and tried under a time limit."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from time import monotonic

import regex as regexes  # what Presidio itself searches with

from profiles.detection.recipes import Pattern, WordList

FLAGS = regexes.DOTALL | regexes.MULTILINE | regexes.IGNORECASE  # Presidio's own
ENTITY_TYPE = re.compile(r"[A-Z][A-Z0-9_]{0,39}")
COUNT = re.compile(r"\{(\d+)")  # compiling writes the expression out as often as that
CALLS_ITSELF = re.compile(r"\(\?(?:R|&|P>|[+-]?\d)")
NOT_TO_BE_KEPT = re.compile("[\x00\ud800-\udfff]")  # Postgres cannot hold these
ANYTHING = "Aa 1_.\n-"  # what matches nothing in here matches nothing anywhere

MOST_WORDS, LONGEST_WORD, LONGEST_NAME, LONGEST_REGEX, MOST_CONTEXT = 5000, 100, 100, 1000, 100
# What slow expressions are slow on: a long run that nearly matches.
AWKWARD = tuple(run * (3000 // len(run)) + "!" for run in ("a", "1", " ", "a ", "a.", "ab1", "a@", "-"))


class NotAPattern(ValueError):
    """What was typed is no recogniser; the message says why and what to do."""


@dataclass(slots=True)
class Tried:
    """What a recogniser found: `(text, start, end)`, the text by its number. Later texts may be left untried."""

    matches: list[tuple[int, int, int]] = field(default_factory=list)
    texts_tried: int = 0
    is_too_slow: bool = False


def read_pattern(
    name: str, entity_type: str, regex: str, score: float = 0.5, context: str | Iterable[str] = ()
) -> Pattern:
    """A pattern that Presidio can run. The context's words stand on lines of their own or between commas."""
    if not 0 < score <= 1:
        raise NotAPattern("The score must be more than 0 and at most 1. Nothing with a score of 0 is ever found.")
    words = context.replace(",", "\n") if isinstance(context, str) else "\n".join(context)
    around = _words(words, most=MOST_CONTEXT)
    return Pattern(_name(name), _entity_type(entity_type), _checked(regex), float(score), around)


def read_word_list(name: str, entity_type: str, text: str) -> WordList:
    """One word or phrase a line. The longest come first, because Presidio takes the first that fits."""
    words = sorted(_words(text, most=MOST_WORDS), key=lambda word: (-len(word), word))
    if not words:
        raise NotAPattern("The list is empty. Write one word or phrase on each line.")
    return WordList(_name(name), _entity_type(entity_type), tuple(words))


def try_pattern(pattern: Pattern | WordList, texts: Sequence[str], seconds: float = 1.0) -> Tried:
    """Search one text after the other, all within the time. What is too slow is stopped, not waited for."""
    tried, ends_at = Tried(), monotonic() + seconds
    compiled = _compiled(pattern.regex if isinstance(pattern, Pattern) else _regex_of(pattern))
    try:
        for number, text in enumerate(texts):
            tried.matches += [(number, *span) for span in _spans(compiled, text, ends_at)]
            tried.texts_tried += 1
    except (TimeoutError, MemoryError):
        tried.is_too_slow = True
    return tried


def _spans(compiled: regexes.Pattern, text: str, ends_at: float) -> Iterator[tuple[int, int]]:
    """Where it matches. An empty match is none, as in Presidio."""
    left = max(0.0, ends_at - monotonic())  # 0 ends it at once; less than 0 would mean no limit
    for match in compiled.finditer(text, timeout=left):
        if match.end() > match.start():
            yield match.span()


def _regex_of(words: WordList) -> str:
    """Presidio's own expression for a list of words."""
    return r"(?:^|(?<=\W))(" + "|".join(map(regexes.escape, words.words)) + r")(?:(?=\W)|$)"


def _checked(regex: str) -> str:
    if not regex or len(regex) > LONGEST_REGEX:
        raise NotAPattern(f"Write a regular expression of at most {LONGEST_REGEX:,} characters.")
    _refuse_what_cannot_be_kept(regex)
    if prod(max(1, int(count)) for count in COUNT.findall(regex)) > 10_000 or CALLS_ITSELF.search(regex):
        raise NotAPattern("The expression would take too much memory. Use smaller counts, and let it not call itself.")
    compiled = _compiled(regex)
    if any(match.start() == match.end() for text in ("", ANYTHING) for match in _tested(compiled, text)):
        raise NotAPattern("The expression matches where nothing is written. Ask for at least one character.")
    return regex


def _tested(compiled: regexes.Pattern, text: str) -> list[regexes.Match]:
    try:
        return list(compiled.finditer(text, timeout=0.5))
    except (TimeoutError, MemoryError):
        raise NotAPattern("The expression is too slow, even for a few characters. Make it simpler.") from None


def _compiled(regex: str) -> regexes.Pattern:
    try:
        return regexes.compile(regex, FLAGS)
    except (regexes.error, ValueError, OverflowError) as error:
        raise NotAPattern(f"The expression cannot be read: {error}.") from None
    except (RecursionError, MemoryError):
        raise NotAPattern("The expression is nested too deeply. Make it simpler.") from None


def _words(text: str, *, most: int) -> tuple[str, ...]:
    """Each once, upper and lower case alike, in the order they were typed in."""
    _refuse_what_cannot_be_kept(text)
    typed = [" ".join(line.split()) for line in text.splitlines()]
    found: dict[str, str] = {}
    for word in filter(None, typed):
        found.setdefault(word.casefold(), word)
    if len(found) > most:
        raise NotAPattern(f"These are {len(found):,} words; {most:,} are the most.")
    if too_long := next((word for word in found.values() if len(word) > LONGEST_WORD), ""):
        raise NotAPattern(f"“{too_long[:30]}…” is longer than {LONGEST_WORD} characters. Write one word on each line.")
    return tuple(found.values())


def _name(name: str) -> str:
    name = " ".join(name.split())
    _refuse_what_cannot_be_kept(name)
    if not name or len(name) > LONGEST_NAME:
        raise NotAPattern(f"Give it a name of at most {LONGEST_NAME} characters.")
    return name


def _entity_type(entity_type: str) -> str:
    if not ENTITY_TYPE.fullmatch(entity_type.strip()):
        raise NotAPattern(
            "The entity type is written in capital letters A–Z, digits and underscores, begins with a letter and has "
            "at most 40 characters: STREET_CORNER, for example."
        )
    return entity_type.strip()


def _refuse_what_cannot_be_kept(text: str) -> None:
    if NOT_TO_BE_KEPT.search(text):
        raise NotAPattern("There is a character in it that cannot be kept. Type it anew instead of pasting it.")
