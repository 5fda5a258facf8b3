"""Join ES modules into one script, without a build tool.

A module becomes a function that returns what it exports, after the modules that it imports. Only what our scripts use
is understood: named imports and `import * as` from files beside them, and `export` before `const`, `class` or
`function`. Anything else is refused, and so are imports in a circle.
"""

import re
from pathlib import Path

IMPORT = re.compile(
    r'^import (?:(?:\* as (?P<all>\w+)|\{(?P<names>[^}]*)\}) from )?"\./(?P<file>\w+)\.js";$', re.MULTILINE
)
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (?P<name>\w+))", re.MULTILINE)
LEFT_OVER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)


class UnsupportedScript(ValueError):
    """A script uses a form of import or export that this module doesn't know."""


def join_modules(entry: Path) -> str:
    """One script that does what loading the module and its imports would do."""
    return "\n".join(_as_function(path) for path in _add({}, entry, ()))


def _add(paths: dict[Path, None], path: Path, importers: tuple[Path, ...]) -> dict[Path, None]:
    """Add the module after those that it imports, each once."""
    if path in importers:
        raise UnsupportedScript(f"{path.name} imports itself, by way of others.")
    if path not in paths:
        for imported in IMPORT.finditer(path.read_text(encoding="utf-8")):
            _add(paths, path.with_name(f"{imported['file']}.js"), (*importers, path))
        paths[path] = None
    return paths


def _as_function(path: Path) -> str:
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    names = ", ".join(match["name"] for match in EXPORT.finditer(text))
    body = EXPORT.sub("", IMPORT.sub(_as_constant, text))
    if unknown := LEFT_OVER.search(body):
        raise UnsupportedScript(f"{path.name}: {unknown[0]}")
    return f"const {_variable(path.stem)} = (() => {{\n{body}return {{ {names} }};\n}})();"


def _as_constant(imported: re.Match[str]) -> str:
    if imported["all"]:
        return f"const {imported['all']} = {_variable(imported['file'])};"
    if imported["names"]:
        names = imported["names"].replace(" as ", ": ")
        return f"const {{{names}}} = {_variable(imported['file'])};"
    return ""


def _variable(name: str) -> str:
    return f"module_{name}"
