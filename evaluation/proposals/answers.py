"""Read a model's answer as a list of subreddits with reasons, however it is written. Plain Python."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from evaluation.proposals.json_lists import read_json
from evaluation.proposals.names import clean_name, is_name
from evaluation.proposals.text_lists import read_text

MAX_CHARACTERS = 100_000  # of an answer that are read
MAX_SUBREDDITS = 200
MAX_REASON = 1000
MAX_REFUSAL = 1500  # characters; a longer text is not a refusal, but an answer that can't be read
THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|\A.*</think(?:ing)?>", re.IGNORECASE | re.DOTALL)
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
REFUSAL = re.compile(
    r"""\b(?: i(?:['’]m|\ am)?\ (?:very\ |so\ )?sorry | i\ apologi[sz]e | my\ apologies
      | i\ (?:can(?:not|['’]t|\ not)|won['’]t|will\ not|must\ decline|decline|do\ not|don['’]t)\b
      | i(?:['’]m|\ am)\ (?:not\ able|unable|not\ comfortable|not\ willing)
      | i(?:['’]d|\ would)\ (?:rather|prefer)\ not | as\ an\ ai | as\ a\ (?:large\ )?language\ model
      | tut\ mir\ leid | ich\ (?:kann|darf|werde)\b[^.]*\bnicht | lo\ siento | no\ puedo | je\ suis\ désolée?
      | je\ ne\ peux\ pas | désolée? | mi\ dispiace | non\ posso ) | 抱歉 | 对不起 | 我无法 | 申し訳 | не\ могу""",
    re.IGNORECASE | re.VERBOSE,
)


class Outcome(StrEnum):
    LIST = "list"
    REFUSAL = "refusal"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Candidate:
    name: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The subreddits of an answer, each once. `invalid` counts names that can't exist."""

    subreddits: tuple[Candidate, ...]
    invalid: int
    outcome: Outcome

    @property
    def names(self) -> frozenset[str]:
        """In lower case, because case makes no difference."""
        return frozenset(candidate.name.lower() for candidate in self.subreddits)


def read_answer(text: str, *, only_kept: bool = False) -> Answer:
    """With `only_kept`, leave out what the answer lists as removed or uncertain."""
    text = THOUGHTS.sub("", text[:MAX_CHARACTERS]).strip()
    pairs = read_json(text, only_kept=only_kept) or read_text(text, only_kept=only_kept)
    candidates, invalid = dict[str, Candidate](), set[str]()
    for written, reason in pairs:
        name = clean_name(written)
        if not is_name(name):
            invalid |= {name.lower()} if name else set()
        elif name.lower() not in candidates:
            candidates[name.lower()] = Candidate(name, _clean_reason(reason))
        elif not candidates[name.lower()].reason:
            candidates[name.lower()] = replace(candidates[name.lower()], reason=_clean_reason(reason))
    return Answer(tuple(candidates.values())[:MAX_SUBREDDITS], len(invalid), _outcome(text, bool(candidates)))


def _outcome(text: str, has_names: bool) -> Outcome:
    if has_names:
        return Outcome.LIST
    return Outcome.REFUSAL if len(text) <= MAX_REFUSAL and REFUSAL.search(text) else Outcome.NOTHING


def _clean_reason(reason: str) -> str:
    """One line without Markdown, and without the sign that stood between name and reason."""
    words = " ".join(UNPRINTABLE.sub(" ", re.sub(r"\*\*|__|`", "", reason)).split()).lstrip("-–—:;,.|=>→*)] ")
    if words.startswith("(") and words.find(")") == len(words) - 1:
        words = words[1:]
    if ")" in words and "(" not in words.partition(")")[0]:  # the name stood before the bracket that opens
        words = words.replace(")", "", 1)
    return words[:MAX_REASON]
