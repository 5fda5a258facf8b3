"""Joined modules: dependencies first, exports under their names, and what isn't understood is refused."""

import re

import pytest

from annotator.site.script_modules import EXPORT, IMPORT, UnsupportedScript, join_modules
from annotator.site.static_files import MODULES, SOURCES


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def test_imports_come_first_and_once(write):
    write("base.js", "// A comment.\nexport const one = () => 1;\n")
    write("left.js", 'import { one } from "./base.js";\nexport const two = () => one() + one();\n')
    write(
        "right.js", 'import * as base from "./base.js";\nexport class Three {}\nexport const name = () => base.one();\n'
    )
    entry = write("main.js", 'import "./left.js";\nimport {\n  name as called,\n} from "./right.js";\ncalled();\n')
    joined = join_modules(entry)
    assert re.findall(r"^const (\w+) = \(\(\)", joined, re.MULTILINE) == [
        "module_base", "module_left", "module_right", "module_main",
    ]  # fmt: skip
    assert "name: called" in joined
    assert "return { Three, name };" in joined
    assert not re.search(r"^(import|export)|A comment", joined, re.MULTILINE)


@pytest.mark.parametrize(
    "line", ["export default 1;", "export { a };", 'import a from "./b.js";', 'export * from "./b.js";']
)
def test_other_forms_are_refused(write, line):
    with pytest.raises(UnsupportedScript, match=r"main\.js"):
        join_modules(write("main.js", f"const a = 1;\n{line}\n"))


def test_a_circle_is_refused(write):
    write("other.js", 'import "./main.js";\n')
    with pytest.raises(UnsupportedScript, match="imports itself"):
        join_modules(write("main.js", 'import "./other.js";\n'))


@pytest.mark.parametrize("entry", MODULES.values())
def test_what_our_scripts_import_is_exported(entry):
    """A browser would refuse a missing name when it loads the modules. Joined, it would only be undefined."""
    exports = {
        path.stem: {statement["name"] for statement in EXPORT.finditer(path.read_text())} for path in _beside(entry)
    }
    for path in _beside(entry):
        text = path.read_text()
        for statement in IMPORT.finditer(text):
            named = re.findall(r"(\w+)(?: as \w+)?(?:,|$)", (statement["names"] or "").strip())
            used = re.findall(rf"(?<![\w./]){statement['all']}\.(\w+)", text) if statement["all"] else []
            assert {*named, *used} <= exports[statement["file"]], path.name


@pytest.mark.parametrize("entry", MODULES.values())
def test_every_script_beside_the_entry_is_in_the_bundle(entry):
    joined = join_modules(SOURCES / entry)
    assert {f"const module_{path.stem} =" for path in _beside(entry)} <= set(re.findall(r"const module_\w+ =", joined))


def _beside(entry):
    return (SOURCES / entry).parent.glob("*.js")
