"""A checker for the JSON Schema keywords that our schema uses. An unknown keyword is an error."""

import json
import re
from functools import cache
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[3] / "annotator" / "data" / "gold.schema.json"
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}
KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


@cache
def schema() -> dict:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def problems(value: object, rule: dict | None = None, path: str = "$") -> list[str]:
    """Where a value violates the schema, and which keyword."""
    rule = schema() if rule is None else rule
    if "$ref" in rule:
        rule = schema()["$defs"][rule["$ref"].removeprefix("#/$defs/")]
    errors = []
    for keyword, expected in rule.items():
        if keyword not in ANNOTATIONS:
            errors += CHECKS[keyword](value, expected, rule, path)
    return errors


def _type(value, expected, rule, path):
    kinds = expected if isinstance(expected, list) else [expected]
    fits = any(isinstance(value, KINDS[kind]) and (kind == "boolean") == isinstance(value, bool) for kind in kinds)
    return [] if fits else [f"{path}: type"]


def _properties(value, expected, rule, path):
    if not isinstance(value, dict):
        return []
    present = {name: inner for name, inner in expected.items() if name in value}
    return [error for name, inner in present.items() for error in problems(value[name], inner, f"{path}.{name}")]


def _additional(value, expected, rule, path):
    more = set(value) - set(rule.get("properties", {})) if isinstance(value, dict) else set()
    if expected is False:
        return [f"{path}.{name}: additionalProperties" for name in sorted(more)]
    return [error for name in sorted(more) for error in problems(value[name], expected, f"{path}.{name}")]


def _items(value, expected, rule, path):
    items = enumerate(value) if isinstance(value, list) else ()
    return [error for number, inner in items for error in problems(inner, expected, f"{path}[{number}]")]


def _names(value, expected, rule, path):
    return (
        [error for name in value for error in problems(name, expected, f"{path}.{name}")]
        if isinstance(value, dict)
        else []
    )


def _simple(keyword, fits):
    return lambda value, expected, rule, path: [] if fits(value, expected) else [f"{path}: {keyword}"]


CHECKS = {
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "propertyNames": _names,
    "required": _simple("required", lambda value, expected: not isinstance(value, dict) or set(expected) <= set(value)),
    "const": _simple("const", lambda value, expected: value == expected),
    "enum": _simple("enum", lambda value, expected: value in expected),
    "minimum": _simple("minimum", lambda value, expected: not isinstance(value, int) or value >= expected),
    "maximum": _simple("maximum", lambda value, expected: not isinstance(value, int) or value <= expected),
    "minLength": _simple("minLength", lambda value, expected: not isinstance(value, str) or len(value) >= expected),
    "maxLength": _simple("maxLength", lambda value, expected: not isinstance(value, str) or len(value) <= expected),
    "minItems": _simple("minItems", lambda value, expected: not isinstance(value, list) or len(value) >= expected),
    "pattern": _simple(
        "pattern", lambda value, expected: not isinstance(value, str) or bool(re.search(expected, value))
    ),
}
