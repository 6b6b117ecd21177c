"""A small language for the shape of a TOML table: the loader checks with it, the JSON Schema is drawn from it.

So the schema an editor reads and the loader that refuses a pack cannot disagree about a key, a type or a choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, TypeAlias

from mcp_cassette.errors import nearest

Kind: TypeAlias = Literal["string", "int", "bool", "strings", "table", "tables", "map", "date"]
Where: TypeAlias = tuple[str | int, ...]
Fail: TypeAlias = Callable[[Where, str], NoReturn]

_TYPE: Mapping[str, tuple[Any, str]] = {
    "string": (str, "a string"),
    "int": (int, "a whole number"),
    "bool": (bool, "true or false"),
    "strings": (list, "a list of strings"),
    "table": (dict, "a table"),
    "tables": (list, "a list of tables"),
    "map": (dict, "a table of tables"),
}


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table: its type and what its value may be. ``table`` describes the inner table(s)."""

    kind: Kind
    doc: str
    required: bool = False
    choices: tuple[str, ...] = ()
    pattern: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    min_length: int = 0
    max_length: int | None = None
    max_items: int | None = None
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its keys, and the groups of keys of which exactly one (or at least one) must be there."""

    name: str
    doc: str
    keys: Mapping[str, Key]
    exactly_one: tuple[tuple[str, ...], ...] = ()
    at_least_one: tuple[tuple[str, ...], ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """``{"within": ("any", …)}``: the key makes sense only beside one of these."""


def check(value: Mapping[str, Any], table: Table, fail: Fail, where: Where = ()) -> None:
    """Refuse a table that does not have the shape. ``fail(where, reason)`` raises; ``where`` is the path of keys."""
    for key, member in value.items():
        known = table.keys.get(key)
        if known is None:
            fail((*where, key), f"unknown key {key!r} in {table.name}{nearest(key, table.keys)}")
        _check_key(key, member, known, fail, (*where, key))
    for key, known in table.keys.items():
        if known.required and key not in value:
            fail(where, f"{table.name} has no {key!r}: {known.doc}")
    for group in table.exactly_one:
        present = [k for k in group if k in value]
        if len(present) != 1:
            found = "none" if not present else " and ".join(present)
            fail(where, f"{table.name} must have exactly one of {', '.join(group)} (found {found})")
    for group in table.at_least_one:
        if not any(k in value for k in group):
            fail(where, f"{table.name} must have at least one of {', '.join(group)}")
    for key, beside in table.needs.items():
        if key in value and not any(k in value for k in beside):
            fail((*where, key), f"{key!r} in {table.name} means nothing without {' or '.join(beside)}")


def _check_key(name: str, value: Any, key: Key, fail: Fail, where: Where) -> None:
    expected, words = _TYPE[key.kind]
    if not isinstance(value, expected) or (key.kind == "int" and isinstance(value, bool)):
        fail(where, f"{name!r} must be {words}")
    if key.kind == "string":
        _check_string(name, value, key, fail, where)
    elif key.kind == "int":
        if key.minimum is not None and value < key.minimum:
            fail(where, f"{name!r} must be at least {key.minimum}")
        if key.maximum is not None and value > key.maximum:
            fail(where, f"{name!r} must be at most {key.maximum}")
    elif key.kind == "strings":
        _check_size(name, value, key, fail, where)
        for i, item in enumerate(value):
            if not isinstance(item, str):
                fail((*where, i), f"{name!r} must be a list of strings")
            _check_string(name, item, key, fail, (*where, i))
    elif key.kind == "tables":
        _check_size(name, value, key, fail, where)
        for i, item in enumerate(value):
            if not isinstance(item, dict):
                fail((*where, i), f"{name!r} must be a list of tables")
            if key.table is not None:
                check(item, key.table, fail, (*where, i))
    elif key.kind == "map":
        _check_map(name, value, key, fail, where)
    elif key.table is not None:
        check(value, key.table, fail, where)


def _check_size(name: str, value: list[Any], key: Key, fail: Fail, where: Where) -> None:
    if len(value) < key.min_length:
        fail(where, f"{name!r} must have at least {key.min_length} item{'s' if key.min_length > 1 else ''}")
    if key.max_items is not None and len(value) > key.max_items:
        fail(where, f"{name!r} has more than {key.max_items:,} items")


def _check_map(name: str, value: Mapping[str, Any], key: Key, fail: Fail, where: Where) -> None:
    for inner, item in value.items():
        if not isinstance(item, dict):
            fail((*where, inner), f"{name}.{inner} must be a table")
        if key.choices and inner not in key.choices:
            fail((*where, inner), f"unknown word {inner!r} in {name!r}{nearest(inner, key.choices)}")
        if key.pattern and not re.fullmatch(key.pattern, inner):
            fail((*where, inner), f"a name in {name!r} must look like {key.pattern}, not {inner!r}")
        if key.table is not None:
            check(item, key.table, fail, (*where, inner))


def _check_string(name: str, value: str, key: Key, fail: Fail, where: Where) -> None:
    if key.choices and value not in key.choices:
        shown = f": one of {', '.join(key.choices)}" if len(key.choices) <= 12 else ""
        fail(where, f"unknown word {value!r} in {name!r}{nearest(value, key.choices)}{shown}")
    if key.pattern and not re.fullmatch(key.pattern, value):
        fail(where, f"{name!r} must look like {key.pattern}, not {value!r}")
    if key.kind == "string" and len(value) < key.min_length:
        fail(where, f"{name!r} must not be empty")
    if key.max_length is not None and len(value) > key.max_length:
        what = "an item of " if key.kind == "strings" else ""
        fail(where, f"{what}{name!r} is longer than {key.max_length} characters")


def schema(table: Table) -> dict[str, Any]:
    """The same shape as JSON Schema 2020-12 (one inlined object)."""
    out: dict[str, Any] = {
        "type": "object",
        "description": table.doc,
        "properties": {name: _key_schema(key) for name, key in table.keys.items()},
        "additionalProperties": False,
    }
    required = [name for name, key in table.keys.items() if key.required]
    if required:
        out["required"] = required
    every: list[dict[str, Any]] = []
    every += [{"oneOf": [{"required": [k]} for k in group]} for group in table.exactly_one]
    every += [{"anyOf": [{"required": [k]} for k in group]} for group in table.at_least_one]
    every += [
        {"if": {"required": [key]}, "then": {"anyOf": [{"required": [k]} for k in beside]}}
        for key, beside in table.needs.items()
    ]
    if every:
        out["allOf"] = every
    return out


def _key_schema(key: Key) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string"}
    if key.choices:
        text["enum"] = list(key.choices)
    if key.pattern:
        text["pattern"] = f"^(?:{key.pattern})$"
    if key.max_length is not None:
        text["maxLength"] = key.max_length
    if key.kind == "string":
        out = text | ({"minLength": key.min_length} if key.min_length else {})
    elif key.kind == "int":
        out = {"type": "integer"}
        out |= {"minimum": key.minimum} if key.minimum is not None else {}
        out |= {"maximum": key.maximum} if key.maximum is not None else {}
    elif key.kind == "bool":
        out = {"type": "boolean"}
    elif key.kind == "strings":
        out = {"type": "array", "items": text} | _sizes(key)
    elif key.kind == "tables":
        items = schema(key.table) if key.table else {"type": "object"}
        out = {"type": "array", "items": items} | _sizes(key)
    elif key.kind == "map":
        inner = schema(key.table) if key.table else {"type": "object"}
        out = {"type": "object", "additionalProperties": inner}
        names = {k: v for k, v in text.items() if k in ("enum", "pattern")}
        out |= {"propertyNames": names} if names else {}
    else:
        out = schema(key.table) if key.table else {"type": "object"}
    return out | {"description": key.doc}


def _sizes(key: Key) -> dict[str, int]:
    sizes = {"minItems": key.min_length or None, "maxItems": key.max_items}
    return {word: size for word, size in sizes.items() if size is not None}
