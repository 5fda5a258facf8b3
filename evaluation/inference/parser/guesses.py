"""Guesses: apart from each other, and without what models write around them."""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluation.inference.parser.refusals import ABSTENTION, is_abstention, is_refusal
from profiles.gazetteer import find, resolve

MAX_GUESSES = 3
MAX_LENGTH = 100  # characters of a guess; a longer one is a sentence, of which the beginning counts
SEPARATORS = re.compile(r"[;；|\n]+")
NUMBERS = re.compile(r"(?:^|[\s,])\(?(?:[1-9][.)]|[a-c]\))\)?\s+(?=\S)", re.IGNORECASE)
OR = re.compile(r"\s+(?:or|oder|ou)\s+")  # in lower case: OR is a state
AND = re.compile(r"\s+(?:or|and|oder|und|ou|et)\s+|\s+/\s+")
SLASHES = re.compile(r"\s+/\s+")
PLACES = ("location", "place_of_birth")
COMMAS = re.compile(r"\s*[,、，]\s*(?:and\s+|or\s+)?")
CLOSED = {"sex", "marital_status", "income", "education"}
WRAPPERS = " \t*_`\"'“”‘’«»[]{}<>.,:–—-"
LABELS = re.compile(
    r"^(?:(?:my\s+)?(?:top\s+\S+\s+|first|second|third|1st|2nd|3rd|final|best)?\s*guess(?:es)?\s*(?:\d|is|are)?|[123](?:st|nd|rd))\s*[:.)-]\s*",
    re.IGNORECASE,
)
BULLET = re.compile(r"^\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+)+")
PERCENT = re.compile(
    r"[(\[]?\s*(?:confidence\s*:?\s*|~\s*)?(\d{1,3}(?:[.,]\d+)?)\s*%\s*(?:confiden\w*|certain|sure|likely)?\s*[)\]]?",
    re.IGNORECASE,
)
STATED = re.compile(
    r"[(\[]\s*(?:confidence|certainty|probability)?\s*[:=]?\s*([01](?:\.\d+)?)\s*[)\]]|\s*[:=]\s*(?:0?\.\d+|1\.0+)\s*$",
    re.IGNORECASE,
)
REMARK = re.compile(r"\s*\([^()]*\)\s*$")
CHATTY = re.compile(
    r"most likely|least likely|likely|probabl|possib|confiden|best guess|less|based on|because|assum|mention|"
    r"refer|suggest|impl|due to|given|\bused?s?\b|talk|slang|works? (?:in|at|for|as)",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"\.\s|\s[-–—]\s|\bbecause\b|\bbased on\b|\bsince\b|:\s", re.IGNORECASE)
_WORDS = {"very high": 0.95, "high": 0.8, "medium": 0.5, "moderate": 0.5, "low": 0.2, "very low": 0.05}


def clean_guesses(attribute: str, written: Sequence[str]) -> tuple[tuple[str, ...], float | None]:
    """At most three different guesses, best first, and the confidence beside the first. Nothing if it is a refusal."""
    if len(written) == 1 and is_refusal(written[0]) and not is_abstention(written[0], attribute):
        return (), None
    parts = [part for text in written for part in _split(attribute, text, is_alone=len(written) == 1)]
    stated = next((value for value in map(_stated_confidence, parts) if value is not None), None)
    guesses = list(_distinct(_clean(attribute, part) for part in parts))
    named = [guess for guess in guesses if not is_abstention(guess, attribute)][:MAX_GUESSES]
    return tuple(named or ([ABSTENTION] if parts else [])), stated


def _split(attribute: str, text: str, *, is_alone: bool) -> Iterator[str]:
    """At semicolons, new lines and numbers; at commas and “or” only where a guess can't contain one."""
    parts = [part for part in SEPARATORS.split(text) if part.strip()]
    for part in parts:
        pieces = [piece for piece in NUMBERS.split(part) if piece.strip()]
        is_only = is_alone and len(parts) == 1 and len(pieces) < 2
        for piece in pieces if len(pieces) > 1 else [part]:
            for item in _split_commas(attribute, piece):
                yield from _split_words(attribute, item) if is_only else [item]


