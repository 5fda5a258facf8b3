"""Parsing guidelines: the supported Markdown, what belongs to which card, and what a text must have."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.guidelines import text
from annotator.guidelines.markup import Block, Item, Run, parse
from annotator.guidelines.services import first_guidelines
from annotator.guidelines.text import MAX_LENGTH, STEPS, problems, read_guidelines, tidy
from profiles.attributes import CLOSED_LISTS, Attribute

SHIPPED = first_guidelines()


def without(heading: str, text: str = SHIPPED) -> str:
    """The text without one section, heading and all."""
    before, _, after = text.partition(f"\n## {heading}\n")
    _, _, rest = after.partition("\n## ")
    return f"{before}\n## {rest}" if rest else before


# ── The text that ships ─────────────────────────────────────────────────────


def test_the_shipped_text_can_be_published():
    assert problems(SHIPPED) == []
    assert tidy(SHIPPED) == SHIPPED


@pytest.mark.parametrize("attribute", list(Attribute))
def test_the_shipped_text_has_all_that_a_card_shows(attribute):
    rules = read_guidelines(SHIPPED).for_attribute(attribute)
    assert rules.question
    assert sorted(rules.hardness) == [1, 2, 3, 4, 5]
    assert all(rules.hardness.values())
    cases = [item.text for block in rules.cases for item in block.items]
    assert len(cases) >= 4
    assert [case for case in cases if "Example:" not in case] == []


@pytest.mark.parametrize("attribute", list(CLOSED_LISTS))
def test_the_shipped_text_names_every_choice(attribute):
    rules = read_guidelines(SHIPPED).for_attribute(attribute)
    question = " ".join(item.text for block in rules.question for item in block.items)
    labels = [label.partition(" (")[0] for label in CLOSED_LISTS[attribute].labels]
    assert [label for label in labels if label not in question] == []


def test_the_shipped_text_explains_every_step_of_both_scales():
    guidelines = read_guidelines(SHIPPED)
    for scale in (guidelines.hardness, guidelines.certainty):
        assert list(scale) == list(STEPS)
        assert all(step.definition and step.example and step.number == number for number, step in scale.items())
        assert not any("*" in step.definition + step.example for step in scale.values())


def test_the_shipped_text_shows_both_cases_of_the_required_subreddit_and_when_not():
    texts = " ".join(item.text for block in read_guidelines(SHIPPED).required_subreddit for item in block.items)
    assert all(words in texts for words in ("(a)", "(b)", "Don't tick it"))
    assert texts.count("Example:") >= 3


def test_the_shipped_text_states_the_rule_about_tools():
    texts = " ".join(item.text for block in read_guidelines(SHIPPED).tools for item in block.items)
    assert all(
        words in texts for words in ("search engines", "Maps", "Translation services", "Language models are not")
    )


# ── Markup ──────────────────────────────────────────────────────────────────


def test_reads_title_sections_and_subsections():
    document = parse("\n# Rules\n\nFirst.\n\n## One\nText\n### Cases\n- a\n## Two\n")
    assert (document.title, [section.title for section in document.sections]) == ("Rules", ["One", "Two"])
    assert document.intro == (Block("paragraph", (Item((Run("First."),)),)),)
    (first, second) = document.sections
    assert (first.slug, [part.slug for part in first.subsections]) == ("one", ["one-cases"])
    assert (second.blocks, second.subsections) == ((), ())


def test_lines_of_a_paragraph_and_of_an_item_belong_together():
    (section,) = parse("## One\na\nb\n\nc\n- x\n  y\n- z\n\n- w\nend").sections
    texts = [(block.kind, [item.text for item in block.items]) for block in section.blocks]
    assert texts == [
        ("paragraph", ["a b"]),
        ("paragraph", ["c"]),
        ("list", ["x y", "z", "w"]),
        ("paragraph", ["end"]),
    ]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("a **b** c", (Run("a "), Run("b", "strong"), Run(" c"))),
        ("*a* `b`", (Run("a", "emphasis"), Run(" "), Run("b", "code"))),
        ("`**a**`", (Run("**a**", "code"),)),
        ("2 * 3 * 4", (Run("2 * 3 * 4"),)),
        ("a * b* c", (Run("a * b* c"),)),
        ("*a * b", (Run("*a * b"),)),
        ("**open", (Run("**open"),)),
        ("<b>&amp;</b>", (Run("<b>&amp;</b>"),)),
    ],
)
def test_styles(text, runs):
    (block,) = parse(text).intro
    assert block.items == (Item(runs),)


@pytest.mark.parametrize("odd", ["####  deep", "##", "##none", "> quoted", "| a | b |", "1. one", "# ", "---", "<hr>"])
def test_what_is_not_known_is_a_paragraph(odd):
    document = parse(f"Before.\n\n{odd}\n\nAfter.")
    assert [block.kind for block in document.intro] == ["paragraph"] * 3
    assert document.intro[1].items[0].text == odd.strip()


def test_no_two_headings_have_the_same_id_and_none_takes_one_of_the_page():
    document = parse("## Main\n## Age\n### Cases\n### Cases\n## Age\n## Age 2\n## !?\n## Åge\n## guidelines_text")
    slugs = [slug for s in document.sections for slug in (s.slug, *(part.slug for part in s.subsections))]
    assert len(set(slugs)) == len(slugs)
    assert slugs[0] == "main-2"
    assert "guidelines-text" not in slugs
    assert slugs[1:4] == ["age", "age-cases", "age-cases-2"]


@given(st.text(alphabet=st.sampled_from("#-* `\n\r\t23aÅ<&\u2028")) | st.text())
def test_reads_anything_and_loses_no_word(text):
    guidelines = read_guidelines(text)
    for attribute in Attribute:
        guidelines.for_attribute(attribute)
    texts = [guidelines.title, *_everything(guidelines)]
    letters = [letter for letter in text if letter.isalnum()]
    assert [letter for words in texts for letter in words if letter.isalnum()] == letters
    assert isinstance(problems(text), list)


def _everything(guidelines):
    yield from (_of(item) for block in guidelines.intro for item in block.items)
    for section in guidelines.sections:
        for part in (section, *section.subsections):
            yield part.title
            yield from (_of(item) for block in part.blocks for item in block.items)


def _of(item):
    return ("" if item.number is None else str(item.number)) + item.text


PIECES = ["*", "**a", "**a ", "*a ", "`", "- \n", "## a\n", "**a **", "*a", "- **1** ", "## a\n## a-2\n"]


@pytest.mark.parametrize("piece", PIECES)
def test_the_longest_text_is_read_at_once_whatever_it_is_made_of(piece):
    text, began = piece * (MAX_LENGTH // len(piece)), time.process_time()
    assert len(problems(text)) > 10
    assert time.process_time() - began < 5


# ── Cards ───────────────────────────────────────────────────────────────────

SCALE = """
## Hardness

