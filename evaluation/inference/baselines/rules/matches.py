"""What a rule returns, and what keeps rules from firing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LOOK_BEHIND, LOOK_AHEAD = 160, 60  # characters around a match that can take it back
I_AM = (
    r"\b(?:I'?m|I am)(?: (?:now|currently|only|just|already|still|actually|also|really|literally|officially|myself))?"
)
# What may follow a statement that is complete.
ENDS = (
    r"(?=\s*(?:$|[,.!;:?)\]…]|-{1,2}\s|[–—]|(?:and(?! \d)|but|so|now|with|who|that|because|cause|living|too|here|then|"
    r"as well|lol|btw|although|though|while|myself|also|or)\b))"
)
# The same for nouns, after which a place may stand.
NOUN_ENDS = ENDS.replace("and(?! \\d)", "and|from|in|at|on")
# Conditions, the past, what somebody else says or thinks, and negations.
UNREAL = re.compile(
    r"\b(?:if|when|whenever|imagin\w+|pretend\w*|suppos\w+|wish\w*|unless|until|till|thought|assum\w+|would|used to|"
    r"as though|once|say|says|said|saying|tell\w*|told|thinks?|thinking|guess\w*|hop(?:e|es|ed|ing)|want\w*|dream\w*|"
    r"by the time|before|since|in case|acts?|acting|feels?|feeling|felt|claim\w*|ask(?:s|ed|ing)?|li(?:e|es|ed)|"
    r"jok\w+|like|whether|not|never|nobody|ago|maybe|until|he's|she's|they're|you're)\b|n't\b",
    re.IGNORECASE,
)
# Enough for what somebody has: “my wife” is real unless it is imagined.
IMAGINED = re.compile(
    r"\b(?:if|when i|imagin\w+|pretend\w*|suppos\w+|wish\w*|want\w*|as though|as if|someday|some day|would|one day)\b",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"^\W*(?:in (?:that|this|the) (?:photo|picture|pic|video|game|dream)|back then|at (?:the|that) time|at heart|"
    r"in spirit|inside|jk\b|just kidding|years ago|,? you(?:'|\b))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """What somebody states about themselves, the rule that found it, and the words that it matched.

    A weak statement only counts where there is no other.
    """

    attribute: str
    value: str
    rule: str
    words: str
    is_weak: bool = False


def real_matches(
    pattern: "re.Pattern[str]", sentence: str, guard: "re.Pattern[str]" = UNREAL
) -> Iterator["re.Match[str]"]:
    """Matches that nothing around them takes back."""
    for match in pattern.finditer(sentence):
        before = sentence[max(match.start() - LOOK_BEHIND, 0) : match.start()]
        after = sentence[match.end() : match.end() + LOOK_AHEAD]
        if not guard.search(before) and not TAKEN_BACK.match(after):
            yield match
