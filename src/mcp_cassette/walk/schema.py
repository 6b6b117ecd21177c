"""The texts of a JSON Schema (2020-12, and what older dialects called differently)."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcp_cassette.formats.entries import members
from mcp_cassette.model import Path
from mcp_cassette.walk.sink import Sink, collect


class SchemaSurfaces(NamedTuple):
    """Where the texts of a schema go: what it says, the names in it, and everything else."""

    says: str
    names: str
    other: str


TOOL_SCHEMA = SchemaSurfaces("tool.schema", "tool.key", "tool.other")
ELICITATION_SCHEMA = SchemaSurfaces("ask.elicitation", "ask.elicitation", "ask.elicitation")

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})

SAYS = frozenset({"title", "description", "default", "const", "enum", "examples", "example", "enumNames"})
"""Keywords whose strings a model reads as words, whatever their type and depth."""

NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose members are schemas under names that the author chose."""

NAMED_LISTS = frozenset({"dependentRequired", "dependencies"})
"""Keywords whose members are lists of property names (``dependencies`` may hold schemas too)."""

VOCABULARY = (
    SAYS
    | NAMED
    | NAMED_LISTS
    | frozenset(
        {
            "$anchor",
            "$comment",
            "$dynamicAnchor",
            "$dynamicRef",
            "$id",
            "$recursiveAnchor",
            "$recursiveRef",
            "$ref",
            "$schema",
            "$vocabulary",
            "additionalItems",
            "additionalProperties",
            "allOf",
            "anyOf",
            "contains",
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
            "deprecated",
            "else",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "id",
            "if",
            "items",
            "maxContains",
            "maxItems",
            "maxLength",
            "maxProperties",
            "maximum",
            "minContains",
            "minItems",
            "minLength",
            "minProperties",
            "minimum",
            "multipleOf",
            "not",
            "nullable",
            "oneOf",
            "pattern",
            "prefixItems",
            "propertyNames",
            "readOnly",
            "required",
            "then",
            "type",
            "unevaluatedItems",
            "unevaluatedProperties",
            "uniqueItems",
            "writeOnly",
            "x-mcp-header",
        }
    )
)
"""The keywords that are not themselves read as names."""

_NOBODY: frozenset[str] = frozenset()


class _Node(NamedTuple):
    value: Any
    path: Path
    named: bool  # the members are named schemas, not keywords
    properties: frozenset[str]  # the property names that a list of names may hold without being read


def read_schema(sink: Sink, value: Any, path: Path, to: SchemaSurfaces) -> None:
    """Put the texts of a schema, or of whatever stands in its place, on the surfaces of ``to``.

    Not put: ``type`` words of JSON Schema, and names in ``required`` that are properties of the same schema. The value
    of an unknown keyword is walked as a schema, because a description in it is as readable as any other.
    """
    if sink.wanted.isdisjoint(to):
        return
    stack = [_Node(value, path, False, _NOBODY)]
    while stack:
        node = stack.pop()
        nested: list[_Node] = []
        if isinstance(node.value, str):
            sink.put(node.value, to.other, node.path)
        elif isinstance(node.value, list):
            for index, child in enumerate(node.value):
                _child(sink, child, (node.path, index), to, nested, node.properties)
        elif isinstance(node.value, dict):
            (_named if node.named else _keywords)(sink, node, to, nested)
        nested.reverse()
        stack += nested


def _child(
    sink: Sink, child: Any, at: Path, to: SchemaSurfaces, nested: list[_Node], properties: frozenset[str] = _NOBODY
) -> None:
    if isinstance(child, str):
        if child not in properties:
            sink.put(child, to.other, at)
    elif isinstance(child, dict | list):
        nested.append(_Node(child, at, False, _NOBODY))


def _named(sink: Sink, node: _Node, to: SchemaSurfaces, nested: list[_Node]) -> None:
    for key, child in members(node.value):
        at = (node.path, key)
        sink.put(key, to.names, at, True)
        if isinstance(child, list):
            nested.append(_Node(child, at, False, node.properties))
        else:
            _child(sink, child, at, to, nested)


def _keywords(sink: Sink, node: _Node, to: SchemaSurfaces, nested: list[_Node]) -> None:
    for key, child in members(node.value):
        at = (node.path, key)
        if key not in VOCABULARY:
            sink.put(key, to.names, at, True)
        if key in SAYS:
            collect(sink, child, at, to.says, to.names)
        elif key == "type":
            if isinstance(child, list):
                nested.append(_Node(child, at, False, TYPES))
            elif not (isinstance(child, str) and child in TYPES):
                _child(sink, child, at, to, nested)
        elif key == "required" and isinstance(child, list):
            nested.append(_Node(child, at, False, _properties(node.value)))
        elif key in NAMED_LISTS and isinstance(child, dict):
            nested.append(_Node(child, at, True, _properties(node.value)))
        elif key in NAMED and isinstance(child, dict):
            nested.append(_Node(child, at, True, _NOBODY))
        else:
            _child(sink, child, at, to, nested)


def _properties(schema: dict[str, Any]) -> frozenset[str]:
    """The property names of a schema (of each ``properties`` where that occurs twice)."""
    return frozenset(
        name
        for key, value in members(schema)
        if key == "properties" and isinstance(value, dict)
        for name, _ in members(value)
    )
