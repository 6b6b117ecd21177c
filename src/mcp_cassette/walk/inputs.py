"""The texts that a client sends: arguments of calls, and its answers to what a server asked."""

from __future__ import annotations

from typing import Any

from mcp_cassette.model import Path
from mcp_cassette.walk.content import read_blocks
from mcp_cassette.walk.sink import Sink, collect, fields

SURFACE = "input.arguments"
_READ = frozenset({"arguments", "argument", "context", "inputResponses"})


def read_request(sink: Sink, params: Any, path: Path) -> None:
    """The arguments in a request's params (``argument`` and ``context`` are completion's), and input responses."""
    if SURFACE in sink.wanted and isinstance(params, dict):
        for key, child, at in fields(sink, params, path, SURFACE):
            if key == "inputResponses" and isinstance(child, dict):
                for _, answer, here in fields(sink, child, at, SURFACE):
                    read_answer(sink, answer, here)
            elif key in _READ:
                collect(sink, child, at, SURFACE)


def read_answer(sink: Sink, value: Any, path: Path) -> None:
    """A client's result (or error) for a server's request: all strings, image and audio data apart."""
    if SURFACE not in sink.wanted:
        return
    if not isinstance(value, dict):
        collect(sink, value, path, SURFACE)
        return
    for key, child, at in fields(sink, value, path, SURFACE):
        if key == "content":
            read_blocks(sink, child, at, SURFACE)
        else:
            collect(sink, child, at, SURFACE)
