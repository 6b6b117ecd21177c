"""Entries → JSON-RPC messages: frames, batches, streamed chunks, and JSON-RPC that was kept as a raw line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mcp_cassette.formats.entries import Entry, members
from mcp_cassette.formats.jsontext import BadJson, parse
from mcp_cassette.model import JsonId, Path
from mcp_cassette.walk.sink import Place

Direction: TypeAlias = Literal["c2s", "s2c"]

ABSENT: Any = object()
"""Stands for an id that is not there: ``null`` is an id of its own."""


@dataclass(frozen=True, slots=True)
class Message:
    """One JSON-RPC message, or an object in the place of one.

    ``path`` leads to it in the JSON value of its line; ``embedded`` says it stands in a JSON text inside the string
    at ``path``. ``raw`` is the bytes of its line, ``stream_id`` the id of the chunks entry that holds it.
    """

    direction: Direction
    conn: JsonId
    value: dict[str, Any]
    path: Path
    line: int
    embedded: bool = False
    raw: bytes = b""
    stream_id: Any = ABSENT

    @property
    def place(self) -> Place:
        """Where its texts stand."""
        return Place(self.line, self.raw, self.path if self.embedded else None)

    @property
    def id(self) -> Any:
        """The id as it was on the wire, of any type; ``ABSENT`` if there is none."""
        return self.value.get("id", ABSENT)

    @property
    def method(self) -> str | None:
        method = self.value.get("method")
        return method if isinstance(method, str) else None


@dataclass(frozen=True, slots=True)
class Loose:
    """Something on the wire that is no JSON-RPC message: a line of text, or a frame that is no object."""

    direction: Direction
    conn: JsonId
    value: Any
    path: Path
    line: int
    embedded: bool = False
    raw: bytes = b""

    @property
    def place(self) -> Place:
        """Where its texts stand."""
        return Place(self.line, self.raw, self.path if self.embedded else None)


def scalar(value: Any) -> JsonId:
    """``value`` if it is a JSON scalar, otherwise None: an id or a connection of a wrong type names nothing."""
    return value if isinstance(value, str | int | float) else None


def id_key(value: Any) -> tuple[str, Any] | None:
    """A dictionary key under which ids are equal when their JSON type and value are (1 = 1.0, 1 ≠ "1" ≠ true).

    None for what cannot be an id: an object, an array, ``ABSENT``.
    """
    if value is None:
        return ("null", None)
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, int | float):
        return ("number", value)
    return ("string", value) if isinstance(value, str) else None


def is_rpc(value: Any) -> bool:
    """Whether a JSON value looks like a JSON-RPC message."""
    return isinstance(value, dict) and ("method" in value or "result" in value or "error" in value)


def messages(entry: Entry) -> Iterator[Message | Loose]:
    """Everything an entry carried over the wire, in order. Entries of other kinds give nothing; never raises."""
    line = entry.value
    if not isinstance(line, dict) or entry.kind not in _HOLDER:
        return
    holder = _HOLDER[entry.kind]
    for key, child in members(line):
        if key != holder:
            continue
        at: Path = ((), key)
        if entry.kind == "chunks" and isinstance(child, list):
            for index, chunk in enumerate(child):
                yield from _chunk(entry, chunk, (at, index))
        elif entry.kind == "raw" and isinstance(child, str):
            yield from _raw(entry, child, at)
        else:
            yield from _unpack(entry, child, at, _direction(line))


_HOLDER = {"frame": "frame", "raw": "data", "chunks": "chunks"}


def _direction(value: dict[str, Any]) -> Direction:
    return "c2s" if value.get("dir") == "c2s" else "s2c"


def _chunk(entry: Entry, chunk: Any, at: Path) -> Iterator[Message | Loose]:
    stream = entry.value.get("id", ABSENT)
    direction = _direction(entry.value)
    if isinstance(chunk, dict):
        for key, frame in members(chunk):
            if key == "frame":
                yield from _unpack(entry, frame, (at, key), direction, stream=stream)
    else:
        yield from _unpack(entry, chunk, at, direction, stream=stream)


def _raw(entry: Entry, data: str, at: Path) -> Iterator[Message | Loose]:
    direction = _direction(entry.value)
    value = _parse(data)
    if is_rpc(value) or (isinstance(value, list) and any(map(is_rpc, value))):
        yield from _unpack(entry, value, at, direction, embedded=True)
    else:
        yield Loose(direction, scalar(entry.value.get("conn")), data, at, entry.line, raw=entry.raw)


def _unpack(
    entry: Entry, value: Any, at: Path, direction: Direction, *, embedded: bool = False, stream: Any = ABSENT
) -> Iterator[Message | Loose]:
    """One message, or those of a batch (not of a batch inside a batch: that is nothing JSON-RPC knows)."""
    batch = isinstance(value, list)
    conn = scalar(entry.value.get("conn"))
    for index, item in enumerate(value if batch else (value,)):
        path = (at, index) if batch and not embedded else at
        if isinstance(item, dict):
            yield Message(direction, conn, item, path, entry.line, embedded, entry.raw, stream)
        elif item is not None:
            yield Loose(direction, conn, item, path, entry.line, embedded, entry.raw)


def _parse(data: str) -> Any:
    """The JSON object or array that a string holds, equal keys kept apart; None if it holds none."""
    if data.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return parse(data.encode("utf-8", "surrogatepass"))[0]
    except BadJson:
        return None
