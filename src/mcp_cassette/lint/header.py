"""A header against the frames under it: a cassette that contradicts itself would replay something that never was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcp_cassette.formats.entries import Entry
from mcp_cassette.lint.broken import Broken
from mcp_cassette.walk import Exchange

_VOLATILE = re.compile(r"(?:[A-Za-z][A-Za-z0-9_/-]{0,99}:)?(?:/(?:[^~/]|~[01])*)+")
_HASH = re.compile(r"(?:sha256:)?[0-9a-f]{8,64}")

CONTRADICTIONS = frozenset(
    {
        "modern-with-initialize",
        "modern-with-session",
        "modern-with-get-stream",
        "stdio-with-url",
        "stdio-with-chunks",
        "http-with-command",
    }
)


class HeaderCheck:
    """Compares one cassette's header with its entries. Every contradiction is reported once, where it shows first."""

    def __init__(self) -> None:
        self._header: dict[str, Any] = {}
        self._said: set[str] = set()

    @property
    def agrees(self) -> bool | None:
        """Whether header and frames said the same so far; None where there is no header to compare with."""
        return not self._said & CONTRADICTIONS if self._header else None

    def on_entry(self, entry: Entry) -> Iterator[Broken]:
        """Check a header by itself, a chunks entry against it."""
        if entry.kind == "header" and isinstance(entry.value, dict) and not self._header:
            self._header = entry.value
            yield from self._on_header(entry)
        elif entry.kind == "chunks":
            if self._header.get("transport") == "stdio":
                yield from self._once("stdio-with-chunks", "the entry is a stream", ((), "chunks"), entry)
            if self._is_modern and entry.value.get("via") == "get":
                yield from self._once("modern-with-get-stream", "the entry is a GET stream", ((), "via"), entry)

    def on_exchange(self, exchange: Exchange) -> Iterator[Broken]:
        """An ``initialize`` that was not refused, under a modern header. The attempt alone decides nothing."""
        if exchange.method != "initialize" or exchange.direction != "c2s" or not self._is_modern:
            return
        response = exchange.response
        if response is not None and "error" in response.value and "result" not in response.value:
            return
        message = exchange.request or response
        if message is not None and "modern-with-initialize" not in self._said:
            self._said.add("modern-with-initialize")
            yield Broken(
                "modern-with-initialize",
                "the session has a handshake",
                message.path,
                message.line,
                message.raw,
                method="initialize",
                request_id=exchange.request_id,
                embedded=message.embedded,
            )

    @property
    def _is_modern(self) -> bool:
        return self._header.get("era") == "modern"

    def _on_header(self, entry: Entry) -> Iterator[Broken]:
        header = self._header
        transport = header.get("transport")
        if self._is_modern and header.get("sessioned"):
            yield from self._once("modern-with-session", "sessioned is set", ((), "sessioned"), entry)
        if transport == "stdio" and header.get("url") is not None:
            yield from self._once("stdio-with-url", "url is set", ((), "url"), entry)
        if transport == "http" and header.get("command") is not None:
            yield from self._once("http-with-command", "command is set", ((), "command"), entry)
        yield from self._on_volatile(header.get("volatile"), entry)
        redaction = header.get("redaction")
        if isinstance(redaction, dict) and "configHash" in redaction:
            value = redaction["configHash"]
            if not isinstance(value, str) or not _HASH.fullmatch(value):
                at = (((), "redaction"), "configHash")
                yield from self._once("redaction-hash", "configHash is no SHA-256 in hexadecimal", at, entry)

    def _on_volatile(self, volatile: Any, entry: Entry) -> Iterator[Broken]:
        if volatile is None:
            return
        at = ((), "volatile")
        if not isinstance(volatile, list):
            yield from self._once("volatile-pointer", "volatile is not a list", at, entry)
            return
        for i, pointer in enumerate(volatile):
            if not isinstance(pointer, str) or not _VOLATILE.fullmatch(pointer):
                yield from self._once("volatile-pointer", f"item {i} is no JSON Pointer", (at, i), entry)

    def _once(self, check: str, detail: str, path: Any, entry: Entry) -> Iterator[Broken]:
        if check not in self._said:
            self._said.add(check)
            yield Broken(check, detail, path, entry.line, entry.raw)
