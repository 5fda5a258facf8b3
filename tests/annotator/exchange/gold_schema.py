"""A checker for JSON Schema, as far as our own schema goes: an unknown keyword is an error, so that none is ignored."""

import json
import re
from functools import cache
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[3] / "annotator" / "data" / "gold.schema.json"
SILENT = {"$schema", "$id", "$defs", "title", "description"}
KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


@cache
def schema() -> dict:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def problems(value: object, rule: dict | None = None, path: str = "$") -> list[str]:
    """Where a value breaks the schema, and which keyword says so."""
    rule = schema() if rule is None else rule
    if "$ref" in rule:
        rule = schema()["$defs"][rule["$ref"].removeprefix("#/$defs/")]
    found = []
    for keyword, asked in rule.items():
        if keyword not in SILENT:
            found += CHECKS[keyword](value, asked, rule, path)
    return found


def _type(value, asked, rule, path):
    kinds = asked if isinstance(asked, list) else [asked]
    fits = any(isinstance(value, KINDS[kind]) and (kind == "boolean") == isinstance(value, bool) for kind in kinds)
    return [] if fits else [f"{path}: type"]


def _properties(value, asked, rule, path):
    if not isinstance(value, dict):
        return []
    there = {name: inner for name, inner in asked.items() if name in value}
    return [one for name, inner in there.items() for one in problems(value[name], inner, f"{path}.{name}")]


def _additional(value, asked, rule, path):
    more = set(value) - set(rule.get("properties", {})) if isinstance(value, dict) else set()
    if asked is False:
        return [f"{path}.{name}: additionalProperties" for name in sorted(more)]
    return [one for name in sorted(more) for one in problems(value[name], asked, f"{path}.{name}")]


def _items(value, asked, rule, path):
    each = enumerate(value) if isinstance(value, list) else ()
    return [one for number, inner in each for one in problems(inner, asked, f"{path}[{number}]")]


def _names(value, asked, rule, path):
    return [one for name in value for one in problems(name, asked, f"{path}.{name}")] if isinstance(value, dict) else []


def _simple(keyword, fits):
    return lambda value, asked, rule, path: [] if fits(value, asked) else [f"{path}: {keyword}"]


CHECKS = {
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "propertyNames": _names,
    "required": _simple("required", lambda value, asked: not isinstance(value, dict) or set(asked) <= set(value)),
    "const": _simple("const", lambda value, asked: value == asked),
    "enum": _simple("enum", lambda value, asked: value in asked),
    "minimum": _simple("minimum", lambda value, asked: not isinstance(value, int) or value >= asked),
    "maximum": _simple("maximum", lambda value, asked: not isinstance(value, int) or value <= asked),
    "minLength": _simple("minLength", lambda value, asked: not isinstance(value, str) or len(value) >= asked),
    "maxLength": _simple("maxLength", lambda value, asked: not isinstance(value, str) or len(value) <= asked),
    "minItems": _simple("minItems", lambda value, asked: not isinstance(value, list) or len(value) >= asked),
    "pattern": _simple("pattern", lambda value, asked: not isinstance(value, str) or bool(re.search(asked, value))),
}
