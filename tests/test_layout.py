"""The layout holds: packages have import contracts, modules are nouns, models state rules, imports are at the top."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
APPS = ("profiles", "annotator", "evaluation")
FILES_OF_A_FEATURE = {"urls", "views", "services", "forms", "queries", "tasks"}
OUTSIDE_LAYERS = {"apps", "migrations"}
VAGUE = {"one", "each", "said", "told", "found", "asked", "wanted"}  # where a noun is known
NOUNS = {"labelling", "ceiling", "drawing", "matching", "sampling", "embedded", "formatting", "masking", "rewriting"}


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    return [contract for contract in settings["tool"]["importlinter"]["contracts"] if contract["type"] == "layers"]


def layers(contract: dict[str, Any]) -> set[str]:
    return {name.strip(" ()") for line in contract["layers"] for name in line.split("|")}


def modules(folder: Path) -> set[str]:
    """Its modules and packages by name."""
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    return packages | {path.stem for path in folder.glob("*.py")} - {"__init__"}


# ── Import contracts ────────────────────────────────────────────────────────


def test_every_package_has_a_layer():
    listed = {
        f"{container}.{layer}"
        for contract in contracts()
        for container in contract.get("containers", [])
        for layer in layers(contract)
    }
    present = {f"{app}.{name}" for app in APPS for name in modules(PROJECT / app) - OUTSIDE_LAYERS}
    assert present - listed == set()


def test_only_what_django_asks_for_stands_outside_the_layers():
    assert {name for contract in contracts() for name in contract.get("exhaustive_ignores", [])} <= OUTSIDE_LAYERS


def test_every_feature_keeps_the_order_of_its_files():
    (contract,) = (contract for contract in contracts() if contract["name"] == "files of a feature")
    features = {
        f"{app}.{folder.name}"
        for app in ("annotator", "evaluation")
        for folder in (PROJECT / app).iterdir()
        if folder.name != "config" and modules(folder) & FILES_OF_A_FEATURE
    }
    assert features - set(contract["containers"]) == set()
    assert layers(contract) == FILES_OF_A_FEATURE


# ── Names ───────────────────────────────────────────────────────────────────


def sources() -> list[Path]:
    files = [path for app in APPS for path in (PROJECT / app).rglob("*.py")]
    return sorted(path for path in files if "migrations" not in path.parts)


@cache
def syntax_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def test_modules_are_nouns():
    """Neither gerunds nor participles: what a module holds, not what happens in it."""
    names = {(path.parent if path.stem == "__init__" else path).relative_to(PROJECT) for path in sources()}
    assert [str(name) for name in sorted(names) if not _is_noun(name.stem)] == []


def _is_noun(name: str) -> bool:
    return name in NOUNS or not re.search(r"(?:ing|ed)$", name)


def test_locals_and_parameters_are_nouns():
    """Columns and form fields keep their names: they stand in databases and pages."""
    vague = [
        f"{path.relative_to(PROJECT)}:{node.lineno}: {name}"
        for path in [*sources(), *sorted((PROJECT / "tests").rglob("*.py"))]
        if "benchmarks" not in path.parts
        for node, name in _local_names(syntax_tree(path))
        if name.strip("_") in VAGUE
    ]
    assert vague == []


def _local_names(tree: ast.Module) -> Iterator[tuple[Any, str]]:
    """Parameters, loop variables and what is assigned inside functions."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    for node in {inner for function in functions for inner in ast.walk(function)}:
        if isinstance(node, ast.arg):
            yield node, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node, node.id


# ── Rules ───────────────────────────────────────────────────────────────────

RULES = {  # what nobody outside the models writes out in a query: what to call instead
    "ready_at__isnull": "ready() or visible()",
    "with_names=False)": "Export.objects.readable_by()",
    "started_at__isnull": "Batch.objects.started() or open()",
    "revoked_at=None": "Invitation.objects.open()",
    "done_at__isnull": "DetectionChunk.objects.done(), or DONE",
    "done_at=None)": "DetectionChunk.objects.open()",
    "annotator=None, claimed_at=None": "Assignment.objects.in_pool(), or IN_POOL",
    "claimed_at__isnull": "Assignment.objects.readable_by() or held()",
}


def test_rules_are_stated_on_their_models():
    outside = [path for path in sources() if path.parent.name != "models"]
    assert [
        f"{path.relative_to(PROJECT)}: {text}: call {method}"
        for path in outside
        for text, method in RULES.items()
        if text in path.read_text()
    ] == []


# ── Imports ─────────────────────────────────────────────────────────────────


def test_imports_inside_functions_say_why():
    """import-linter sees them, but not that they hide a cycle or a cost."""
    silent = [
        f"{path.relative_to(PROJECT)}:{node.lineno}"
        for path in sources()
        if path.name != "apps.py"  # models are there only once the application is ready
        for node in _unexplained(path)
    ]
    assert silent == []


def _unexplained(path: Path) -> Iterator[ast.stmt]:
    lines, tree = path.read_text().splitlines(), syntax_tree(path)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for block in {block for function in functions for block in ast.walk(function) if hasattr(block, "body")}:
        explained = False  # one reason holds for the imports that follow it
        for node in block.body if isinstance(block.body, list) else ():
            if isinstance(node, ast.Import | ast.ImportFrom):
                above, line = lines[node.lineno - 2 : node.lineno]
                explained = explained or above.lstrip().startswith("#") or _has_reason(line)
                if not explained:
                    yield node


def _has_reason(line: str) -> bool:
    comment = re.sub(r"noqa: [\w, ]*?(?=\s[^A-Z]|$)", "", line.partition("#")[2])
    return bool(re.search(r"[a-z]{2}", comment))
