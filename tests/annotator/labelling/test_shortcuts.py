"""The keys: one table, and nothing that contradicts it."""

import re
from pathlib import Path

from annotator.labelling.shortcuts import SHORTCUTS, actions_by_keys, by_group

PROJECT = Path(__file__).resolve().parents[3]


def test_no_key_means_two_things():
    assert len({one.keys for one in SHORTCUTS}) == len(SHORTCUTS)
    first_of_pairs = {one.keys.split()[0] for one in SHORTCUTS if " " in one.keys}
    assert not first_of_pairs & {one.keys for one in SHORTCUTS}


def test_the_script_knows_every_action_and_no_other():
    script = (PROJECT / "static" / "js" / "label" / "main.js").read_text()
    handlers = script[script.index("const ACTIONS = {") : script.index("// ── Mouse and forms")]
    known = {found.strip('"') for found in re.findall(r"^  (\"[\w-]+\"|\w+)(?=[:,])", handlers, re.MULTILINE)}
    assert known == {one.action for one in SHORTCUTS}


def test_the_documentation_has_every_key_and_no_other():
    page = (PROJECT / "docs" / "reference" / "keys.md").read_text()
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", page, re.MULTILINE)
    assert rows == [(one.shown, one.description) for keys in by_group().values() for one in keys]


def test_the_page_listens_for_all_of_them():
    assert len(actions_by_keys()) == len(SHORTCUTS)
