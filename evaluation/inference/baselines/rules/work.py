"""Occupation and income: “I'm a nurse”, “I work as a …”, “my job as a …”, “I make 45k a year”."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from evaluation.inference.baselines.rules.matches import ENDS, I_AM, UNREAL, Statement, real_matches
from evaluation.inference.sound.categories.amounts import find_income

MAX_WORDS = 4  # of an occupation
_WORDS = r"(?P<words>[^.!?;:()\[\]…,–—]{2,80})"
# What follows may be anything, so it has to name an occupation that we know.
OPEN_RULES = {
    "I am a": re.compile(rf"{I_AM} an? {_WORDS}", re.IGNORECASE),
    "as a": re.compile(
        r"\bas (?:an?|another) (?P<words>[^.!?;:()\[\]…,–—]{2,60}?)(?=,? (?:I|myself)\b)", re.IGNORECASE
    ),
}
# These name an occupation, whichever it is.
SURE_RULES = {
    "I work as a": re.compile(
        rf"(?:\bI (?:currently |now |also |still )?work|{I_AM} (?:working|employed))"
        rf"(?: (?:full|part)[ -]?time)? as an? {_WORDS}",
        re.IGNORECASE,
    ),
    "my job as a": re.compile(
        rf"\bmy (?:current |day |own |full[ -]time )?(?:job|work|career) as an? {_WORDS}", re.IGNORECASE
    ),
}
FIELD = re.compile(r"\bI (?:currently |now |also |still )?work in (?:the )?(?P<field>[\w ]{2,30})", re.IGNORECASE)
NO_WORK = re.compile(
    rf"{I_AM} (?:unemployed|jobless|between jobs|out of work){ENDS}|\bI (?:don't|do not) have a job\b", re.IGNORECASE
)
RETIRED = re.compile(rf"{I_AM} retired(?! (?:from being|player))(?: from \w+{ENDS}|{ENDS})", re.IGNORECASE)
_AMOUNT = (
    r"(?P<amount>(?:(?:about|around|roughly|approximately|over|under|almost|nearly|like|only) )?"
    r"[$€£]?\s?\d[\d,.]{0,9}\s?k?\b[^.!?;]{0,20})"
)
INCOME_RULES = {
    "I make": re.compile(
        r"(?:\bI (?:currently |only |now |personally )?(?:make|earn|bring home|get paid)|"
        rf"{I_AM} (?:making|earning)) {_AMOUNT}",
        re.IGNORECASE,
    ),
    "I made last year": re.compile(
        r"(?:\bI |^\W*)(?:made|earned|grossed) (?P<amount>[$€£]?\d[\d,.]{0,9}\s?k?) last year\b", re.IGNORECASE
    ),
    "my salary is": re.compile(
        rf"\bmy (?:current |annual |yearly |base )?(?:salary|income) is {_AMOUNT}", re.IGNORECASE
    ),
}
NO_INCOME = re.compile(r"\bI (?:have no|don't have (?:any|an)) income\b", re.IGNORECASE)
_PERIOD = re.compile(
    r"^\S+\s?k?\s?(?:dollars |usd |bucks )?(?:an?|per|/|each|every)\s?(?:year|yr|hour|hr|month|week)|"
    r"(?:yearly|annually|salary)|\bk?/(?:yr|year|hr|hour)\b",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"\d\d\s?k\b|\d\d,000\b", re.IGNORECASE)


def find_occupations(sentence: str, year: int) -> Iterator[Statement]:
    for rules, has_to_be_known in ((OPEN_RULES, True), (SURE_RULES, False)):
        for rule, pattern in rules.items():
            for match in real_matches(pattern, sentence):
                if occupation := _occupation(match["words"], has_to_be_known=has_to_be_known):
                    words = f"{match[0][: -len(match['words'])]}{occupation}"
                    yield Statement("occupation", occupation, rule, words)
    for match in real_matches(FIELD, sentence):
        if field := next((name for name in _table("fields") if _starts_with(match["field"], name)), ""):
            yield Statement("occupation", field, "I work in", f"work in {field}")
    for pattern, value, rule in ((NO_WORK, "none", "I am unemployed"), (RETIRED, "retired", "I am retired")):
        for match in real_matches(pattern, sentence):
            yield Statement("occupation", value, rule, match[0].strip())


def find_incomes(sentence: str, year: int) -> Iterator[Statement]:
    for rule, pattern in INCOME_RULES.items():
        for match in real_matches(pattern, sentence, UNREAL):
            if income := _income(match["amount"].lower()):
                yield Statement("income", income, rule, match[0].strip())
    for match in real_matches(NO_INCOME, sentence):
        yield Statement("income", "no", "I have no income", match[0])


def _income(amount: str) -> str:
    """The class of an amount that is paid for a time, or that can only be a salary. `$20 on eBay` is neither."""
    number = re.search(r"[$€£]?\s?\d.*", amount)
    if number is None or not (_PERIOD.search(number[0]) or _is_salary(number[0])):
        return ""
    return find_income(amount)


def _is_salary(amount: str) -> bool:
    """Tens of thousands, and nothing after it: `45k`, but not `45k on that house`."""
    written = re.match(r"[$€£]?\s?[\d,.]+\s?k?\b", amount)
    rest = amount[written.end() :] if written else amount
    return bool(_THOUSANDS.search(amount)) and bool(
        re.match(r"\s*(?:$|,|and\b|but\b|right now|before tax|so\b|now\b)", rest)
    )


def _occupation(written: str, *, has_to_be_known: bool) -> str:
    """The name of an occupation at the beginning, or "". A word that doubts it, or one too many, means none."""
    words = _leading_words(written)
    if any(word in _table("doubts") for word in words):
        return ""
    if has_to_be_known:
        return " ".join(words) if len(words) <= MAX_WORDS and _is_known(words) else ""
    known = next((words[:count] for count in range(min(len(words), MAX_WORDS), 0, -1) if _is_known(words[:count])), [])
    is_short = 0 < len(words) < MAX_WORDS and words[-1].isalpha()
    return " ".join(known or (words if is_short else ()))


def _leading_words(written: str) -> list[str]:
    """The words up to one that ends the name of an occupation, without those that say nothing about it."""
    words = [token.lower().strip("'\"*_") for token in written.split()[: 2 * MAX_WORDS]]
    end = next((at for at, word in enumerate(words) if word in _table("stops")), len(words))
    if words[end + 1 : end + 2] == ["fan"]:  # of Doctor Who
        return []
    return [word for word in words[:end] if word not in _table("ignored") and not word.isdigit()]


def _is_known(words: Sequence[str]) -> bool:
    tails = (" ".join(words[start:]) for start in range(len(words)))
    return bool(words) and (words[-1] in _table("heads") or any(tail in _table("phrases") for tail in tails))


def _starts_with(text: str, name: str) -> bool:
    return re.match(rf"{re.escape(name)}(?:$|\s|\W)", text.lower()) is not None


@cache
def _table(name: str) -> frozenset[str]:
    text = (files("evaluation.inference.baselines.rules") / "words" / "occupations.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)[name]
    return frozenset(values.split() if isinstance(values, str) else values)
