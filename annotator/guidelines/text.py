"""Parse guidelines into the parts shown on each card. Plain data: no database, no HTML.

Sections are matched by heading: one per attribute under its label, `Hardness`, `Certainty`, `Required subreddit`,
`What you may use`. A step of a scale is a list item: `- **3** Definition. *Example:* The example.`
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from annotator.guidelines.markup import Block, Document, Item, Run, Section, parse
from profiles.attributes import Attribute

MAX_LENGTH = 200_000
HARDNESS, CERTAINTY, REQUIRED_SUBREDDIT, TOOLS = "Hardness", "Certainty", "Required subreddit", "What you may use"
CASES, EXAMPLE = "Cases", "example"
STEPS, RATED_STEPS = range(6), range(1, 6)

NULL_CHARACTER = "The text contains a null character, which can’t be saved. Remove it."
TOO_LONG = "The text has {length:,} characters. The limit is {limit:,}."
NO_SECTION = "The section “{title}” is missing. Start it with the line “## {title}”."
DUPLICATE_SECTION = "There is more than one section “{title}”. Combine them."
EMPTY_SECTION = "The section “{title}” has no text before its first subsection."
NO_STEP = "{title} has no step {number}. Write it as “- **{number}** Definition. *Example:* The example.”"
DUPLICATE_STEP = "{title} explains step {number} more than once."
NO_DEFINITION = "{title} {number} has no definition."
NO_EXAMPLE = "{title} {number} has no example. Write it after “*Example:*”."


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a scale, in plain text."""

    number: int
    definition: str
    example: str


@dataclass(frozen=True, slots=True)
class AttributeRules:
    """The rules shown on the card of one attribute."""

    question: tuple[Block, ...]  # what to answer, and how to write it
    cases: tuple[Block, ...]
    hardness: dict[int, str]  # an example for each step from 1 to 5


@dataclass(frozen=True, slots=True)
class Guidelines:
    """A parsed text. Missing sections are empty, so that old versions and texts from elsewhere never fail."""

    document: Document

    @property
    def title(self) -> str:
        return self.document.title

    @property
    def intro(self) -> tuple[Block, ...]:
        return self.document.intro

    @property
    def sections(self) -> tuple[Section, ...]:
        return self.document.sections

    @property
    def hardness(self) -> dict[int, Step]:
        return _steps(self._section(HARDNESS).blocks)

    @property
    def certainty(self) -> dict[int, Step]:
        return _steps(self._section(CERTAINTY).blocks)

    @property
    def required_subreddit(self) -> tuple[Block, ...]:
        return _all_blocks(self._section(REQUIRED_SUBREDDIT))

    @property
    def tools(self) -> tuple[Block, ...]:
        return _all_blocks(self._section(TOOLS))

    def for_attribute(self, attribute: Attribute) -> AttributeRules:
        section = self._section(attribute.label)
        steps = _steps(_find_section(section.subsections, HARDNESS).blocks)
        examples = {n: step.example or step.definition for n, step in steps.items() if n in RATED_STEPS}
        return AttributeRules(section.blocks, _find_section(section.subsections, CASES).blocks, examples)

    def _section(self, title: str) -> Section:
        return _find_section(self.sections, title)


@lru_cache(maxsize=16)
def read_guidelines(text: str) -> Guidelines:
    return Guidelines(parse(text))


def tidy(text: str) -> str:
    """Normalize for storage: Unix line ends, no trailing spaces, a final newline."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip("\n") + "\n"


def problems(text: str) -> list[str]:
    """Reasons why a text can't be published, one sentence each. Empty if it can."""
    if "\x00" in text:
        return [NULL_CHARACTER]
    if len(text) > MAX_LENGTH:
        return [TOO_LONG.format(length=len(text), limit=MAX_LENGTH)]
    return list(_problems(read_guidelines(text)))


def _problems(guidelines: Guidelines) -> Iterator[str]:
    sections = {section.title.lower(): section for section in guidelines.sections}
    counts = Counter(section.title.lower() for section in guidelines.sections)
    for title in (*(attribute.label for attribute in Attribute), HARDNESS, CERTAINTY, REQUIRED_SUBREDDIT, TOOLS):
        section = sections.get(title.lower())
        if section is None:
            yield NO_SECTION.format(title=title)
        elif counts[title.lower()] > 1:
            yield DUPLICATE_SECTION.format(title=title)
        elif title in (HARDNESS, CERTAINTY):
            yield from _scale_problems(section)
        elif not section.blocks:
            yield EMPTY_SECTION.format(title=title)


def _scale_problems(section: Section) -> Iterator[str]:
    steps, counts = _steps(section.blocks), Counter(item.number for item in _items(section.blocks))
    for number in STEPS:
        step = steps.get(number)
        if step is None:
            yield NO_STEP.format(title=section.title, number=number)
        elif counts[number] > 1:
            yield DUPLICATE_STEP.format(title=section.title, number=number)
        else:
            if not step.definition:
                yield NO_DEFINITION.format(title=section.title, number=number)
            if not step.example:
                yield NO_EXAMPLE.format(title=section.title, number=number)


def _steps(blocks: Iterable[Block]) -> dict[int, Step]:
    """The steps of a scale by number. If a number is repeated, the first one counts."""
    steps: dict[int, Step] = {}
    for item in _items(blocks):
        if item.number is not None and item.number in STEPS:
            steps.setdefault(item.number, _step(item.number, item))
    return dict(sorted(steps.items()))


def _step(number: int, item: Item) -> Step:
    split = next((n for n, run in enumerate(item.runs) if _is_example_mark(run)), len(item.runs))
    definition, example = Item(item.runs[:split]).text, Item(item.runs[split + 1 :]).text
    return Step(number, definition.strip(), example.strip())


def _is_example_mark(run: Run) -> bool:
    return run.style == "emphasis" and run.text.strip(" :").lower() == EXAMPLE


def _items(blocks: Iterable[Block]) -> Iterator[Item]:
    return (item for block in blocks for item in block.items)


def _all_blocks(section: Section) -> tuple[Block, ...]:
    return section.blocks + tuple(block for part in section.subsections for block in part.blocks)


def _find_section(sections: Iterable[Section], title: str) -> Section:
    """The first section with this title, ignoring case, or an empty one."""
    return next((section for section in sections if section.title.lower() == title.lower()), Section("", title))
