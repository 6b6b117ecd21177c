"""Entries → JSON-RPC messages: frames, batches, streamed chunks, and JSON-RPC that was kept as a raw line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mcp_cassette.formats.entries import ENVELOPE, HOLDERS, Entry, members
from mcp_cassette.model import JsonId, Path
from mcp_cassette.walk.embedded import rpc_in
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


def is_envelope(key: str, value: Any) -> bool:
    """Whether a member of a message only frames it: a version of JSON-RPC, an id of a type that ids have."""
    return (key == "id" and not isinstance(value, dict | list)) or (key == "jsonrpc" and value in ("2.0", "1.0"))


def messages(entry: Entry) -> Iterator[Message | Loose]:
    """Everything an entry carried over the wire, in order. Entries of other kinds give nothing; never raises.

    An entry that does not hold what its type says gives whatever else it holds.
    """
    line = entry.value
    if not isinstance(line, dict) or entry.kind not in HOLDERS:
        return
    holder = HOLDERS[entry.kind]
    direction = _direction(line)
    empty = True
    for key, child in members(line):
        if key != holder or child is None:
            continue
        empty = False
        at: Path = ((), key)
        if entry.kind == "chunks" and isinstance(child, list):
            for index, chunk in enumerate(child):
                yield from _chunk(entry, chunk, (at, index), direction)
        else:
            yield from _unpack(entry, child, at, direction)
    if empty:
        for key, child in members(line):
            if key not in ENVELOPE:
                yield _loose(entry, child, ((), key), direction)


def _direction(line: dict[str, Any]) -> Direction:
    """The client's only where nothing else is said: what a server may have sent is to be read."""
    said = [child for key, child in members(line) if key == "dir"]
    return "c2s" if said and all(child == "c2s" for child in said) else "s2c"


def _chunk(entry: Entry, chunk: Any, at: Path, direction: Direction) -> Iterator[Message | Loose]:
    stream = entry.value.get("id", ABSENT)
    if not isinstance(chunk, dict):
        yield from _unpack(entry, chunk, at, direction, stream=stream)
        return
    frames = [(key, frame) for key, frame in members(chunk) if key == "frame" and frame is not None]
    for key, frame in frames:
        yield from _unpack(entry, frame, (at, key), direction, stream=stream)
    if not frames:
        yield _loose(entry, chunk, at, direction)


def _unpack(
    entry: Entry, value: Any, at: Path, direction: Direction, *, embedded: bool = False, stream: Any = ABSENT
) -> Iterator[Message | Loose]:
    """One message, those of a batch (not of a batch inside a batch: that is nothing JSON-RPC knows), or of a text."""
    if isinstance(value, str) and not embedded:
        yield from _read_text(entry, value, at, direction, stream)
        return
    batch = isinstance(value, list)
    conn = scalar(entry.value.get("conn"))
    for index, item in enumerate(value if batch else (value,)):
        path = (at, index) if batch and not embedded else at
        if isinstance(item, dict):
            yield Message(direction, conn, item, path, entry.line, embedded, entry.raw, stream)
        elif item is not None:
            yield _loose(entry, item, path, direction, embedded)


def _read_text(entry: Entry, text: str, at: Path, direction: Direction, stream: Any) -> Iterator[Message | Loose]:
    """The JSON-RPC that a text is, or that stands in lines of it; the rest of it, or all, as it is."""
    values, rest = rpc_in(text)
    for value in values:
        yield from _unpack(entry, value, at, direction, embedded=True, stream=stream)
    if not values:
        yield _loose(entry, text, at, direction)
    elif rest:
        yield _loose(entry, rest, at, direction, True)


def _loose(entry: Entry, value: Any, at: Path, direction: Direction, embedded: bool = False) -> Loose:
    return Loose(direction, scalar(entry.value.get("conn")), value, at, entry.line, embedded, entry.raw)
