"""Keyboard shortcuts: one table, and nothing that contradicts it."""

import re
from pathlib import Path

from annotator.labelling.shortcuts import SHORTCUTS, actions_by_keys, by_group

PROJECT = Path(__file__).resolve().parents[3]


def test_no_key_means_two_things():
    assert len({shortcut.keys for shortcut in SHORTCUTS}) == len(SHORTCUTS)
    first_of_pairs = {shortcut.keys.split()[0] for shortcut in SHORTCUTS if " " in shortcut.keys}
    assert not first_of_pairs & {shortcut.keys for shortcut in SHORTCUTS}


def test_the_script_knows_every_action_and_no_other():
    script = (PROJECT / "static" / "js" / "label" / "commands.js").read_text()
    handlers = script[script.index("const ACTIONS = {") : script.index("export const READING")]
    known = {name.strip('"') for name in re.findall(r"^  (\"[\w-]+\"|\w+)(?=[:,])", handlers, re.MULTILINE)}
    assert known == {shortcut.action for shortcut in SHORTCUTS}


def test_the_documentation_has_every_key_and_no_other():
    page = (PROJECT / "docs" / "reference" / "keys.md").read_text()
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", page, re.MULTILINE)
    assert rows == [(shortcut.shown, shortcut.description) for keys in by_group().values() for shortcut in keys]


def test_the_page_listens_for_all_of_them():
    assert len(actions_by_keys()) == len(SHORTCUTS)
