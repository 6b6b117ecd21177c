"""What the tests of the walker share: entries out of plain values, and what a walk gives, sorted by kind."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from mcp_cassette.formats.entries import Entry, Kind, Members
from mcp_cassette.model import DupKey, Text
from mcp_cassette.pointer import render
from mcp_cassette.surfaces import SURFACES
from mcp_cassette.walk import Exchange, Listing, walk


class Walked(NamedTuple):
    texts: list[Text]
    listings: list[Listing]
    exchanges: list[Exchange]

    def on(self, surface: str) -> list[str]:
        """The values on a surface, names of members marked with a colon."""
        return [t.value + ":" * t.is_key for t in self.texts if t.surface == surface]

    def at(self, pointer: str) -> list[Text]:
        return [t for t in self.texts if render(t.path) == pointer]


def entry(kind: Kind, line: int, **fields: Any) -> Entry:
    value = {"type": kind, **fields}
    return Entry(kind, line, value, json.dumps(value, default=str).encode())


def walked(*entries: Entry, wanted: Any = SURFACES) -> Walked:
    found = Walked([], [], [])
    for item in walk(entries, wanted):
        if isinstance(item, Text):
            found.texts.append(item)
        elif isinstance(item, Listing):
            found.listings.append(item)
            found.texts.extend(item.texts)
        else:
            found.exchanges.append(item)
    return found


def session(*frames: Any, **extra: Any) -> Walked:
    """A walk over frames, c2s where they come as ``("c2s", frame)``."""
    pairs = [frame if isinstance(frame, tuple) else ("s2c", frame) for frame in frames]
    return walked(*(entry("frame", i, dir=d, frame=f) for i, (d, f) in enumerate(pairs, 1)), **extra)


def call(method: str, result: Any, wire_id: Any = 1, **params: Any) -> Walked:
    """A walk over one request of the client and its result."""
    request = {"jsonrpc": "2.0", "id": wire_id, "method": method, "params": params}
    return session(("c2s", request), {"jsonrpc": "2.0", "id": wire_id, "result": result})


def twice(*pairs: tuple[str, Any]) -> Members:
    """An object with repeated keys."""
    keys = [key for key, _ in pairs]
    counts: dict[str, int] = {}
    marked: list[tuple[str, Any]] = []
    for key, value in pairs:
        counts[key] = counts.get(key, -1) + 1
        marked.append((DupKey(key, counts[key]) if keys.count(key) > 1 else key, value))
    return Members(marked)
