"""Texts that tell their writer's gender themselves, found by rule.

A text tells it if the writer says so outright:
- an age with a gender, from 13 to 79, such as “25F”, “(M24)” or “[F 26]”: right after “I”, “me” or “I'm”, or at the
  beginning of a sentence or clause. “My boyfriend (26M)” and “my wife, 30F” are about them: there, one of the three
  words before it names somebody else;
- “as a woman”, “as a guy”;
- “I'm a guy”, “I am a single mother”, “I was a lonely girl”: the word follows with at most two words between.

What only suggests it doesn't count: “my husband and I” says nothing certain about who writes. The rule misses
statements in other words, and takes the first if there are several.
"""

import re

MALE, FEMALE, NON_BINARY = "male", "female", "non-binary"
WORDS = {
    MALE: "man guy boy dude male father dad son husband boyfriend brother bloke gentleman",
    FEMALE: "woman girl female mother mom mum mama daughter wife girlfriend sister lady gal",
    NON_BINARY: "nonbinary non-binary enby genderqueer genderfluid agender",
}
GENDER_OF = {word: gender for gender, words in WORDS.items() for word in words.split()}
NOUN = "|".join(sorted(map(re.escape, GENDER_OF), key=len, reverse=True))
ROLE = "woman|man|girl|guy|boy|female|male|mother|father|mom|mum|dad|non-?binary|enby"
BETWEEN = r"(?:(?!(?:my|his|her|their|our|and|of|to|with|bad)\b)[\w-]+ )"
AGE = r"(?:1[3-9]|[2-7]\d)"
TAG = re.compile(
    rf"(?<![\w$£€'’])(?:{AGE}[ /]?(?P<after>[mf]|nb)|(?P<before>[mf]|nb)[ /]?{AGE})(?![\w'’%])", re.IGNORECASE
)
AS_A = re.compile(rf"\bas an? {BETWEEN}?(?P<noun>{ROLE})\b", re.IGNORECASE)
I_AM = re.compile(
    rf"\bi(?:['’]?m| am| was| identify as)(?: just| also| still)? (?:an?|the|his|her|their|your) "
    rf"{BETWEEN}{{0,2}}?(?P<noun>{NOUN})\b",
    re.IGNORECASE,
)
TAGS = {"m": MALE, "f": FEMALE, "nb": NON_BINARY}
SOMEBODY_ELSE = frozenset(
    """
    my his her their our your the a an he she him they them who and with ex so bf gf boyfriend girlfriend husband wife
    partner friend roommate brother sister mother mom father dad son daughter cousin aunt uncle boss guy girl man woman
    kid child dating met
""".split()
)
FIRST_PERSON = frozenset(["i", "me", "myself", "im", "ive", "am"])
WORD = re.compile(r"[\w'’]+")


def find_disclosure(text: str) -> str:
    """The gender that the text states of its writer, or nothing."""
    places = [
        (match.start(), GENDER_OF[match["noun"].lower()]) for rule in (AS_A, I_AM) if (match := rule.search(text))
    ]
    places += _tags(text)[:1]
    return min(places)[1] if places else ""


def _tags(text: str) -> list[tuple[int, str]]:
    return [
        (match.start(), TAGS[(match["after"] or match["before"]).lower()])
        for match in TAG.finditer(text)
        if _is_about_writer(text[: match.start()])
    ]


def _is_about_writer(before: str) -> bool:
    """By the words before the tag in its sentence."""
    sentence = re.split(r"[.!?\n]", before)[-1]
    words = [re.sub(r"['’](?:s$)?", "", word) for word in WORD.findall(sentence.lower())[-3:]]
    if words and words[-1] in FIRST_PERSON:
        return True
    begins_clause = not WORD.search(re.split(r"[,;:–—-]", sentence)[-1])
    return begins_clause and not SOMEBODY_ELSE & set(words)
