"""Where walkers put texts, and the one pass over arbitrary JSON that they share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from mcp_cassette.formats.entries import members
from mcp_cassette.model import JsonId, Path, Text

SERVER = "server"
"""The subject of what no tool, prompt, resource or task says."""

PLAIN_KEY_MAX = 64
_PLAIN: set[str] = set()  # names found plain before: most members of a recording have few names
_PLAIN_MAX = 4096
_NO_NAMES: frozenset[str] = frozenset()
_NO_KEYS: frozenset[str] = frozenset()
_DATA_URI = re.compile(r"data:[^,\s]{0,200};base64,", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*+={0,2}")
_LINE_MIN = 32


def readable(value: str) -> str:
    """``value`` without the payload of the base64 ``data:`` URI that it is; any other string as it stands.

    A string that goes on after the payload (words behind a space, say) is no such URI and is kept whole.
    """
    head = _DATA_URI.match(value)
    if head is None or _BASE64.fullmatch(value, head.end()) is None:
        return value
    return value[: head.end() - 1]


def is_base64(value: str) -> bool:
    """Whether a string is base64 or base64url: in one piece, or in lines of one length (the last may be shorter), as
    MIME and PEM wrap it. Words with spaces between them are not."""
    if _BASE64.fullmatch(value):
        return True
    lines = value.split() if value.isascii() else []
    width = len(lines[0]) if lines else 0
    if width < _LINE_MIN or len(lines[-1]) > width or any(len(line) != width for line in lines[:-1]):
        return False
    return _BASE64.fullmatch("".join(lines)) is not None


def is_plain(key: str) -> bool:
    """Whether a member's name can hold no sentence: printable ASCII without white space, at most 64 characters."""
    if key in _PLAIN:
        return True
    plain = len(key) <= PLAIN_KEY_MAX and key.isascii() and key.isprintable() and " " not in key
    if plain and len(_PLAIN) < _PLAIN_MAX:
        _PLAIN.add(str(key))
    return plain


class Place(NamedTuple):
    """Where texts stand: the number and bytes of their line (or document), and the path of the string that holds the
    JSON being walked, None where that JSON is the file's own. Every text inside such a string has its path."""

    line: int
    raw: bytes
    outer: Path | None = None


class Sink:
    """Collects texts under one context: place, subject, method and id of the message that is being read."""

    __slots__ = ("method", "others", "place", "request_id", "subject", "texts", "wanted")

    def __init__(self, wanted: Collection[str]) -> None:
        self.wanted = frozenset(wanted)
        self.texts: list[Text] = []
        self.others: AbstractSet[str] = _NO_NAMES
        self.begin(Place(0, b""), SERVER, None, None)

    def begin(self, place: Place, subject: str, method: str | None, request_id: JsonId) -> None:
        """Set the context of the texts that follow."""
        self.place, self.subject, self.method, self.request_id = place, subject, method, request_id

    def take(self) -> list[Text]:
        """The texts so far; the sink is empty afterwards."""
        texts, self.texts = self.texts, []
        return texts

    def put(self, value: str, surface: str, path: Path, is_key: bool = False) -> None:
        """Add one text if its surface is wanted."""
        if surface in self.wanted:
            self.texts.append(self._text(value, surface, path, is_key))

    def put_key(self, key: str, surface: str, path: Path) -> None:
        """Add the name of the member at ``path`` if it could hold words."""
        if not is_plain(key):
            self.put(key, surface, path, True)

    def _text(self, value: str, surface: str, path: Path, is_key: bool) -> Text:
        if value[:1] in "dD":
            value = readable(value)
        line, raw, outer = self.place
        return Text(
            value,
            surface,
            path if outer is None else outer,
            line,
            self.subject,
            self.method,
            self.request_id,
            is_key,
            self.others,
            outer is not None,
            raw,
            line,
        )


def fields(
    sink: Sink, value: dict[str, Any], path: Path, key_surface: str, known: AbstractSet[str] | None = None
) -> Iterator[tuple[str, Any, Path]]:
    """Every member of an object with its path; member names worth reading go to ``key_surface`` on the way.

    With ``known`` that is every name outside it, otherwise every name that is not plain.
    """
    for key, child in members(value):
        at = (path, key)
        if key not in known if known is not None else not is_plain(key):
            sink.put(key, key_surface, at, True)
        yield key, child, at


def collect(
    sink: Sink,
    value: Any,
    path: Path,
    surface: str,
    key_surface: str | None = None,
    known: AbstractSet[str] | None = None,
    unread: AbstractSet[str] = _NO_KEYS,
) -> None:
    """Put every string at any depth of ``value`` on ``surface`` and member names on ``key_surface`` (see ``fields``).

    ``unread`` names members of the outermost object whose strings are opaque and left out. Iterative: the depth of
    the value is the reader's affair.
    """
    key_surface = key_surface or surface
    if surface not in sink.wanted and key_surface not in sink.wanted:
        return
    if isinstance(value, str):
        sink.put(value, surface, path)
        return
    wanted = surface in sink.wanted
    append, text = sink.texts.append, sink._text
    usual = _PLAIN if known is None else known
    stack: list[tuple[Any, Path]] = [(value, path)]
    while stack:
        value, path = stack.pop()
        nested: list[tuple[Any, Path]] = []
        if isinstance(value, dict):
            for key, child in members(value):
                if key not in usual and (known is not None or not is_plain(key)):
                    sink.put(key, key_surface, (path, key), True)
                if isinstance(child, str):
                    if wanted and key not in unread:
                        append(text(child, surface, (path, key), False))
                elif isinstance(child, dict | list):
                    nested.append((child, (path, key)))
        elif isinstance(value, list):
            for index, child in enumerate(value):
                if isinstance(child, str):
                    if wanted:
                        append(text(child, surface, (path, index), False))
                elif isinstance(child, dict | list):
                    nested.append((child, (path, index)))
        unread = _NO_KEYS
        nested.reverse()
        stack += nested
