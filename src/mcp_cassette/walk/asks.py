"""The texts of what a server sends unasked: requests to the client, and notifications."""

from __future__ import annotations

from typing import Any

from mcp_cassette.model import Path
from mcp_cassette.walk.content import is_word, read_messages, read_meta
from mcp_cassette.walk.schema import ELICITATION_SCHEMA, read_schema
from mcp_cassette.walk.sink import Sink, collect, fields

LOG_LEVELS = frozenset({"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"})
ASK_METHODS = frozenset({"sampling/createMessage", "elicitation/create", "roots/list", "ping"})
TASK_NOTIFICATIONS = frozenset({"notifications/tasks", "notifications/tasks/status"})
OPAQUE_PARAMS = frozenset({"progressToken", "requestId", "taskId", "cursor", "elicitationId"})
_ACKNOWLEDGED = frozenset({"resourceSubscriptions", "taskIds"})


def ask_surface(method: str | None) -> str:
    """The surface of a server's request to the client."""
    return "ask.sampling" if method == "sampling/createMessage" else "ask.elicitation"


def push_surface(method: str | None) -> str:
    """The surface of a server's notification."""
    if method in TASK_NOTIFICATIONS:
        return "output.task"
    return "push.progress" if method == "notifications/progress" else "push.log"


def read_ask(sink: Sink, method: str | None, params: Any, path: Path) -> None:
    """The texts of the params of a request to the client: all strings, image and audio data apart."""
    surface = ask_surface(method)
    if not isinstance(params, dict):
        collect(sink, params, path, surface)
        return
    for key, child, at in fields(sink, params, path, surface):
        if key == "_meta":
            read_meta(sink, child, at, surface)
        elif key == "messages" and surface == "ask.sampling":
            read_messages(sink, child, at, surface)
        elif key == "requestedSchema" and surface == "ask.elicitation":
            read_schema(sink, child, at, ELICITATION_SCHEMA)
        elif not (key in OPAQUE_PARAMS and isinstance(child, str)):
            collect(sink, child, at, surface)


def read_push(sink: Sink, method: str | None, params: Any, path: Path) -> None:
    """The texts of the params of a notification; ids, tokens and the URIs of subscriptions are not read."""
    surface = push_surface(method)
    if not isinstance(params, dict):
        collect(sink, params, path, surface)
        return
    for key, child, at in fields(sink, params, path, surface):
        if key == "_meta":
            read_meta(sink, child, at, surface)
        elif isinstance(child, str) and (
            key in OPAQUE_PARAMS
            or (key == "uri" and method == "notifications/resources/updated")
            or (key == "level" and method == "notifications/message" and is_word(child, LOG_LEVELS))
        ):
            continue
        elif key == "notifications" and method == "notifications/subscriptions/acknowledged":
            _acknowledged(sink, child, at, surface)
        else:
            collect(sink, child, at, surface)


def _acknowledged(sink: Sink, value: Any, path: Path, surface: str) -> None:
    if not isinstance(value, dict):
        collect(sink, value, path, surface)
        return
    for key, child, at in fields(sink, value, path, surface):
        if key in _ACKNOWLEDGED and isinstance(child, list):
            for index, item in enumerate(child):
                if not isinstance(item, str):
                    collect(sink, item, (at, index), surface)
        else:
            collect(sink, child, at, surface)
