"""Is a tool's schema a schema? By its declared dialect (draft-07 or 2020-12), and the rules of ``x-mcp-header``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from mcp_cassette.lint.plain_schema import is_plain
from mcp_cassette.model import Path

Steps: TypeAlias = tuple[str | int, ...]
Complaint: TypeAlias = tuple[str, Steps]

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_MAX_DEPTH = 100
_MAX_WEIGHT = 25_000
"""The largest schema that is checked, in values; the library needs 10 to 60 microseconds for one, in every dialect."""
_FILE_WEIGHT = 50_000
"""The same for all schemas of a file together."""
_CHARACTERS = 500
"""So many characters weigh as much as a value, and again at every level: the library quotes what it complains of."""
_YEARS = "https://json-schema.org/draft/"
_DEFAULT = f"{_YEARS}2020-12/schema"
_DYNAMIC = (("$dynamicRef", "#meta"), ("$recursiveRef", "#"))
_VOCABULARIES = {
    "2019-09": ("core", "applicator", "validation", "meta-data", "format", "content"),
    "2020-12": ("core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content"),
}
_MAPS = frozenset({"$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"})
"""Keywords whose value is a map from any name to a schema."""


class SchemaCheck:
    """Checks the schemas of one file: each different one once, and all together within a budget."""

    def __init__(self) -> None:
        self._left = _FILE_WEIGHT
        self._known: dict[bytes, Complaint | None] = {}

    def complaint(self, schema: Any, *, root_object: bool) -> Complaint | None:
        """Why a value is no valid JSON Schema, and where in it; None when it is one.

        ``root_object``: an inputSchema, whose root must say ``"type": "object"``. A schema without ``$schema`` is
        2020-12. No reference is followed: a schema is text from a stranger. What is too large to be checked is a
        complaint; the first schema beyond the budget of the file is one for all that come after it.
        """
        if isinstance(schema, bool):
            return None if not root_object else ("the root must be an object", ())
        if not isinstance(schema, dict):
            return "a schema is an object or a boolean", ()
        if is_plain(schema):
            return _root_complaint(schema) if root_object else None
        depth = _depth(schema, _MAX_DEPTH)
        if depth > _MAX_DEPTH:
            return f"nested deeper than {_MAX_DEPTH} levels: not checked", ()
        text = repr(schema)
        weight = _values(schema) + len(text) * depth // _CHARACTERS
        if weight > _MAX_WEIGHT:
            return f"too large (more than {_MAX_WEIGHT:,} values, or long and nested): not checked", ()
        key = hashlib.sha256(f"{root_object} {text}".encode()).digest()
        if key not in self._known:
            if self._left < 0:
                return None
            self._left -= weight
            if self._left < 0:
                return "not checked, nor is any schema after it: those of this file are too large together", ()
            self._known[key] = _complaint(schema, root_object)
        return self._known[key]


def _complaint(schema: dict[str, Any], root_object: bool) -> Complaint | None:
    dialect = schema.get("$schema")
    if dialect is not None and not isinstance(dialect, str):
        return "$schema is not a string", ("$schema",)
    validator = _validator(dialect or _DEFAULT)
    if validator is None:
        return "the dialect of $schema is not known", ("$schema",)
    error = next(validator.iter_errors(schema), None)
    if error is not None:
        return _short(error.message), tuple(error.absolute_path)
    return _root_complaint(schema) if root_object else None


def _root_complaint(schema: dict[str, Any]) -> Complaint | None:
    if schema.get("type") == "object":
        return None
    return 'the root must have "type": "object"', ("type",) if "type" in schema else ()


@lru_cache(64)
def _validator(dialect: str) -> Any:
    """A validator of the schemas of a dialect, or None when it is not known."""
    # Imported here: most runs meet no schema with anything to complain about, and start faster without it.
    from jsonschema.validators import extend, validator_for

    try:
        found: Any = validator_for({"$schema": dialect}, default=None)  # type: ignore[arg-type]
    except ValueError:  # not even a URI
        return None
    if found is None:
        return None
    year = dialect.rstrip("#").removeprefix(_YEARS).removesuffix("/schema")
    if year in _VOCABULARIES:
        meta = _one_piece(found.META_SCHEMA, year)
    else:
        # With its $schema the library would go on below the root with a validator of its own, without our keywords.
        meta = {key: value for key, value in found.META_SCHEMA.items() if key != "$schema"}
    return extend(found, {"uniqueItems": _unique, "additionalProperties": _others})(meta)  # type: ignore[no-untyped-call]


def _one_piece(main: Any, year: str) -> dict[str, Any]:
    """The meta-schema of 2019-09 or 2020-12 without its dynamic references, which make it seven times slower."""
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

    parts = [REGISTRY[f"{_YEARS}{year}/meta/{name}"].contents for name in _VOCABULARIES[year]]
    out: dict[str, Any] = {"type": ["object", "boolean"], "properties": {}, "$defs": {}}
    for part in (*parts, main):
        for key in ("properties", "$defs"):
            out[key] |= _static(part.get(key, {}))
    return out


def _static(value: Any) -> Any:
    if isinstance(value, dict):
        out = {key: _static(inner) for key, inner in value.items() if (key, inner) not in _DYNAMIC}
        if len(out) < len(value):
            out["$ref"] = "#"
        elif isinstance(out.get("$ref"), str):
            out["$ref"] = "#" + out["$ref"].partition("#")[2]  # every part is in this one piece now
        return out
    return [_static(inner) for inner in value] if isinstance(value, list) else value


def _unique(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """``uniqueItems`` in linear time: the library compares objects pair by pair."""
    from jsonschema import ValidationError

    if wanted and isinstance(instance, list):
        seen = {json.dumps(item, sort_keys=True) for item in instance}
        if len(seen) < len(instance):
            yield ValidationError(f"{instance!r} has non-unique elements")


def _others(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """``additionalProperties`` in the order of the text: that of the library is another one in each run."""
    if isinstance(instance, dict):
        for key, value in instance.items():
            if key not in schema.get("properties", ()):
                yield from validator.descend(value, wanted, path=key)


def _short(message: str) -> str:
    return message if len(message) <= 160 else message[:157] + "..."


def _depth(value: Any, limit: int) -> int:
    """How many levels of objects and lists there are; more than ``limit`` are not counted."""
    level, depth = [value], 0
    while level and depth <= limit:
        depth += 1
        level = [
            inner
            for v in level
            for inner in (v.values() if isinstance(v, dict) else v)
            if isinstance(inner, dict | list)
        ]
    return depth


def _values(value: Any) -> int:
    """How many values there are in it, itself included."""
    stack, seen = [value], 0
    while stack:
        inner = stack.pop()
        seen += 1
        if isinstance(inner, dict | list):
            stack += inner.values() if isinstance(inner, dict) else inner
    return seen


def header_complaints(schema: dict[str, Any]) -> Iterator[tuple[str, Steps]]:
    """What is wrong with the ``x-mcp-header`` declarations of an inputSchema (MCP 2026-07-28, Streamable HTTP)."""
    seen: set[str] = set()
    stack: list[tuple[Any, Path, bool]] = [(schema, (), True)]
    while stack:
        value, at, reachable = stack.pop()
        if isinstance(value, list):
            stack += [(item, (at, i), False) for i, item in reversed(list(enumerate(value)))]
            continue
        if not isinstance(value, dict):
            continue
        if at and "x-mcp-header" in value:
            yield from _header(value, _steps(at), reachable, seen)
        for key, inner in reversed(list(value.items())):
            if key == "properties" and isinstance(inner, dict):
                # Only a chain of `properties` keeps a parameter reachable from the root.
                stack += [(v, ((at, key), k), reachable) for k, v in reversed(list(inner.items()))]
            elif key in _MAPS and isinstance(inner, dict):
                stack += [(v, ((at, key), k), False) for k, v in reversed(list(inner.items()))]
            elif key not in ("default", "const", "enum", "examples"):
                stack.append((inner, (at, key), False))


def _steps(path: Path) -> Steps:
    steps: list[str | int] = []
    while path:
        path, step = path
        steps.append(step)
    return tuple(reversed(steps))


def _header(schema: dict[str, Any], at: Steps, reachable: bool, seen: set[str]) -> Iterator[tuple[str, Steps]]:
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
    seen.add(name.lower())
    if schema.get("type") not in ("string", "integer", "boolean"):
        yield f'x-mcp-header "{name[:60]}" stands on something other than a string, an integer or a boolean', here
    if not reachable:
        yield f'x-mcp-header "{name[:60]}" is not reachable through properties alone', here
