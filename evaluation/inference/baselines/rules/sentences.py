"""A comment as sentences in the author's own words."""

import re
from collections.abc import Iterator

QUOTED_LINE = re.compile(r"^[ \t]*(?:>|&gt;).*$", re.MULTILINE)
QUOTED_WORDS = re.compile(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|`[^`\n]{1,300}`")
# Not after “St.”, “Mt.” or a single letter, as in “Ph. D.”.
BREAK = re.compile(r"(?<!\bSt)(?<!\bMt)(?<!\b[A-Z])[.!?;]+(?=\s|$)|\n+")
# Without any of these words nothing is about the author.
ABOUT_ME = re.compile(
    r"\b(?:i|im|me|my|here|as an?|born|turned|made|earned|grossed)\b|\b\d\d ?/?[mf]\b|\b[mf] ?/?\d\d\b", re.IGNORECASE
)


def own_sentences(body: str) -> Iterator[str]:
    """Sentences that can be about the author, without quotations."""
    text = QUOTED_LINE.sub("\n", body.replace("’", "'").replace("‘", "'"))
    text = QUOTED_WORDS.sub(" … ", text).replace("*", "").replace("&amp;", "&")
    for sentence in BREAK.split(text):
        plain = " ".join(sentence.split())
        if ABOUT_ME.search(plain):
            yield plain
