"""Words of a text, as every measure of a defence counts them.

Tags that stand for what was masked are no words: they say that something is missing, not what.
"""

import re

TAG = re.compile(r"\[[A-Z0-9_]+\]")
WORD = re.compile(r"\w+(?:['’]\w+)*")


def words_of(text: str) -> list[str]:
    """In lower case and in order, without tags."""
    if "[" in text:
        text = TAG.sub(" ", text)
    return WORD.findall(text.casefold())