- **2** Second. *Example:* “two”.
- **1** First, with `code`. *Example:* “one” and **more**.
- **1** Once more.
- **7** Beyond.
- not a step
"""


def test_a_step_is_cut_into_definition_and_example():
    steps = read_guidelines(SCALE).hardness
    assert list(steps) == [1, 2]
    assert (steps[1].definition, steps[1].example) == ("First, with code.", "“one” and more.")


def test_an_example_of_a_card_may_stand_alone():
    steps = "- **1** “I'm a guy”\n- **3** Thought. *Example:* this\n- **0** no"
    text = f"## SEX\nAsked.\n\n### cases\nOne.\n### hardness\n{steps}"
    rules = read_guidelines(text).for_attribute(Attribute.SEX)
    assert rules.hardness == {1: "“I'm a guy”", 3: "this"}
    assert [item.text for block in (*rules.question, *rules.cases) for item in block.items] == ["Asked.", "One."]


@pytest.mark.parametrize("text", ["Read, then judge.", "", "## Hardness", "## Location\n### Hardness\n### Cases"])
def test_what_a_text_does_not_say_is_empty(text):
    guidelines = read_guidelines(text)
    assert (guidelines.hardness, guidelines.certainty) == ({}, {})
    assert (guidelines.required_subreddit, guidelines.tools) == ((), ())
    for attribute in Attribute:
        rules = guidelines.for_attribute(attribute)
        assert (rules.question, rules.cases, rules.hardness) == ((), (), {})


def test_what_one_reader_changes_no_other_sees():
    read_guidelines(SHIPPED).hardness.clear()
    read_guidelines(SHIPPED).for_attribute(Attribute.AGE).hardness.clear()
    assert read_guidelines(SHIPPED).hardness
    assert read_guidelines(SHIPPED).for_attribute(Attribute.AGE).hardness


# ── What a text must have ───────────────────────────────────────────────────


@pytest.mark.parametrize(
    "title", [*Attribute.labels, "Hardness", "Certainty", "Required subreddit", "What you may use"]
)
def test_a_missing_section_is_reported(title):
    assert problems(without(title)) == [text.NO_SECTION.format(title=title)]


@pytest.mark.parametrize("title", [*Attribute.labels, "Required subreddit", "What you may use"])
def test_a_section_without_words_is_reported(title):
    assert problems(f"{without(title)}\n## {title}\n") == [text.EMPTY_SECTION.format(title=title)]


def test_a_section_that_stands_twice_is_reported():
    assert problems(f"{SHIPPED}\n## Age\n\nAgain.\n") == [text.DUPLICATE_SECTION.format(title="Age")]


@pytest.mark.parametrize("title", ["Hardness", "Certainty"])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", text.NO_STEP),
        ("- **3** *Example:* so", text.NO_DEFINITION),
        ("- **3** Words", text.NO_EXAMPLE),
        ("- **3** Words. *Example:*", text.NO_EXAMPLE),
        ("- **3** a *Example:* b\n- **3** c *Example:* d", text.DUPLICATE_STEP),
    ],
)
def test_a_step_that_is_not_explained_is_reported(title, line, message):
    steps = [f"- **{n}** Words. *Example:* so" if n != 3 else line for n in STEPS]
    reported = problems(f"{without(title)}\n## {title}\n" + "\n".join(filter(None, steps)))
    assert reported == [message.format(title=title, number=3)]


def test_what_cannot_be_kept_is_reported_alone():
    assert problems(f"{SHIPPED}\x00") == [text.NULL_CHARACTER]
    assert problems("x" * (MAX_LENGTH + 1)) == [text.TOO_LONG.format(length=MAX_LENGTH + 1, limit=MAX_LENGTH)]


def test_tidying_leaves_one_way_to_write_the_same():
    assert tidy("\r\n a  \r\nb\rc\t\n\n") == " a\nb\nc\n"
    assert tidy(tidy("a\r\n\r\nb")) == "a\n\nb\n"
