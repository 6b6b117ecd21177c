"""Schemas so plain that they are valid at sight: most of what tools declare, told without a validator's import."""

from __future__ import annotations

from typing import Any

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_DIALECTS = frozenset(
    {
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    }
)
_TEXT = frozenset({"title", "description", "$comment"})
_FREE = frozenset({"default", "const"})
_FLAGS = frozenset({"readOnly", "writeOnly", "uniqueItems"})
_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})
_MOST = 10_000


def is_plain(schema: Any) -> bool:
    """Whether a value is a schema made of the few keywords that draft-07 and 2020-12 share, each with a value that both
    allow. False says nothing: a validator must look."""
    todo = [schema]
    for _ in range(_MOST):
        if not todo:
            return True
        value = todo.pop()
        if isinstance(value, bool):
            continue
        if not isinstance(value, dict) or not all(_is_plain(key, inner, todo) for key, inner in value.items()):
            return False
    return False


def _is_plain(key: str, value: Any, todo: list[Any]) -> bool:
    if key == "type":
        return isinstance(value, str) and value in _TYPES
    if key in _TEXT:
        return isinstance(value, str)
    if key == "properties":
        if isinstance(value, dict):
            todo.extend(value.values())
            return True
        return False
    if key in ("items", "additionalProperties"):
        todo.append(value)
        return isinstance(value, dict | bool)
    if key == "required":
        return isinstance(value, list) and all(isinstance(v, str) for v in value) and len(set(value)) == len(value)
    if key in ("enum", "examples"):
        # Of other values equality is a question of its own; so is an empty enum.
        return isinstance(value, list) and bool(value) and _all_distinct_strings(value)
    if key in _COUNTS:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if key in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if key in _FLAGS:
        return isinstance(value, bool)
    return key in _FREE or (key == "$schema" and isinstance(value, str) and value in _DIALECTS)


def _all_distinct_strings(values: list[Any]) -> bool:
    return all(isinstance(v, str) for v in values) and len(set(values)) == len(values)
