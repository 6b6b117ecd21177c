"""Saved listings: what the four list methods (tools, prompts, resources, resource templates) answered."""

from __future__ import annotations

from typing import Any

LISTS = ("tools", "prompts", "resources", "resourceTemplates")
_TOOL_SIGNS = ("description", "inputSchema", "title")


def is_listing(value: Any) -> bool:
    """Whether a JSON value is a saved listing: a result that holds one of the four lists, a JSON-RPC answer with such a
    result, an array of tools, or an array of such answers or results. One sign among the items is enough, so that a
    malformed item does not hide the others."""
    if isinstance(value, list):
        return any(_is_tool(item) or is_answer(item) for item in value)
    return is_answer(value)


def is_answer(value: Any) -> bool:
    """Whether a JSON value is a result that holds one of the four lists, or a JSON-RPC answer with such a result."""
    return isinstance(value, dict) and (_is_result(value) or _is_result(value.get("result")))


def _is_result(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    lists = [value[key] for key in LISTS if isinstance(value.get(key), list)]
    return any(not items or any(isinstance(item, dict) for item in items) for items in lists)


def _is_tool(value: Any) -> bool:
    return isinstance(value, dict) and "name" in value and any(key in value for key in _TOOL_SIGNS)
