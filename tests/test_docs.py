"""The documentation keeps up with the code: it describes what exists and nothing else, and its links work."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from django.core.management import get_commands
from django.db import models

from annotator.models import Conclusion, Role
from annotator.site.diagram import our_models
from profiles.attributes import CLOSED_LISTS, Attribute

PROJECT = Path(__file__).resolve().parents[1]
DOCS = PROJECT / "docs"
APPS = ("annotator", "profiles", "evaluation")
PAGES = [PROJECT / "README.md", PROJECT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]

PYTHON_READS = re.compile(
    r"""\b(?: env\.(?:str|bool|int|float|list|dict|json|url|db_url|cache_url|email_url|matching) \(
          | secret\(
          | os\.environ(?:\.get|\.setdefault|\.pop)? [(\[]
          | os\.getenv\( | \bgetenv\(
        ) \s* ["'](?P<name>[A-Z][A-Z0-9_]+)["']""",
    re.VERBOSE,
)
SCRIPT_READS = re.compile(r"\$\{(?P<name>[A-Z][A-Z0-9_]+):?[-?]")
SETTING_ROW = re.compile(r"^\| `(?P<name>[A-Z][A-Z0-9_]+)` \|", re.MULTILINE)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


# ── Commands ────────────────────────────────────────────────────────────────


def our_commands() -> list[str]:
    return sorted(name for name, app in get_commands().items() if app in APPS)


def test_there_are_commands_to_describe():
    assert {"up", "invite_person", "draw_entity_diagram"} <= set(our_commands())


def test_every_command_has_a_page():
    index = page("reference/commands/index.md")
    titles = {name: page(f"reference/commands/{name}.md").partition("\n")[0] for name in our_commands()}
    assert {name: title for name, title in titles.items() if title != f"# {name}"} == {}
    assert [name for name in our_commands() if f"[{name}]({name}.md)" not in index] == []


def test_every_command_page_has_a_command():
    described = {path.stem for path in (DOCS / "reference" / "commands").glob("*.md")} - {"index"}
    assert described == set(our_commands())


# ── Settings ────────────────────────────────────────────────────────────────


@cache
def variables_read() -> dict[str, str]:
    """Each environment variable that something reads, and one place where it does."""
    sources = [*(path for app in APPS for path in (PROJECT / app).rglob("*.py")), PROJECT / "manage.py"]
    scripts = [path for path in (PROJECT / "bin").iterdir() if path.is_file()]
    scripts.append(PROJECT / "docker-compose.yml")
    places: dict[str, str] = {}
    for pattern, files in ((PYTHON_READS, sources), (SCRIPT_READS, scripts)):
        for path in files:
            for match in pattern.finditer(path.read_text(encoding="utf-8")):
                places.setdefault(match["name"], str(path.relative_to(PROJECT)))
    return places


def test_the_search_for_variables_finds_them_in_every_form():
    assert {
        "TELLTALE_HOSTS": "annotator/config/settings.py",
        "TELLTALE_SECRET_KEY": "annotator/config/settings.py",
        "DATABASE_URL": "annotator/config/settings.py",
        "TELLTALE_MAIL_URL": "annotator/config/settings.py",
        "TELLTALE_WEB_PROCESSES": "annotator/config/gunicorn.py",
        "TELLTALE_HOME": "annotator/embedded/home.py",
        "TELLTALE_PYTHON": "bin/_install",
        "CHROMIUM": "bin/_browser",
        "TELLTALE_DATABASE_PASSWORD": "docker-compose.yml",
    }.keys() <= variables_read().keys()


def test_every_variable_is_in_the_settings_page():
    rows = SETTING_ROW.findall(page("reference/settings.md"))
    undescribed = {name: where for name, where in variables_read().items() if name not in rows}
    assert undescribed == {}


def test_the_settings_page_lists_nothing_that_is_not_read_and_nothing_twice():
    rows = SETTING_ROW.findall(page("reference/settings.md"))
    assert [name for name in rows if name not in variables_read()] == []
    assert sorted(rows) == sorted(set(rows))


# ── Words and rules ─────────────────────────────────────────────────────────


def test_every_attribute_and_its_values_are_explained():
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", page("reference/glossary.md"), re.MULTILINE))
    assert [attribute.value for attribute in Attribute if attribute.value not in rows] == []
    assert {
        attribute.value: missing
        for attribute, choices in CLOSED_LISTS.items()
        if (missing := [value for value in choices.values if f"`{value}`" not in rows[attribute.value]])
    } == {}


def test_every_entity_is_explained():
    explained = set(re.findall(r"^\| \*\*(\w+)\*\* \| \S", page("reference/glossary.md"), re.MULTILINE))
    assert {model.__name__ for model in (*our_models(), Conclusion, Role)} - explained == set()


def _rules(model: type[models.Model]) -> Iterator[str]:
    triggers = getattr(model._meta, "triggers", [])
    for rule in (*model._meta.constraints, *triggers):
        shared = issubclass(model, Conclusion)
        yield rule.name.removeprefix(f"{model._meta.model_name}_") if shared else rule.name


def test_every_rule_of_the_database_is_explained():
    text = page("reference/data-model.md")
    assert {
        model.__name__: missing
        for model in our_models()
        if (missing := [name for name in _rules(model) if f"`{name}`" not in text])
    } == {}


# ── Links ───────────────────────────────────────────────────────────────────


def links(path: Path) -> list[str]:
    """Targets of links and images, without those in code."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def inside(path: Path) -> list[tuple[str, Path, str]]:
    """Relative links of a page: as written, the file they mean, and the heading."""
    relative = [link for link in links(path) if not re.match(r"[a-z]+:", link)]
    return [(link, _file_meant(path, link), link.partition("#")[2]) for link in relative]


def _file_meant(path: Path, link: str) -> Path:
    name = unquote(link.partition("#")[0])
    return (path.parent / name).resolve() if name else path


def headings(path: Path) -> set[str]:
    """The anchors of a page, made as most Markdown readers make them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_link_leads_somewhere():
    broken = [
        f"{path.relative_to(PROJECT)}: {link}"
        for path in PAGES
        for link, target, heading in inside(path)
        if not target.is_file() or (heading and heading not in headings(target))
    ]
    assert broken == []


def test_every_page_can_be_reached_from_the_first():
    reached: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        waiting += [target for _, target, _ in inside(path) if target.suffix == ".md" and target.is_file()]
    assert [str(path.relative_to(PROJECT)) for path in DOCS.rglob("*.md") if path not in reached] == []


def test_every_page_has_one_title():
    assert [str(path.relative_to(PROJECT)) for path in PAGES if not _has_one_title(path)] == []


def _has_one_title(path: Path) -> bool:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return text.startswith("# ") and len(re.findall(r"^# ", text, re.MULTILINE)) == 1


def test_every_decision_says_why_what_and_what_follows():
    decisions = sorted((DOCS / "decisions").glob("0*.md"))
    titles = {path.stem: re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE) for path in decisions}
    assert titles
    assert {
        name: headings for name, headings in titles.items() if headings != ["Context", "Decision", "Consequences"]
    } == {}
