"""Prompts ask for what the parser reads, and never name an account."""

from datetime import UTC, datetime

import pytest

from evaluation.inference.parser.names import attribute_named
from evaluation.inference.prompts import contents_digest, load_prompt, missing_placeholders
from evaluation.inference.records import ATTRIBUTES
from evaluation.inference.selection import Text

DIGESTS = {
    "profile-1": "971fe6aece83bc3cdb8a3839bb5cc4569f91d26b5a13c11825dfbf0d2ba3fb6a"
}  # a change of a word is a new version


def ask(body: str = "I moved", attributes=ATTRIBUTES, **options) -> str:
    text = Text(1, "houston", datetime(2013, 5, 1, tzinfo=UTC), body)
    return load_prompt().messages([text], attributes, **options)[1][1]


@pytest.mark.parametrize("name", DIGESTS)
def test_a_published_version_never_changes(name):
    assert load_prompt(name).digest == DIGESTS[name]


def test_the_parser_knows_the_names_that_the_prompt_uses():
    spoken = {attribute: name for attribute, (name, _) in load_prompt().attributes.items()}
    assert {attribute: attribute_named(name) for attribute, name in spoken.items()} == {
        name: name for name in ATTRIBUTES
    }


def test_comments_stand_on_lines_of_their_own():
    assert "\n2013-05-01: a b {details}\n" in ask("a\n\nb {details}")


def test_subreddits_are_shown_only_if_wanted():
    assert "houston" not in ask()
    assert "\n2013-05-01 r/houston: I moved\n" in ask(has_subreddits=True)


def test_asks_only_for_the_attributes_given():
    prompt = ask(attributes=["sex"])
    assert "Male, Female" in prompt
    assert "income" not in prompt


@pytest.mark.parametrize("body", ["hi u/quiet_heron", "hi /u/quiet_heron!", "/user/quiet_heron", "U/quiet_heron"])
def test_masks_the_names_of_accounts(body):
    assert "quiet_heron" not in ask(body)


def test_leaves_other_words_alone():
    assert "2013-05-01: menu/drinks at r/houston" in ask("menu/drinks at r/houston")


def test_contents_of_another_version_are_used_as_they_are():
    contents = load_prompt().contents | {"system": "You are brief."}
    prompt = load_prompt("own-1", contents)
    assert (prompt.name, prompt.system, prompt.digest) == ("own-1", "You are brief.", contents_digest(contents))
    assert prompt.contents == contents
    assert load_prompt("own-2", load_prompt().contents).messages([], ["age"]) == load_prompt().messages([], ["age"])


def test_every_placeholder_stands_once():
    contents = load_prompt().contents
    assert missing_placeholders(contents) == {}
    assert missing_placeholders(contents | {"header": "x"}) == {"header": "{attributes}"}
    assert missing_placeholders(contents | {"footer": "{details}{details}"}) == {"footer": "{details}"}