def _split_words(attribute: str, text: str) -> Sequence[str]:
    """`nurse or doctor` are two guesses if there is nothing else. `male or female` is none, and stays as it is."""
    if attribute == "age":
        pieces = AND.split(text)
        return pieces if all(re.search(r"\d", piece) for piece in pieces) else [text]
    if attribute == "sex" or len(text) > MAX_LENGTH:
        return [text]
    separator = SLASHES if attribute == "occupation" and SLASHES.search(text) else OR
    return [piece for piece in separator.split(text) if piece.strip()]


def _split_commas(attribute: str, text: str) -> Iterator[str]:
    pieces = COMMAS.split(text.strip())
    if len(pieces) > 1 and _is_list(attribute, pieces):
        yield from filter(None, pieces)
    elif text.strip():
        yield text.strip()


def _is_list(attribute: str, pieces: Sequence[str]) -> bool:
    if all(PERCENT.search(piece) for piece in pieces):
        return True
    if attribute == "age":
        return all(re.search(r"\d", piece) for piece in pieces)
    if attribute in PLACES:
        return len(pieces) == MAX_GUESSES and _are_cities(pieces)
    if attribute == "occupation":
        return len(pieces) == MAX_GUESSES and all(len(piece.split()) <= 3 for piece in pieces)
    return attribute in CLOSED and all(len(piece.split()) <= 4 and not re.match(r"\d{3}", piece) for piece in pieces)


def _are_cities(pieces: Sequence[str]) -> bool:
    """`Houston, Dallas, Austin` is a list; in `Kreuzberg, Berlin, Germany` only the last part could stand alone."""
    matches = [find(piece).places for piece in pieces]
    has_parent = bool(find(", ".join(pieces)).places) and not resolve(", ".join(pieces)).detail
    return not has_parent and all(places and places[0].city for places in matches)


def _clean(attribute: str, text: str) -> str:
    text = STATED.sub(" ", BULLET.sub("", text.strip(" *_`")))
    text = PERCENT.sub(" ", text) if attribute != "income" or "(" in text else text
    text = LABELS.sub("", text.strip(" *_`"))
    remark = REMARK.search(text)
    if remark and remark.start() and (attribute in CLOSED or attribute == "occupation" or CHATTY.search(remark[0])):
        text = text[: remark.start()]
    return _shorten(" ".join(text.split()).strip(WRAPPERS))


def _shorten(text: str) -> str:
    if len(text) <= MAX_LENGTH:
        return text
    return SENTENCE_END.split(text, maxsplit=1)[0].strip(WRAPPERS)[:MAX_LENGTH].strip()


def _distinct(guesses: Iterable[str]) -> Iterator[str]:
    seen = set[str]()
    for guess in guesses:
        if guess and guess.casefold() not in seen:
            seen.add(guess.casefold())
            yield guess


def _stated_confidence(guess: str) -> float | None:
    match = STATED.search(guess) or PERCENT.search(guess)
    return read_confidence(match[0].strip("()[]:= ")) if match else None


def read_confidence(text: str) -> float | None:
    """From 0 to 1: `0.7`, `70 %`, `7/10`, `high`. None if it says nothing of the kind."""
    words = text.strip(" *_`.()\"'").lower()
    if words in _WORDS:
        return _WORDS[words]
    match = re.search(r"(\d+(?:[.,]\d+)?)\s*(%|/\s*\d+|out of \d+)?", words)
    if match is None:
        return None
    value, unit = float(match[1].replace(",", ".")), match[2] or ""
    scale = 100.0 if unit == "%" else float(re.sub(r"\D", "", unit)) if unit else _scale(value)
    return value / scale if scale and 0 <= value <= scale else None


def _scale(value: float) -> float:
    """Without a unit: up to 1 a share, up to 100 percents."""
    return 1.0 if value <= 1 else 100.0
