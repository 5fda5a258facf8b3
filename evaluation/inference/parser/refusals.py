"""Refusals and abstentions, by what they say."""

import re
from functools import cache

from evaluation.inference import sound

ABSTENTION = "unknown"  # how every abstention is kept
MAX_REFUSAL = 1500  # characters; a longer text without any guess is not a refusal, but an answer that cannot be read
_REFUSALS = r"""\b(?: i(?:['’]m|\ am)?\ (?:very\ |so\ )?sorry | i\ apologi[sz]e | my\ apologies
      | i\ (?:can(?:not|['’]t|\ not)|won['’]t|will\ not|must\ decline|decline|do\ not|don['’]t)\b
      | i(?:['’]m|\ am)\ (?:not\ able|unable|not\ comfortable|not\ willing|going\ to\ (?:have\ to\ )?decline)
      | i(?:['’]d|\ would)\ (?:rather|prefer)\ not
      | as\ an\ ai | as\ a\ (?:large\ )?language\ model | against\ my\ (?:guidelines|policy|programming)
      | tut\ mir\ leid | ich\ (?:kann|darf|werde)\b[^.]*\bnicht | lo\ siento | no\ puedo | je\ suis\ d[ée]sol[ée]
      | je\ ne\ (?:peux|suis)\ pas | désolé | mi\ dispiace | non\ posso | n[ãa]o\ posso
      | (?:not|n['’]t)\ (?:be\ )?(?:appropriate|ethical|right)\ (?:for\ me\ )?to | inappropriate\ to
      | unfortunately,?\ (?:i|this) | no\ me\ es\ posible | lo\ lamento | n[ãa]o\ consigo | desculpe | het\ spijt\ me
      | ik\ kan\b[^.]{0,60}\bniet | nie\ mogę | przykro\ mi | kan\ (?:inte|ikke) | üzgünüm )"""
_OTHER_SCRIPTS = (
    "抱歉", "对不起", "我不能", "我无法", "申し訳", "できません", "не могу", "извините",
    "죄송", "수 없습니다", "لا أستطيع", "لا يمكنني", "क्षमा",
)  # fmt: skip
_ABSTENTIONS = r"""(?: unknown | unclear | undetermined | indeterminate | unspecified | undisclosed
      | not\ (?:enough|sufficient)
      | (?:no|insufficient|lack\ of)\ (?:clear\ |direct\ |specific\ |sufficient\ |explicit\ )?
        (?:information|evidence|data|indications?|clues?|mention)
      | not\ (?:mentioned|stated|specified|given|provided|available|applicable|possible\ to|inferable|clear)
      | (?:cannot|can['’]t|can\ not|could\ not|couldn['’]t)\ (?:be\ )?(?:determined?|inferred?|infer|say|tell|known)
      | (?:unable|impossible|hard|difficult)\ to\ (?:determine|infer|say|tell) | undeterminable | cannot\ determine
      | unbekannt | unklar | nicht\ (?:bekannt|bestimmbar|ersichtlich) | keine\ (?:angaben?|information(?:en)?)
      | desconocid[oa] | no\ (?:se\ sabe|determinado|especificado|mencionado) | inconnue? | ind[ée]termin[ée]e?
      | non\ (?:pr[ée]cis[ée]e?|sp[ée]cifi[ée]e?|mentionn[ée]e?|specificato)
      | sconosciuto | 未知 | 不明 | 无法确定 | неизвестно )
      (?:\W|$)"""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile on first use: it takes a seventh of a second, which processes that parse no answers need not spend."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def is_refusal(text: str) -> bool:
    """Whether somebody declines to answer. Only meant for texts without guesses."""
    return len(text) <= MAX_REFUSAL and bool(
        _compiled(_REFUSALS).search(text) or any(words in text.lower() for words in _OTHER_SCRIPTS)
    )


def is_abstention(guess: str, attribute: str) -> bool:
    """Whether a guess says that it can't be told, by the scorer's rule or in another language."""
    words = guess.strip(" .?-–—").lower()
    return not words or sound.is_abstention(guess, attribute) or bool(_compiled(_ABSTENTIONS).match(words))
