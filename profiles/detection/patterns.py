"""Parse the custom recognisers that an admin types, validate them, and try them with a timeout."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from time import monotonic

import regex as regexes  # the library that Presidio uses

from profiles.detection.recipes import Pattern, WordList

FLAGS = regexes.DOTALL | regexes.MULTILINE | regexes.IGNORECASE  # Presidio's own
ENTITY_TYPE = re.compile(r"[A-Z][A-Z0-9_]{0,39}")
REPEAT_COUNT = re.compile(r"\{(\d+)")  # compiling repeats the expression that often
RECURSION = re.compile(r"\(\?(?:R|&|P>|[+-]?\d)")
NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")  # Postgres cannot store these
SAMPLE = "Aa 1_.\n-"  # an expression that can match the empty string does so in here

MAX_WORDS, MAX_WORD_LENGTH, MAX_NAME_LENGTH, MAX_REGEX_LENGTH, MAX_CONTEXT_WORDS = 5000, 100, 100, 1000, 100
# Long runs that nearly match, which is where slow expressions are slow.
AWKWARD = tuple(run * (3000 // len(run)) + "!" for run in ("a", "1", " ", "a ", "a.", "ab1", "a@", "-"))

BAD_SCORE = "The score must be more than 0 and at most 1."
EMPTY_LIST = "The list is empty. Write one word or phrase on each line."
BAD_LENGTH = f"Write a regular expression of at most {MAX_REGEX_LENGTH:,} characters."
TOO_MUCH_MEMORY = "The expression would use too much memory. Use smaller counts and no recursion."
EMPTY_MATCH = "The expression matches empty text. Make it match at least one character."
TOO_SLOW = "The expression is too slow even on short text. Simplify it."
UNREADABLE = "The expression is not valid: {error}."
NESTED_TOO_DEEPLY = "The expression is nested too deeply. Simplify it."
TOO_MANY_WORDS = "There are {count:,} words; the limit is {limit:,}."
WORD_TOO_LONG = f"“{{start}}…” is longer than {MAX_WORD_LENGTH} characters. Write one word on each line."
BAD_NAME = f"Give it a name of at most {MAX_NAME_LENGTH} characters."
BAD_ENTITY_TYPE = (
    "The entity type is written in capital letters A–Z, digits and underscores, begins with a letter and has "
    "at most 40 characters: STREET_CORNER, for example."
)
BAD_CHARACTER = "It contains a character that can’t be saved. Type it instead of pasting it."


class InvalidPattern(ValueError):
    """Not a valid recogniser. The message says why and what to do."""


@dataclass(slots=True)
class TrialResult:
    """Matches as `(text, start, end)`, where `text` is an index. After a timeout, later texts are not tried."""

    matches: list[tuple[int, int, int]] = field(default_factory=list)
    texts_tried: int = 0
    is_too_slow: bool = False


def parse_pattern(
    name: str, entity_type: str, regex: str, score: float = 0.5, context: str | Iterable[str] = ()
) -> Pattern:
    """Parse a pattern that Presidio can run. Context words are separated by lines or commas."""
    if not 0 < score <= 1:
        raise InvalidPattern(BAD_SCORE)
    words = context.replace(",", "\n") if isinstance(context, str) else "\n".join(context)
    around = _split_words(words, limit=MAX_CONTEXT_WORDS)
    return Pattern(_check_name(name), _check_entity_type(entity_type), _check_regex(regex), float(score), around)


def parse_word_list(name: str, entity_type: str, text: str) -> WordList:
    """Parse one word or phrase per line. The longest come first, because Presidio takes the first that matches."""
    words = sorted(_split_words(text, limit=MAX_WORDS), key=lambda word: (-len(word), word))
    if not words:
        raise InvalidPattern(EMPTY_LIST)
    return WordList(_check_name(name), _check_entity_type(entity_type), tuple(words))


def try_pattern(pattern: Pattern | WordList, texts: Sequence[str], seconds: float = 1.0) -> TrialResult:
    """Search one text after the other until the time is up."""
    result, deadline = TrialResult(), monotonic() + seconds
    compiled = _compile(pattern.regex if isinstance(pattern, Pattern) else _word_list_regex(pattern))
    try:
        for number, text in enumerate(texts):
            result.matches += [(number, *span) for span in _spans(compiled, text, deadline)]
            result.texts_tried += 1
    except (TimeoutError, MemoryError):
        result.is_too_slow = True
    return result


def _spans(compiled: regexes.Pattern, text: str, deadline: float) -> Iterator[tuple[int, int]]:
    """Spans of the matches. Empty matches do not count, as in Presidio."""
    left = max(0.0, deadline - monotonic())  # 0 stops at once; below 0 would mean no limit
    for match in compiled.finditer(text, timeout=left):
        if match.end() > match.start():
            yield match.span()


def _word_list_regex(words: WordList) -> str:
    """Presidio's own expression for a list of words."""
    return r"(?:^|(?<=\W))(" + "|".join(map(regexes.escape, words.words)) + r")(?:(?=\W)|$)"


def _check_regex(regex: str) -> str:
    if not regex or len(regex) > MAX_REGEX_LENGTH:
        raise InvalidPattern(BAD_LENGTH)
    _check_storable(regex)
    if prod(max(1, int(count)) for count in REPEAT_COUNT.findall(regex)) > 10_000 or RECURSION.search(regex):
        raise InvalidPattern(TOO_MUCH_MEMORY)
    compiled = _compile(regex)
    if any(match.start() == match.end() for text in ("", SAMPLE) for match in _find_matches(compiled, text)):
        raise InvalidPattern(EMPTY_MATCH)
    return regex


def _find_matches(compiled: regexes.Pattern, text: str) -> list[regexes.Match]:
    try:
        return list(compiled.finditer(text, timeout=0.5))
    except (TimeoutError, MemoryError):
        raise InvalidPattern(TOO_SLOW) from None


def _compile(regex: str) -> regexes.Pattern:
    try:
        return regexes.compile(regex, FLAGS)
    except (regexes.error, ValueError, OverflowError) as error:
        raise InvalidPattern(UNREADABLE.format(error=error)) from None
    except (RecursionError, MemoryError):
        raise InvalidPattern(NESTED_TOO_DEEPLY) from None


def _split_words(text: str, *, limit: int) -> tuple[str, ...]:
    """Unique words, ignoring case, in the order typed."""
    _check_storable(text)
    typed = [" ".join(line.split()) for line in text.splitlines()]
    unique: dict[str, str] = {}
    for word in filter(None, typed):
        unique.setdefault(word.casefold(), word)
    if len(unique) > limit:
        raise InvalidPattern(TOO_MANY_WORDS.format(count=len(unique), limit=limit))
    if too_long := next((word for word in unique.values() if len(word) > MAX_WORD_LENGTH), ""):
        raise InvalidPattern(WORD_TOO_LONG.format(start=too_long[:30]))
    return tuple(unique.values())


def _check_name(name: str) -> str:
    name = " ".join(name.split())
    _check_storable(name)
    if not name or len(name) > MAX_NAME_LENGTH:
        raise InvalidPattern(BAD_NAME)
    return name


def _check_entity_type(entity_type: str) -> str:
    if not ENTITY_TYPE.fullmatch(entity_type.strip()):
        raise InvalidPattern(BAD_ENTITY_TYPE)
    return entity_type.strip()


def _check_storable(text: str) -> None:
    if NOT_STORABLE.search(text):
        raise InvalidPattern(BAD_CHARACTER)
