"""Age, sex and relationships: “I'm 19”, “(25F)”, “M/34”, “as a 30 year old woman”, “my wife”."""

import re
from collections.abc import Iterator

from evaluation.inference.baselines.rules.matches import ENDS, I_AM, IMAGINED, NOUN_ENDS, Statement, real_matches

YOUNGEST, OLDEST = 12, 99
COLDEST = 40  # from here on, a bare “68 F” is taken for a temperature
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_UNITS = "one two three four five six seven eight nine".split()
_DECADES = "twenties thirties forties fifties sixties seventies eighties".split()
_PARTS = {"early": (0, 3), "mid": (4, 6), "middle": (4, 6), "late": (7, 9), "": (0, 9)}
_AGE = rf"(?P<age>\d\d|(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS)}))?|{'|'.join(_TEENS)})"
_OLD = r"[ -]?(?:years?[ -]old|yrs?[ -]old|yr[ -]?old|y/?o\b|years of age)"
_MALE = "man|guy|male|dude|boy|father|dad|husband|gentleman|bloke"
_FEMALE = "woman|girl|female|lady|mother|mom|mum|wife|gal"
_PERSON = rf"(?P<person>{_MALE}|{_FEMALE})"
_ME = r"\b(?:I|me|myself|I'm|I am|hi|hello|hey|here)[,:]?\s*[\[(]?\s*"
_THEN = r"(?=\s*(?:$|[\])/,.:;!]|here\b|-\s))"

AGE_RULES = {
    "I am N": re.compile(rf"{I_AM} {_AGE}(?:{_OLD}|(?: years)?{ENDS})", re.IGNORECASE),
    "as an N year old": re.compile(rf"(?:\bas|{I_AM}) an? {_AGE}{_OLD}(?![^.!?]{{0,25}}\byou\b)", re.IGNORECASE),
    "N year old here": re.compile(rf"^\W*{_AGE}{_OLD}(?: \w+){{0,2}} here\b", re.IGNORECASE),
    "I turned N": re.compile(
        rf"\bI(?: have|'ve)? just turned {_AGE}{ENDS}|"
        rf"(?:\bI |^\W*)turned {_AGE.replace('age', 'other')} (?:today|yesterday|(?:this|last) (?:week|month))\b",
        re.IGNORECASE,
    ),
}
AGE_AND_SEX = {
    "age and sex": re.compile(rf"(?:{_ME}[\[(]?|^\W*)(?P<age>\d\d)\s?/?\s?(?P<sex>[MF]){_THEN}", re.IGNORECASE),
    "sex and age": re.compile(rf"(?:{_ME}[\[(]?|^\W*)(?P<sex>[MF])\s?/?\s?(?P<age>\d\d){_THEN}", re.IGNORECASE),
}
DECADE = re.compile(
    rf"{I_AM} in my (?:(?P<part>early|mid|middle|late)[ -])?(?P<decade>[2-8]0'?s|{'|'.join(_DECADES)})\b", re.IGNORECASE
)
BORN = re.compile(r"\bI was born (?:in|on|back in)\s(?:[\w,]+ ){0,3}?(?P<year>19\d\d|200\d)\b", re.IGNORECASE)

SEX_RULES = {
    "I am a woman or man": re.compile(
        rf"{I_AM} (?:an? )?(?:(?:\w+ ){{0,2}}?\d\d{_OLD} |(?:single|married|straight|gay|white|black|asian|young|grown|"
        rf"middle[ -]aged|old|tall|short|trans|college|regular|divorced) ){{0,2}}{_PERSON}{NOUN_ENDS}",
        re.IGNORECASE,
    ),
    "I am a mother or father of": re.compile(rf"{I_AM} (?:an?|the) {_PERSON} (?:of|to) ", re.IGNORECASE),
    "as a woman or man": re.compile(
        rf"\bas (?:an? |another )(?:\d\d{_OLD} |(?:single|straight|gay|young|grown|black|white|asian|married) )?"
        rf"{_PERSON}"
        r"(?=,? (?:I|my|myself)\b|, I\b)",
        re.IGNORECASE,
    ),
    "N year old woman or man": re.compile(
        rf"\b(?:as|{I_AM}) an? \d\d{_OLD} (?:\w+ ){{0,1}}?{_PERSON}{NOUN_ENDS}", re.IGNORECASE
    ),
    "woman or man here": re.compile(
        rf"^\W*(?:\d\d{_OLD} )?(?:(?:single|gay|straight|married|grown) )?{_PERSON}(?: of (?!the\b)\w+)? here\b",
        re.IGNORECASE,
    ),
}
PREGNANT = re.compile(rf"{I_AM} (?:\w+ (?:weeks|months) )?pregnant\b(?! with (?:ideas|doubt))", re.IGNORECASE)

