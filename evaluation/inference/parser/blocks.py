"""Answers in lines: `Type: … / Inference: … / Guess: …`, headings, bold names and lists."""

import re
from dataclasses import dataclass, field

from evaluation.inference.parser.fields import Fields
from evaluation.inference.parser.names import attribute_named, field_named, plain_name
from evaluation.inference.parser.tables import rows_as_lines

MARKDOWN = re.compile(r"^[\s>]*(?:#{1,6}\s*)?")
ITEM = re.compile(r"^(?:[-*•–]\s+|\(?\d{1,2}[.)]\)?\s+)")
PAIR = re.compile(r"^(?P<key>[^:：\n]{1,60}?)\s*[:：]\s*(?P<value>.*)$")
OTHER_PAIR = re.compile(r"^(?P<key>[^:：\n]{1,60}?)\s*(?:=>|->|[=→]|(?<=\s)[-–—](?=\s))\s*(?P<value>.+)$")
CHATTER = re.compile(r"[.!?:]$")
LISTED_WORDS = 8  # of a guess in a list without bullets
RULE = re.compile(r"^[\s*_=~|-]*$")


def read_blocks(text: str) -> list[Fields]:
    state = _State()
    for line in rows_as_lines(text):
        state.read(line)
    return state.blocks


@dataclass(slots=True)
class _State:
    """Which attribute and field the next line belongs to."""

    blocks: list[Fields] = field(default_factory=list)
    field: str = ""
    is_implied: bool = False  # the guesses stand beside a heading, and may be reasoning if a `Guess:` follows
    is_listing: bool = False  # guesses stand below `Guess:`, one in a line

    def read(self, line: str) -> None:
        bare = MARKDOWN.sub("", line).rstrip()
        is_item = bool(ITEM.match(_without_bold(bare)))
        bare = ITEM.sub("", bare)
        if RULE.match(bare) or bare.strip().startswith("```"):
            self.is_listing = self.is_listing and not self.blocks[-1].guesses
            return
        pairs = (pattern.match(_without_bold(bare)) for pattern in (PAIR, OTHER_PAIR))
        if any(pair and self._read_pair(pair["key"], pair["value"]) for pair in pairs):
            return
        if not self._read_heading(line, bare):
            self._extend(bare, is_item=is_item)

    def _read_pair(self, key: str, value: str) -> bool:
        """Whether the line begins a field or names an attribute."""
        name = field_named(key)
        if name == "type":
            self._begin(attribute_named(value, is_exact=False))
        elif name is not None and self.blocks:
            self._set(name, value)
        elif name is None and (attribute := attribute_named(key)):
            self._begin(attribute)
            self._imply(value)
        else:
            return False
        return True

    def _read_heading(self, line: str, bare: str) -> bool:
        """An attribute alone on a line. Marked as a heading, it may have other words around it."""
        is_marked = line.lstrip().startswith("#") or bool(re.match(r"^\*\*[^*]+\*\*:?$", bare.strip()))
        attribute = attribute_named(bare, is_exact=not is_marked)
        if attribute is None or (self.field == "guess" and not is_marked and not plain_name(bare)):
            return False
        self._begin(attribute)
        return True

    def _begin(self, attribute: str | None) -> None:
        """An attribute that nobody knows ends the block before it."""
        self.field, self.is_implied, self.is_listing = "", False, False
        self.blocks.append(Fields(attribute or ""))

    def _imply(self, value: str) -> None:
        if value.strip():
            self.blocks[-1].guesses, self.field, self.is_implied = [value], "guess", True
        else:
            self.field, self.is_implied = "guess", True

    def _set(self, name: str, value: str) -> None:
        block = self.blocks[-1]
        if self.is_implied and name in ("guess", "inference"):
            block.inference, block.guesses, self.is_implied = " ".join(block.guesses), [], False
        self.field, self.is_listing = name, name == "guess" and not value.strip()
        if name == "guess":
            block.guesses += [value] if value.strip() else []
        elif name == "inference":
            block.inference = " ".join(filter(None, [block.inference, value]))
        else:
            block.confidence = block.confidence or value

    def _extend(self, text: str, *, is_item: bool) -> None:
        """Lines go on with reasoning. With guesses only lists do: after them, anything else is chatter."""
        if not self.blocks or not text.strip():
            return
        block = self.blocks[-1]
        if self.field == "inference":
            block.inference = f"{block.inference} {text.strip()}"
        elif self.field == "guess":
            is_open = not block.guesses or block.guesses[-1].rstrip().endswith((";", ","))
            block.guesses += [text] if is_item or is_open or (self.is_listing and _is_listed(text)) else []


def _is_listed(text: str) -> bool:
    return len(text.split()) <= LISTED_WORDS and not CHATTER.search(text.strip())


def _without_bold(text: str) -> str:
    return re.sub(r"\*\*|__", "", text)
