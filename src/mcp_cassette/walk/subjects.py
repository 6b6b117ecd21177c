"""What a text is about: ``tool:get_weather``, ``resource:file:///a``, ``task:7f``."""

from __future__ import annotations

from typing import Any

from mcp_cassette.walk.sink import SERVER

_BY_NAME = {"tools/call": ("tool", "name"), "prompts/get": ("prompt", "name"), "resources/read": ("resource", "uri")}


def subject_of(method: str | None, params: dict[str, Any]) -> str:
    """The subject of an exchange, from its request; ``tool:?`` where the request names nothing."""
    if method in _BY_NAME:
        word, member = _BY_NAME[method]
        return _named(word, params.get(member))
    if method is not None and method.startswith("tasks/") and method != "tasks/list":
        return _named("task", params.get("taskId"))
    if method == "completion/complete":
        ref = params.get("ref")
        if isinstance(ref, dict):
            return _named("prompt", ref["name"]) if "name" in ref else _named("template", ref.get("uri"))
    return SERVER


def _named(word: str, name: Any) -> str:
    return f"{word}:{name}" if isinstance(name, str) else f"{word}:?"
