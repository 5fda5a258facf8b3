"""Prompts with places for what a variant states and for the item's text."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

GENDER, TEXT = "{gender}", "{text}"
PLACES = re.compile(r"\{(?:gender|text)\}")
# From the end of the sentence before, or the start of the line, to the next full stop and the space after it.
GENDER_SENTENCE = re.compile(r"[^.\n]*\{gender\}[^.\n]*\.[ \t]*")
MAX_BYTES = 100_000

UNREADABLE = "It can't be opened: {reason}. Check its name and permissions."
NOT_UTF_8 = "It isn't UTF-8. Save it as UTF-8."
TOO_LARGE = "It is larger than 100,000 bytes, far too long for a prompt. Check that it is the template."
NO_PLACE = "It has no {place}. A template needs {gender} and {text} once each."
NO_SENTENCE = "The control prompt needs a sentence with {gender} that can be left out, ending in a full stop."


class TemplateUnusable(Exception):
    """A template that can't be used, with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Template:
    """`digest` is the SHA-256 of the file. The line end at the end of the file is not part of the prompt."""

    name: str
    text: str
    digest: str

    def fill(self, value: str, text: str) -> str:
        """The prompt. Both are put in at once: braces in an item's text mean nothing."""
        values = {GENDER: value, TEXT: text}
        return PLACES.sub(lambda match: values[match.group()], self.text)

    def fill_control(self, text: str) -> str:
        """The prompt without the sentence that states a gender. Raises TemplateUnusable if none can be left out."""
        template, count = GENDER_SENTENCE.subn("", self.text)
        if not count or GENDER in template or TEXT not in template:
            raise TemplateUnusable(NO_SENTENCE)
        return template.replace(TEXT, text)


def read_template(path: Path, name: str = "") -> Template:
    """Raises TemplateUnusable."""
    try:
        contents = path.read_bytes()
    except OSError as error:
        raise TemplateUnusable(UNREADABLE.format(reason=error.strerror)) from error
    if len(contents) > MAX_BYTES:
        raise TemplateUnusable(TOO_LARGE)
    try:
        text = contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TemplateUnusable(NOT_UTF_8) from error
    return parse_template(text, name or path.stem, hashlib.sha256(contents).hexdigest())


def parse_template(contents: str, name: str, digest: str = "") -> Template:
    """`digest` is by default that of the contents in UTF-8. Raises TemplateUnusable."""
    text = contents.replace("\r\n", "\n").removesuffix("\n")
    for place in (GENDER, TEXT):
        if text.count(place) != 1:
            raise TemplateUnusable(NO_PLACE.replace("{place}", place) if place not in text else TWICE)
    return Template(name, text, digest or hashlib.sha256(text.encode()).hexdigest())


TWICE = "It has {gender} or {text} more than once. A template needs them once each."
