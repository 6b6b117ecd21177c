"""What a reader hands on: entries of a cassette or a saved listing, with everything the wire said still in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mcp_cassette.model import Path

DEPTH_LIMIT = 500
"""Levels of nesting beyond which a value is not read: it keeps every walk over one within bounds."""

Kind: TypeAlias = Literal["header", "frame", "raw", "chunks", "listing", "unknown"]


HOLDERS: Mapping[Kind, str] = {"frame": "frame", "raw": "data", "chunks": "chunks"}
"""The kinds of entries that carry something over the wire, and the member that holds it."""
ENVELOPE = frozenset({"type", "dir", "t", "seq", "via", "id", "http", "conn", "origin"})
"""The members of such an entry that only say of it when and how it came."""


class Members(dict[str, Any]):
    """A JSON object in which a key occurs more than once. As a dict it holds the last value of each key (what most
    parsers see); ``pairs`` holds every member in order, repeated keys as ``DupKey``."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def members(value: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """Every member of a JSON object, each of two equal keys included. Walkers use this, never ``.items()``."""
    return value.pairs if isinstance(value, Members) else value.items()


def entry_type(line: dict[str, Any]) -> Any:
    """The ``type`` of a line of a cassette. Where it stands there more than once, the first that carries something
    counts, since a reader might take it for that; otherwise the last, as for most parsers."""
    if isinstance(line, Members):
        for key, kind in line.pairs:
            if key == "type" and isinstance(kind, str) and kind in HOLDERS:
                return kind
    return line.get("type")


@dataclass(frozen=True, slots=True)
class Defect:
    """Something odd in a JSON text that could still be read.

    ``kind``: duplicate-key | not-json | utf8 | surrogate | big-number. ``path`` is the member concerned (of a
    duplicate key: the last of the equal members). ``fatal`` says the text is not JSON by the standard, so a strict
    reader sees something else than we do (exit 2); the content is read all the same.
    """

    kind: Literal["duplicate-key", "not-json", "utf8", "surrogate", "big-number"]
    reason: str
    fatal: bool
    column: int | None = None
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a cassette, or the whole document of a saved listing.

    ``value`` is the JSON value of the line (``Members`` where keys repeat). ``raw`` is the very bytes of the line
    without its end (of the document, for a listing), ``line`` its 1-based number (1 for a document).
    For a listing ``value`` is the document; ``kind`` is "listing".
    """

    kind: Kind
    line: int
    value: Any
    raw: bytes
    defects: tuple[Defect, ...] = field(default=())
