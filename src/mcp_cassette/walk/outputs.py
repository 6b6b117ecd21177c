"""The texts of results and errors (listings apart), by the method that was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_cassette.model import Path
from mcp_cassette.walk.asks import ASK_METHODS, read_ask
from mcp_cassette.walk.content import (
    TASK_ID,
    is_version,
    is_word,
    read_blocks,
    read_messages,
    read_meta,
    read_resource,
    read_server_info,
)
from mcp_cassette.walk.declarations import LISTS
from mcp_cassette.walk.sink import Sink, collect, fields

RESULT_TYPES = frozenset({"complete", "input_required", "task"})
CACHE_SCOPES = frozenset({"public", "private"})
_TASK_FIELDS = frozenset({"taskId", "status", "statusMessage", "createdAt", "lastUpdatedAt"})

_Reader = Callable[[Sink, Any, Path, str], None]
_TOOL_PARTS: Mapping[str, _Reader] = {"content": read_blocks}
_TASK_PARTS: Mapping[str, _Reader] = {"content": read_blocks, "contents": read_resource, "messages": read_messages}


@dataclass(frozen=True, slots=True)
class Shape:
    """How the result of a method is read: its surface, the members that hold blocks, and whether it is about tasks
    (then ``result`` holds a result of its own and ``tasks`` a list)."""

    surface: str
    parts: Mapping[str, _Reader] = field(default_factory=dict)
    tasks: bool = False


_TASKS = Shape("output.task", _TASK_PARTS, tasks=True)
_INNER = Shape("output.task", _TASK_PARTS)
OTHER = Shape("output.tool")
SHAPES: Mapping[str, Shape] = {
    "tools/call": Shape("output.tool", _TOOL_PARTS),
    "resources/read": Shape("output.resource", {"contents": read_resource}),
    "prompts/get": Shape("output.prompt", {"messages": read_messages}),
    "completion/complete": Shape("output.prompt"),
    **dict.fromkeys(("tasks/get", "tasks/result", "tasks/list", "tasks/update", "tasks/cancel"), _TASKS),
}
GREETINGS = frozenset({"initialize", "server/discover"})


def result_surface(method: str | None) -> str:
    """The surface of what stands in an answer to ``method`` without a surface of its own."""
    if method in GREETINGS:
        return "server.instructions"
    return LISTS[method].other if method in LISTS else SHAPES.get(method or "", OTHER).surface


def read_result(sink: Sink, method: str | None, value: Any, path: Path) -> None:
    """The texts of the ``result`` that answers ``method``. Listings are read elsewhere."""
    if method in GREETINGS:
        _greeting(sink, value, path)
    else:
        _result(sink, value, path, SHAPES.get(method or "", OTHER))


def read_task(sink: Sink, value: Any, path: Path) -> None:
    """The texts of a task, as a result or as the params of a notification."""
    _result(sink, value, path, _TASKS)


def read_error(sink: Sink, value: Any, path: Path) -> None:
    """The texts of a JSON-RPC ``error``: its message, and every string of its data."""
    collect(sink, value, path, "output.error")


def common_member(sink: Sink, key: str, value: Any, path: Path, surface: str) -> bool:
    """Read a member that every result may have; False if ``key`` is none of them."""
    if key == "_meta":
        read_meta(sink, value, path, surface)
        return True
    return (key == "resultType" and is_word(value, RESULT_TYPES)) or (
        key == "cacheScope" and is_word(value, CACHE_SCOPES)
    )


def _greeting(sink: Sink, value: Any, path: Path) -> None:
    surface = "server.instructions"
    if not isinstance(value, dict):
        collect(sink, value, path, surface)
        return
    for key, child, at in fields(sink, value, path, surface):
        if common_member(sink, key, child, at, surface) or (key == "protocolVersion" and is_version(child)):
            continue
        if key == "serverInfo":
            read_server_info(sink, child, at)
        elif key == "supportedVersions" and isinstance(child, list):
            for index, version in enumerate(child):
                if not is_version(version):
                    collect(sink, version, (at, index), surface)
        else:
            collect(sink, child, at, surface)


def _result(sink: Sink, value: Any, path: Path, shape: Shape) -> None:
    surface = shape.surface
    if not isinstance(value, dict):
        collect(sink, value, path, surface)
        return
    paused = value.get("resultType") == "input_required" or "inputRequests" in value
    handle = shape.tasks or "taskId" in value or value.get("resultType") == "task"
    for key, child, at in fields(sink, value, path, surface):
        if common_member(sink, key, child, at, surface):
            continue
        if key in shape.parts:
            shape.parts[key](sink, child, at, surface)
        elif key == "inputRequests" and isinstance(child, dict):
            _input_requests(sink, child, at)
        elif key == "requestState" and paused and isinstance(child, str):
            continue
        elif key == "task":
            collect(sink, child, at, "output.task", unread=TASK_ID)
        elif handle and key in _TASK_FIELDS:
            if not (key == "taskId" and isinstance(child, str)):
                collect(sink, child, at, "output.task")
        elif shape.tasks and key == "result":
            _result(sink, child, at, _INNER)
        elif shape.tasks and key == "tasks" and isinstance(child, list):
            _task_list(sink, child, at)
        else:
            collect(sink, child, at, surface)


def _task_list(sink: Sink, value: list[Any], path: Path) -> None:
    subject = sink.subject
    for index, task in enumerate(value):
        task_id = task.get("taskId") if isinstance(task, dict) else None
        sink.subject = f"task:{task_id}" if isinstance(task_id, str) else f"task:?{index}"
        _result(sink, task, (path, index), _INNER)
    sink.subject = subject


def _input_requests(sink: Sink, value: dict[str, Any], path: Path) -> None:
    """What a paused call asks for: requests without an envelope, under names of the server's choice."""
    for _, request, at in fields(sink, value, path, "ask.elicitation"):
        if not isinstance(request, dict):
            collect(sink, request, at, "ask.elicitation")
            continue
        method = request.get("method")
        for key, child, here in fields(sink, request, at, "ask.elicitation"):
            if key == "params":
                read_ask(sink, method if isinstance(method, str) else None, child, here)
            elif not (key == "method" and is_word(child, ASK_METHODS)):
                collect(sink, child, here, "ask.elicitation")
