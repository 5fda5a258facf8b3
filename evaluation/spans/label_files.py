"""Label schemes from TOML or JSON files, and the presets that come along.

A file has up to five keys: `name`, `map` (label to label), `groups` (lists of labels that "relaxed" matching takes for
the same), `ignored` (labels that are not scored) and `branches` (label to branch). Everything but the keys of `map`
are labels as they are after mapping.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from evaluation.spans.labels import LabelScheme

PRESET_FOLDER = Path(__file__).parent / "presets"
PRESETS = tuple(sorted(path.stem for path in PRESET_FOLDER.glob("*.toml")))
KEYS = ("name", "map", "groups", "ignored", "branches")


class UnreadableScheme(Exception):
    """A label file that can't be used. Its sentence names the key that is wrong."""


def load_preset(name: str) -> LabelScheme:
    if name not in PRESETS:
        raise UnreadableScheme(f"There is no preset “{name}”. Choose one of: {', '.join(PRESETS)}.")
    return load_scheme(PRESET_FOLDER / f"{name}.toml")


def load_scheme(path: Path) -> LabelScheme:
    """Load a TOML or JSON file. Raises UnreadableScheme."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError:
        raise UnreadableScheme(f"The label file “{path.name}” can't be opened.") from None
    except UnicodeDecodeError:
        raise UnreadableScheme(f"The label file “{path.name}” isn't UTF-8. Save it as UTF-8.") from None
    return parse_scheme(text, name=path.stem)


def parse_scheme(text: str, *, name: str) -> LabelScheme:
    """Parse a scheme; `name` is used if the file has none. Raises UnreadableScheme."""
    data = _data(text)
    unknown = sorted(set(data) - set(KEYS))
    if unknown:
        raise UnreadableScheme(f"The key “{unknown[0]}” is unknown. A label file has {', '.join(KEYS)}.")
    scheme = LabelScheme(
        name=_name(data, name),
        mapping=_labels_by_label(data, "map"),
        groups=_groups(data),
        ignored=frozenset(_labels(data.get("ignored", []), "ignored")),
        branches=_labels_by_label(data, "branches"),
    )
    _check_reachable(scheme)
    return _with_digest(scheme)


def digest(scheme: LabelScheme) -> str:
    """SHA-256 of what the scheme does: the order in the file, comments and the name don't matter."""
    groups = sorted(sorted(group) for group in scheme.groups)
    mapping = {label: target for label, target in scheme.mapping.items() if label != target}
    contents = [mapping, groups, sorted(scheme.ignored), dict(scheme.branches)]
    canonical = json.dumps(contents, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _with_digest(scheme: LabelScheme) -> LabelScheme:
    return LabelScheme(scheme.name, scheme.mapping, scheme.groups, scheme.ignored, scheme.branches, digest(scheme))


def _data(text: str) -> dict[str, Any]:
    is_json = text.lstrip().startswith("{")
    try:
        data = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        kind = "JSON" if is_json else "TOML"
        raise UnreadableScheme(f"The label file isn't valid {kind}{place}.") from None
    return dict(data)


def _name(data: Mapping[str, Any], default: str) -> str:
    name = data.get("name", default)
    if not isinstance(name, str) or not name.strip() or set(name) & set("|:\n"):
        raise UnreadableScheme("The key “name” must be text without “|”, “:” and line breaks.")
    return name


def _labels_by_label(data: Mapping[str, Any], key: str) -> dict[str, str]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise UnreadableScheme(f"The key “{key}” must be a table of labels.")
    for label, target in table.items():
        if not label or not isinstance(target, str) or not target:
            raise UnreadableScheme(f"In “{key}”, “{label}” must map to a label in quotation marks.")
    return dict(table)


def _groups(data: Mapping[str, Any]) -> tuple[frozenset[str], ...]:
    groups = data.get("groups", [])
    if not isinstance(groups, list):
        raise UnreadableScheme("The key “groups” must be a list of lists of labels.")
    sets = tuple(frozenset(_labels(group, "groups")) for group in groups)
    if any(len(group) < 2 for group in sets):
        raise UnreadableScheme("In “groups”, each group needs two labels or more.")
    return sets


def _labels(value: object, key: str) -> Iterable[str]:
    if not isinstance(value, list) or not all(isinstance(label, str) and label for label in value):
        raise UnreadableScheme(f"The key “{key}” must contain lists of labels in quotation marks.")
    return value


def _check_reachable(scheme: LabelScheme) -> None:
    """A label that is mapped away never comes up again, so that a rule about it would silently do nothing."""
    used = {
        "map": set(scheme.mapping.values()),
        "groups": set().union(*scheme.groups),
        "ignored": scheme.ignored,
        "branches": set(scheme.branches),
    }
    for key, labels in used.items():
        for label in sorted(labels):
            if scheme.mapped(label) != label:
                raise UnreadableScheme(f"“{key}” names “{label}”, but “map” turns it into “{scheme.mapped(label)}”.")
