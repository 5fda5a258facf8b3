"""Education: “I have a PhD”, “I finished high school”, “I'm a sophomore in college”."""

import re
from collections.abc import Iterator

from evaluation.inference.baselines.rules.matches import ENDS, I_AM, Statement, real_matches

_COLLEGE = r"(?:college|uni|university)"
_SCHOOL = r"(?:high ?school|hs|secondary school)"
_YEAR = r"(?:freshman|sophomore|junior|senior)"
_BACHELOR = (
    r"(?:(?:bachelor|master|associate)'?s?\b|BA\b|BS\b|BSc\b|MA\b|MS\b|MSc\b|MBA\b|JD\b|law degree|engineering degree|"
    r"college degree|degree in\b|\w+ degree\b)"
)
_HAVE = r"\bI(?:'ve| have)?(?: also| already| just| finally)? (?:have|hold|got|earned|completed|received|finished)"
RULES = (
    (
        "I have a PhD", "phd",
        rf"{_HAVE} (?:an?|my) (?:\w+ )?(?:ph\.?d|doctorate|doctoral degree)\b(?! (?:student|advis))",
    ),
    ("I am a doctor of", "phd", rf"{I_AM} a (?:postdoc|post-doc){ENDS}"),
    ("I have a degree", "college", rf"{_HAVE} (?:an?|my|two|both) (?:\w+ )?{_BACHELOR}"),
    (
        "I graduated", "college",
        rf"\bI(?:'ve| have)?(?: just| recently)? (?:graduated|finished) (?:from |with )?(?:my )?{_COLLEGE}\b|"
        rf"{I_AM} a (?:recent )?(?:college|university) grad(?:uate)?{ENDS}",
    ),
    (
        "I am a graduate student", "college",
        rf"{I_AM} (?:an? )?(?:\w+ )?(?:grad|graduate|ph\.?d|doctoral|law|med|medical)(?: school)? "
        r"(?:student|candidate)\b|"
        rf"{I_AM} in (?:grad|graduate|law|med|medical) school\b|{I_AM} (?:doing|getting|working on|finishing) (?:my|a) "
        r"(?:ph\.?d|doctorate|dissertation|master'?s)\b",
    ),
    (
        "I am in college", "in college",
        rf"{I_AM} (?:in|at|attending) (?:{_COLLEGE}|my (?:first|second|third|fourth|final|last|\w+) year (?:of|at|in) "
        rf"{_COLLEGE})\b(?! station)|{I_AM} an? (?:\w+ )?(?:{_COLLEGE} (?:student|{_YEAR})|undergrad(?:uate)?\b)|"
        rf"{I_AM} an? (?:\w+ )?{_YEAR} (?:in|at) {_COLLEGE}\b|{I_AM} (?:doing|getting|working on) (?:my|a) bachelor|"
        rf"\bI (?:currently )?(?:go to|attend|study at) (?:community )?{_COLLEGE}\b",
    ),
    (
        "I am in high school", "in hs",
        rf"{I_AM} (?:in|at|attending) {_SCHOOL}\b|{I_AM} an? (?:\w+ )?{_SCHOOL} (?:student|{_YEAR})\b|"
        rf"{I_AM} an? (?:\w+ )?{_YEAR} in {_SCHOOL}\b|"
        rf"{I_AM} in (?:my (?:\w+ )year of {_SCHOOL}|(?:9|10|11|12)th grade)\b|"
        rf"\bI (?:currently )?go to {_SCHOOL}\b",
    ),
    (
        "I left high school", "no hs",
        r"\bI (?:\w+ )?(?:dropped out of|didn't finish|never finished|did not finish|never graduated(?: from)?) "
        rf"{_SCHOOL}\b|"
        rf"{I_AM} a {_SCHOOL} drop ?out\b",
    ),
    (
        "I left college", "hs",
        rf"\bI (?:\w+ )?(?:dropped out of|didn't finish|never finished|never went to|didn't go to) {_COLLEGE}\b|"
        rf"{I_AM} a {_COLLEGE} drop ?out\b",
    ),
    (
        "I finished high school", "hs",
        rf"\bI(?:'ve| have)?(?: just| recently)? (?:graduated|finished) (?:from )?{_SCHOOL}\b|"
        rf"{_HAVE} (?:a|my) (?:GED\b|{_SCHOOL} (?:diploma|degree|education))|"
        rf"\bI only have (?:a|my) (?:GED\b|{_SCHOOL} (?:diploma|degree|education))",
    ),
)  # fmt: skip
_RULES = [(rule, value, re.compile(pattern, re.IGNORECASE)) for rule, value, pattern in RULES]


def find_education(sentence: str, year: int) -> Iterator[Statement]:
    for rule, value, pattern in _RULES:
        for match in real_matches(pattern, sentence):
            yield Statement("education", value, rule, match[0].strip())
