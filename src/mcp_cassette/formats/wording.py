"""Why a JSON text cannot be read, said so that a person can find and mend it."""

from __future__ import annotations

import json
import re
from itertools import accumulate, pairwise
from typing import NamedTuple

from mcp_cassette.formats.quote import quote
from mcp_cassette.utf16 import utf16_length

_SPACE = " \t\r\n"
_LITERALS = ("true", "false", "null", "NaN", "-Infinity", "Infinity")
_string = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_not_brackets = re.compile(r"[^\[\]{}]++")


class BadJson(ValueError):
    """A text that is not JSON, even to a tolerant reader.

    ``reason`` is safe to print. ``column`` (1-based, UTF-16 units; None where no one place is at fault) stands in
    ``line`` (1-based) of the text. ``truncated``: the text ends too early; ``between_tokens``: it ends where another
    line could go on, so it may be the first line of a longer document.
    """

    def __init__(
        self,
        reason: str,
        column: int | None,
        line: int = 1,
        *,
        truncated: bool = False,
        between_tokens: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason, self.column, self.line = reason, column, line
        self.truncated, self.between_tokens = truncated, between_tokens


class Place(NamedTuple):
    """Where the text before a character ends: the column and line of that character, both 1-based."""

    column: int | None
    line: int

    @classmethod
    def of(cls, before: str) -> Place:
        return cls(1 + utf16_length(before[before.rfind("\n") + 1 :]), 1 + before.count("\n"))


def wide_encoding(raw: bytes) -> str | None:
    """``UTF-16`` or ``UTF-32`` when the bytes begin as such a text does, with a byte-order mark or without."""
    head = raw[:4]
    if head in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        return "UTF-32"
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    zeros = tuple(byte == 0 for byte in head)
    if zeros in ((False, True, True, True), (True, True, True, False)):
        return "UTF-32"
    # A line of UTF-16 may be cut behind the first half of its line feed.
    alike = len(zeros) > 1 and all(zero != before for before, zero in pairwise(zeros))
    return "UTF-16" if alike else None


def explain(text: str, error: json.JSONDecodeError, what: str) -> BadJson:
    """What the standard parser found wrong in ``text``; ``what`` is the word for the text ("line", "document")."""
    pos, message = error.pos, error.msg
    # A run of white space before the end may be long: look for what is there, do not copy it.
    following = re.compile(rf"[{_SPACE}]*+(.{{0,20}})", re.DOTALL).match(text, pos)
    rest = following[1] if following else ""
    column, line = Place.of(text[:pos])
    if message.startswith("Unterminated string") or (message.startswith("Invalid \\") and text.find('"', pos) < 0):
        return BadJson(f"the {what} ends in the middle of a string (truncated?)", column, line, truncated=True)
    if message.startswith("Expecting") and not rest:
        if not text.strip(_SPACE):
            return BadJson(f"the {what} holds no JSON value", column, line)
        inside = _innermost(text, pos)
        where = f"inside an {inside}" if inside else "before its value is complete"
        return BadJson(f"the {what} ends {where} (truncated?)", column, line, truncated=True, between_tokens=True)
    if message.startswith("Expecting value") and any(name.startswith(rest) for name in _LITERALS):
        return BadJson(f"the {what} ends in the middle of a value (truncated?)", column, line, truncated=True)
    return BadJson(_reason(text, pos, message, rest), column, line)


def _reason(text: str, pos: int, message: str, rest: str) -> str:
    found = f", found: {quote(rest)}" if rest else ""
    if message.startswith("Expecting ',' delimiter"):
        closing = "]" if _innermost(text, pos) == "array" else "}"
        return f"expected , or {closing} here{found}"
    if message.startswith("Expecting ':' delimiter"):
        return f"expected : after a property name here{found}"
    if message.startswith("Expecting property name"):
        return f"expected a property name in double quotes here{found}"
    if message.startswith("Illegal trailing comma"):
        return "a comma stands before the end of an object or array"
    if message.startswith("Expecting value"):
        return f"expected a value here{found}"
    if message.startswith("Extra data"):
        return f"the JSON value is complete before this{found}"
    if message.startswith("Invalid \\"):
        return f"not an escape JSON knows: {quote(rest)}"
    return quote(message)


def _innermost(text: str, pos: int) -> str | None:
    """What the place stands in: ``object``, ``array``, or None at the top."""
    brackets = _not_brackets.sub("", _string.sub("", text[:pos]))[::-1]
    for bracket, depth in zip(brackets, accumulate(1 if b in "[{" else -1 for b in brackets), strict=True):
        if depth > 0:
            return "object" if bracket == "{" else "array"
    return None
