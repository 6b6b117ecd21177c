"""Is a tool's schema a schema? By its declared dialect (draft-07 or 2020-12), and the rules of ``x-mcp-header``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

Steps: TypeAlias = tuple[str | int, ...]

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_MAX_DEPTH = 100


def schema_complaint(schema: Any, *, root_object: bool) -> tuple[str, Steps] | None:
    """Why a value is no valid JSON Schema, and where in it; None when it is one.

    ``root_object``: an inputSchema, whose root must say ``"type": "object"``. A schema without ``$schema`` is 2020-12.
    No reference is followed: a schema is text from a stranger.
    """
    if isinstance(schema, bool):
        return None if not root_object else ("the root must be an object", ())
    if not isinstance(schema, dict):
        return "a schema is an object or a boolean", ()
    if _deeper_than(schema, _MAX_DEPTH):
        return f"nested deeper than {_MAX_DEPTH} levels: not checked", ()
    dialect = schema.get("$schema")
    if dialect is not None and not isinstance(dialect, str):
        return "$schema is not a string", ("$schema",)
    # Imported here: most runs meet no schema with anything to complain about, and start faster without it.
    import jsonschema
    from jsonschema.validators import validator_for

    validator: Any = jsonschema.Draft202012Validator
    if dialect is not None:
        found: Any = validator_for({"$schema": dialect}, default=None)  # type: ignore[arg-type]
        if found is None:
            return "the dialect of $schema is not known", ("$schema",)
        validator = found
    error = next(validator(validator.META_SCHEMA).iter_errors(schema), None)
    if error is not None:
        return _short(error.message), tuple(error.absolute_path)
    if root_object and schema.get("type") != "object":
        return 'the root must have "type": "object"', ("type",) if "type" in schema else ()
    return None


def _short(message: str) -> str:
    return message if len(message) <= 160 else message[:157] + "..."


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            inner
            for v in level
            for inner in (v.values() if isinstance(v, dict) else v)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def header_complaints(schema: dict[str, Any]) -> Iterator[tuple[str, Steps]]:
    """What is wrong with the ``x-mcp-header`` declarations of an inputSchema (MCP 2026-07-28, Streamable HTTP)."""
    seen: dict[str, Steps] = {}
    stack: list[tuple[Any, Steps, bool]] = [(schema, (), True)]
    while stack:
        value, at, reachable = stack.pop()
        if isinstance(value, list):
            stack += [(item, (*at, i), False) for i, item in reversed(list(enumerate(value)))]
            continue
        if not isinstance(value, dict):
            continue
        if "x-mcp-header" in value and len(at) > 0:
            yield from _header(value, at, reachable, seen)
        for key, inner in reversed(list(value.items())):
            if key == "properties" and isinstance(inner, dict):
                # Only a chain of `properties` keeps a parameter reachable from the root.
                stack += [(v, (*at, key, k), reachable) for k, v in reversed(list(inner.items()))]
            elif key not in ("default", "const", "enum", "examples"):
                stack.append((inner, (*at, key), False))


def _header(schema: dict[str, Any], at: Steps, reachable: bool, seen: dict[str, Steps]) -> Iterator[tuple[str, Steps]]:
    name = schema["x-mcp-header"]
    here = (*at, "x-mcp-header")
    if not isinstance(name, str):
        yield "x-mcp-header is not a string", here
        return
    if not name:
        yield "x-mcp-header is empty", here
    elif not _TOKEN.fullmatch(name):
        yield f'x-mcp-header "{name[:60]}" is no HTTP field name', here
    elif name.lower() in seen:
        yield f'x-mcp-header "{name[:60]}" is declared twice', here
    seen.setdefault(name.lower(), at)
    if schema.get("type") not in ("string", "integer", "boolean"):
        yield f'x-mcp-header "{name[:60]}" stands on something other than a string, an integer or a boolean', here
    if not reachable:
        yield f'x-mcp-header "{name[:60]}" is not reachable through properties alone', here
