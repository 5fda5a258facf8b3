"""Guesses as models write them: remove decoration and explanations, and recognize abstentions."""

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

MAX_LENGTH = 300
# For these, `none` is an answer: no work, no income.
NONE_IS_AN_ANSWER = ("occupation", "income")
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060\ufeff\0]")
_MARKDOWN = re.compile(r"\*\*|__|`+|^[#>\s]+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_NUMBERING = re.compile(r"^(?:[-*•·–]\s+|\(?#?[1-9][.):]\)?\s+|\(?[a-c]\)\s+)+")
_PREFIX = re.compile(
    r"^(?:(?:my|best|top|first|second|third|final|most likely)\s+)*"
    r"(?:guess(?:es)?|answers?|location|place of birth|birth ?place|residence|city|country|sex|gender|age"
    r"|occupation|job|profession|marital status|relationship status|income(?: level)?"
    r"|education(?: level)?)(?:\s+#?\d)?\s*[:=]\s*",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"^(?:(?:most |very |quite )?(?:likely|probably|possibly|presumably)\b|maybe\b|perhaps\b"
    r"|i (?:think|guess|believe)\b|(?:i would|i'd) (?:guess|say)\b"
    r"|(?:the |this )?(?:author|user|writer|person|he|she|they) (?:is|was"
    r"|lives|works|resides|comes|seems|appears)\b(?:\s+(?:to be|as an?|in|from|an?)\b(?=\s))?"
    r"|(?:lives|works|based|living) in\b)[\s,:]*",
    re.IGNORECASE,
)
_REASONS = (
    r"(?:because|since|given|due to|based on|as (?:the|he|she|they|it)\b|(?:the|this) (?:author|user|writer|person)\b"
    r"|(?:very |quite |fairly )?(?:high|medium|low|moderate)(?:est)? (?:confidence|certainty|probability|likelihood)"
    r"|(?:confidence|certainty|probability|likelihood)\b|(?:most |very |quite )?(?:likely|probabl[ey]|possibl[ey])\b"
    r"|maybe\b|mention|suggest|indicat|impl(?:y|ies)|inferred|assum|\d{1,3} ?%)"
)
_ASIDE = re.compile(rf"\s*[(\[]\s*[^()\[\]]*?{_REASONS}[^()\[\]]*[)\]]", re.IGNORECASE)
_TAIL = re.compile(rf"(?:\s+[-–—]\s*|\s*[,:]\s*|\s+){_REASONS}.*$", re.IGNORECASE | re.DOTALL)
_SENTENCE = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=\d)|(?<=\)))[.!?]\s+(?=[^\W\d_]+\s+\S+\s+\S+).*$", re.DOTALL)
_QUOTES = "\"'“”‘’«»„‚"
_ENDS = " \t\n.,;:!?" + _QUOTES


@lru_cache(maxsize=65_536)
def clean_guess(guess: str) -> str:
    """Remove Markdown, numbering, quotes, prefixes such as `Answer:`, and explanations after the answer."""
    text, shorter = guess, _clean(guess)
    while shorter != text:
        text, shorter = shorter, _clean(shorter)
    return text


def _clean(guess: str) -> str:
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", guess)).strip()[:MAX_LENGTH]
    text = _strip_repeatedly(text.replace("’", "'"))
    explained = _SENTENCE.sub("", _ASIDE.sub("", text))
    return _strip(_TAIL.sub("", explained)) or _strip(explained)


@lru_cache(maxsize=65_536)
def is_abstention(guess: str, attribute: str = "") -> bool:
    """Whether the guess declines to answer. `None` declines unless it is an answer for the attribute."""
    text = _strip(_MARKDOWN.sub("", guess.replace("’", "'"))).casefold()
    if text in ("none", "null"):
        return bool(attribute) and attribute not in NONE_IS_AN_ANSWER
    return not any(map(str.isalnum, text)) or bool(_abstentions().match(text) or _declines(clean_guess(guess)))


def _declines(cleaned: str) -> bool:
    return not cleaned or bool(_abstentions().match(cleaned.casefold()))


def _strip_repeatedly(text: str) -> str:
    """Remove decoration until nothing changes: `1. **Guess:** "Zurich"`."""
    while True:
        shorter = _strip(_MARKDOWN.sub("", text))
        for pattern in (_NUMBERING, _PREFIX, _HEDGE):
            shorter = pattern.sub("", shorter) or shorter
        if shorter == text:
            return text
        text = shorter


def _strip(text: str) -> str:
    return text.strip(_ENDS)


@cache
def _abstentions() -> "re.Pattern[str]":
    """One pattern for all phrases: whole answers, and beginnings of answers."""
    phrases = tomllib.loads((files(__package__) / "words" / "abstentions.toml").read_text(encoding="utf-8"))
    whole, beginnings = ("|".join(phrases[key]) for key in ("whole", "beginnings"))
    return re.compile(rf"(?:(?:{whole})(?:$|\W*[,;.:(–—-].*$)|(?:{beginnings}))", re.DOTALL)
