"""The parts that results and requests share: content blocks, resource contents, messages, ``_meta``, server info."""

from __future__ import annotations

import re
from typing import Any

from mcp_cassette.model import Path
from mcp_cassette.walk.sink import SERVER, Sink, collect, fields, is_base64

BLOCK_TYPES = frozenset({"text", "image", "audio", "resource", "resource_link", "tool_use", "tool_result"})
DATA_TYPES = frozenset({"image", "audio"})
ROLES = frozenset({"user", "assistant"})
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
RELATED_TASK = "io.modelcontextprotocol/related-task"
OPAQUE_META = frozenset({"progressToken", "io.modelcontextprotocol/subscriptionId"})
TASK_ID = frozenset({"taskId"})

_MIME = re.compile(r"[\w.+-]{1,64}/[\w.+*-]{1,128}(?:; ?[\w-]{1,32}=[\w.+-]{1,64}){0,4}", re.ASCII)
_VERSION = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def is_word(value: Any, words: frozenset[str]) -> bool:
    """Whether a value is one of the words of a closed list of the protocol."""
    return isinstance(value, str) and value in words


def is_mime(value: Any) -> bool:
    """Whether a value has the form of a media type: a sentence in its place is read like any other."""
    return isinstance(value, str) and _MIME.fullmatch(value) is not None


def is_data(value: Any) -> bool:
    """Whether a value is base64, as the data of an image or of a file should be."""
    return isinstance(value, str) and is_base64(value)


def is_version(value: Any) -> bool:
    """Whether a value has the form of a protocol version."""
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


def read_blocks(sink: Sink, value: Any, path: Path, surface: str) -> None:
    """The texts of content blocks: a list of them, a single one, or whatever stands in their place.

    Not read: a known ``type``, a media type, base64 in ``data`` of image and audio blocks and in ``blob`` of embedded
    resources.
    """
    if surface not in sink.wanted:
        return
    stack: list[tuple[Any, Path]] = [(value, path)]
    while stack:
        value, path = stack.pop()
        if isinstance(value, list):
            stack += [(value[i], (path, i)) for i in range(len(value) - 1, -1, -1)]
        elif isinstance(value, dict):
            kind = value.get("type")
            for key, child, at in fields(sink, value, path, surface):
                if key == "type" and is_word(child, BLOCK_TYPES):
                    continue
                if key == "data" and is_word(kind, DATA_TYPES) and is_data(child):
                    continue
                if key == "mimeType" and is_mime(child):
                    continue
                if key == "resource" and kind == "resource":
                    read_resource(sink, child, at, surface)
                elif key == "content" and kind == "tool_result":
                    stack.append((child, at))
                else:
                    collect(sink, child, at, surface)
        else:
            collect(sink, value, path, surface)


def read_resource(sink: Sink, value: Any, path: Path, surface: str) -> None:
    """The texts of resource contents (one, or a list of them): all but a ``blob`` of base64 and a media type."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            _resource(sink, item, (path, index), surface)
    else:
        _resource(sink, value, path, surface)


def _resource(sink: Sink, value: Any, path: Path, surface: str) -> None:
    if not isinstance(value, dict):
        collect(sink, value, path, surface)
        return
    for key, child, at in fields(sink, value, path, surface):
        if not ((key == "blob" and is_data(child)) or (key == "mimeType" and is_mime(child))):
            collect(sink, child, at, surface)


def read_messages(sink: Sink, value: Any, path: Path, surface: str) -> None:
    """The texts of prompt or sampling messages: their content blocks and everything beside them but a known role."""
    if not isinstance(value, list):
        collect(sink, value, path, surface)
        return
    for index, item in enumerate(value):
        here = (path, index)
        if not isinstance(item, dict):
            collect(sink, item, here, surface)
            continue
        for key, child, at in fields(sink, item, here, surface):
            if key == "content":
                read_blocks(sink, child, at, surface)
            elif not (key == "role" and is_word(child, ROLES)):
                collect(sink, child, at, surface)


def read_meta(sink: Sink, value: Any, path: Path, surface: str) -> None:
    """The texts of a ``_meta``: server info goes to the server's surfaces, tokens and ids are opaque."""
    if not isinstance(value, dict):
        collect(sink, value, path, surface)
        return
    for key, child, at in fields(sink, value, path, surface):
        if key == SERVER_INFO:
            read_server_info(sink, child, at)
        elif key == RELATED_TASK:
            collect(sink, child, at, surface, unread=TASK_ID)
        elif not (key in OPAQUE_META and isinstance(child, str)):
            collect(sink, child, at, surface)


def read_server_info(sink: Sink, value: Any, path: Path) -> None:
    """What a server calls itself (``server.name``) and says of itself (``server.instructions``)."""
    subject, sink.subject = sink.subject, SERVER
    others, sink.others = sink.others, frozenset()
    if isinstance(value, dict):
        for key, child, at in fields(sink, value, path, "server.instructions"):
            is_name = key in ("name", "title", "version")
            collect(sink, child, at, "server.name" if is_name else "server.instructions")
    else:
        collect(sink, value, path, "server.instructions")
    sink.subject, sink.others = subject, others
