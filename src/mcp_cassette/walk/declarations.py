"""The texts of what a server declares: tools, prompts, resources and templates, one item at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp_cassette.model import Path
from mcp_cassette.walk.schema import TOOL_SCHEMA, read_schema
from mcp_cassette.walk.sink import Sink, collect, fields

_TOOL = frozenset({"name", "title", "description", "annotations", "inputSchema", "outputSchema", "icons", "execution"})
_ANNOTATIONS = frozenset({"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
_ICONS = frozenset({"src", "mimeType", "sizes", "theme"})
_EXECUTION = frozenset({"taskSupport"})
_KNOWN_INSIDE = {"annotations": _ANNOTATIONS, "icons": _ICONS, "execution": _EXECUTION}
_NOTHING: frozenset[str] = frozenset()


def read_tool(sink: Sink, value: Any, path: Path) -> None:
    """A tool as ``tools/list`` gives it, or whatever stands in its place.

    Every member name outside the protocol's vocabulary goes to ``tool.key``, at any depth.
    """
    if not isinstance(value, dict):
        collect(sink, value, path, "tool.other", "tool.key", _NOTHING)
        return
    for key, child, at in fields(sink, value, path, "tool.key", _TOOL | {"_meta"}):
        if key in ("name", "title", "description", "annotations"):
            collect(sink, child, at, f"tool.{key}", "tool.key", _KNOWN_INSIDE.get(key, _NOTHING))
        elif key in ("inputSchema", "outputSchema"):
            read_schema(sink, child, at, TOOL_SCHEMA)
        else:
            collect(sink, child, at, "tool.other", "tool.key", _KNOWN_INSIDE.get(key, _NOTHING))


def read_prompt(sink: Sink, value: Any, path: Path) -> None:
    """A prompt as ``prompts/list`` gives it, or whatever stands in its place."""
    if not isinstance(value, dict):
        collect(sink, value, path, "prompt.other")
        return
    for key, child, at in fields(sink, value, path, "prompt.other"):
        if key in ("name", "title", "description"):
            collect(sink, child, at, f"prompt.{key}", "prompt.other")
        elif key == "arguments" and isinstance(child, list):
            for index, argument in enumerate(child):
                _argument(sink, argument, (at, index))
        else:
            collect(sink, child, at, "prompt.argument" if key == "arguments" else "prompt.other", "prompt.other")


def _argument(sink: Sink, value: Any, path: Path) -> None:
    if not isinstance(value, dict):
        collect(sink, value, path, "prompt.argument", "prompt.other")
        return
    for key, child, at in fields(sink, value, path, "prompt.other"):
        surface = {"name": "prompt.name", "title": "prompt.argument", "description": "prompt.argument"}.get(key)
        collect(sink, child, at, surface or "prompt.other", "prompt.other")


def read_resource_item(sink: Sink, value: Any, path: Path) -> None:
    """A resource or a template as ``resources/list`` or ``resources/templates/list`` gives it."""
    if not isinstance(value, dict):
        collect(sink, value, path, "resource.other")
        return
    for key, child, at in fields(sink, value, path, "resource.other"):
        surface = f"resource.{key}" if key in ("name", "title", "description") else "resource.other"
        collect(sink, child, at, surface, "resource.other")


@dataclass(frozen=True, slots=True)
class ListKind:
    """One kind of listing: its word, the word of an item's subject, the result's member that holds the items, the
    item's member that identifies one, the surface of everything beside the items, and the reader of an item."""

    kind: str
    item: str
    member: str
    identity: str
    other: str
    read: Callable[[Sink, Any, Path], None]

    def subject(self, value: Any, index: int) -> str:
        """``tool:get_weather``; ``tool:?3`` for the fourth item if it has no name."""
        identity = value.get(self.identity) if isinstance(value, dict) else None
        return f"{self.item}:{identity}" if isinstance(identity, str) else f"{self.item}:?{index}"


LISTS = {
    "tools/list": ListKind("tools", "tool", "tools", "name", "tool.other", read_tool),
    "prompts/list": ListKind("prompts", "prompt", "prompts", "name", "prompt.other", read_prompt),
    "resources/list": ListKind("resources", "resource", "resources", "uri", "resource.other", read_resource_item),
    "resources/templates/list": ListKind(
        "templates", "template", "resourceTemplates", "uriTemplate", "resource.other", read_resource_item
    ),
}
"""The list methods."""