RELATION_RULES = (
    (
        "a marriage that ended", "divorced", IMAGINED,
        r"\bmy ex[ -]?(?:wife|husband|hubby|spouse)\b(?!')|\b(?:after|since|during) my (?:own )?divorce\b|"
        r"\bmy (?:wife|husband) (?:left|divorced) me\b|\bmy (?:wife|husband) and I (?:split|separated|got divorced)\b|"
        r"\bI(?:'ve| have)? (?:got|been|gotten) divorced\b|\bmy divorce (?:was|is|got) final",
    ),
    ("I am divorced", "divorced", None, rf"{I_AM} (?:recently |newly |happily )?(?:divorced|a divorcee?){ENDS}"),
    (
        "my wife or husband", "married", IMAGINED,
        r"\bmy (?:wife|husband|hubby|spouse)\b(?!'?s? (?:died|passed|left|divorced))"
        r"(?! and I (?:split|separated|got div))",
    ),
    (
        "I am married", "married", None,
        rf"{I_AM} (?:happily |newly |recently )?married(?: to an? (?:man|woman|guy|girl|\w+er)\b|{ENDS})|"
        r"\bI(?:'ve| have) been (?:happily )?married (?:for|to|\d)",
    ),
    (
        "my girlfriend or boyfriend", "relation", IMAGINED,
        r"\bmy (?:girlfriend|boyfriend|gf|bf|fianc[ée]{1,2})\b(?!'?s? (?:died|passed|left|dumped|broke up|cheated))"
        r"(?! and I (?:split|broke|separated))",
    ),
    (
        "I am in a relationship", "relation", None,
        rf"{I_AM} (?:in a (?:\w+[ -]){{0,2}}relationship|engaged(?: to (?:my|a)\b|{ENDS})|"
        r"dating (?:a|an|my|someone)\b)",
    ),
    (
        "I am single", "no relation", None,
        rf"{I_AM} (?:(?:very|perpetually|forever|happily|newly|recently) )?single{ENDS}",
    ),
    (
        "I have no partner", "no relation", IMAGINED,
        r"\bI (?:don't|do not) have an? (?:girlfriend|boyfriend|gf|bf|wife|husband|significant other)\b|"
        r"\bI(?:'ve| have) never (?:had|been in) an? (?:girlfriend|boyfriend|relationship)\b",
    ),
)  # fmt: skip
_RELATIONS = [
    (rule, value, guard, re.compile(pattern, re.IGNORECASE)) for rule, value, guard, pattern in RELATION_RULES
]


def find_ages(sentence: str, year: int) -> Iterator[Statement]:
    matches = [(rule, match) for rule, pattern in AGE_RULES.items() for match in real_matches(pattern, sentence)]
    for rule, match in (*matches, *_ages_with_sex(sentence)):
        if YOUNGEST <= (age := _number(match["age"] or match["other"])) <= OLDEST:
            yield Statement("age", str(age), rule, match[0].strip())
    for match in real_matches(DECADE, sentence):
        yield Statement("age", _decade(match["part"] or "", match["decade"]), "I am in my thirties", match[0])
    for match in real_matches(BORN, sentence):
        if YOUNGEST < (age := year - int(match["year"])) <= OLDEST:
            yield Statement("age", f"{age - 1}-{age}", "I was born in", match[0])


def find_sexes(sentence: str, year: int) -> Iterator[Statement]:
    for rule, pattern in SEX_RULES.items():
        for match in real_matches(pattern, sentence):
            sex = "male" if re.fullmatch(_MALE, match["person"], re.IGNORECASE) else "female"
            yield Statement("sex", sex, rule, match[0].strip())
    for rule, match in _ages_with_sex(sentence):
        yield Statement("sex", "male" if match["sex"] in "mM" else "female", rule, match[0].strip())
    for match in real_matches(PREGNANT, sentence):
        yield Statement("sex", "female", "I am pregnant", match[0])


def _ages_with_sex(sentence: str) -> Iterator[tuple[str, "re.Match[str]"]]:
    for rule, pattern in AGE_AND_SEX.items():
        for match in real_matches(pattern, sentence):
            is_bare = re.fullmatch(r"\W*\d\d ?F", match[0], re.IGNORECASE) and "here" not in sentence[match.end() :]
            if not (is_bare and int(match["age"]) >= COLDEST):
                yield rule, match


def find_relations(sentence: str, year: int) -> Iterator[Statement]:
    for rule, value, guard, pattern in _RELATIONS:
        matches = real_matches(pattern, sentence, guard) if guard else real_matches(pattern, sentence)
        for match in matches:
            yield Statement("marital_status", value, rule, match[0].strip())


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, _, unit = text.lower().replace("-", " ").partition(" ")
    if tens in _TEENS:
        return 13 + _TEENS.index(tens)
    return 20 + 10 * _TENS.index(tens) + (1 + _UNITS.index(unit) if unit else 0)


def _decade(part: str, decade: str) -> str:
    first = int(decade[:2]) if decade[0].isdigit() else 20 + 10 * _DECADES.index(decade.lower())
    low, high = _PARTS[part.lower()]
    return f"{first + low}-{first + high}"
