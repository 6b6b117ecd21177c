"""Bytes → a JSON value and what is odd about them.

orjson reads, and its silence is checked: it keeps the last of two equal keys, and turns integers beyond 64 bits into
floats. What it refuses, or may have changed, goes to the tolerant reader, which keeps everything and says so.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import orjson

from mcp_cassette.formats.entries import DEPTH_LIMIT, Defect
from mcp_cassette.formats.wording import BadJson

__all__ = ["DEPTH_LIMIT", "BadJson", "parse", "parse_document"]

_string = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_RUN_OF_DIGITS = b"0" * 19
_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else 0x78 for byte in range(256))


def parse(raw: bytes) -> tuple[Any, tuple[Defect, ...]]:
    """The JSON value of one line and its defects.

    ``raw`` is UTF-8; a byte-order mark at its front is passed over and counts as no column. Objects with repeated keys
    are ``Members``. The value agrees with ``json.loads`` wherever the text is JSON; an integer of more than 640 digits
    and a number beyond the range of a float are kept as their text. Columns are 1-based, in UTF-16 units.

    Raises BadJson when the text cannot be read even tolerantly, or is nested deeper than ``DEPTH_LIMIT``.
    """
    value = _orjson(raw)
    return (value[0], ()) if value is not None else _tolerant(raw, "line")[:2]


def parse_document(raw: bytes) -> tuple[Any, tuple[Defect, ...], tuple[int, ...]]:
    """The same for a whole document over several lines, with the line (1-based) of each defect's column as well."""
    value = _orjson(raw)
    return (value[0], (), ()) if value is not None else _tolerant(raw, "document")


def _orjson(raw: bytes) -> tuple[Any] | None:
    """The value in a tuple of one, None where orjson refuses it or has changed it."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return (value,) if _is_faithful(value, raw) else None


def _tolerant(raw: bytes, what: Literal["line", "document"]) -> tuple[Any, tuple[Defect, ...], tuple[int, ...]]:
    from mcp_cassette.formats import tolerant  # here, because most files never need it and start faster without it

    return tolerant.parse(raw, what)


def _is_faithful(value: Any, raw: bytes) -> bool:
    """Whether orjson's value holds every member of the text and every number exactly, and is not too deep."""
    try:
        written = orjson.dumps(value)
    except orjson.JSONEncodeError:  # deeper than it writes (254)
        return False
    if written == raw:
        return True
    if _RUN_OF_DIGITS in raw.translate(_DIGITS):
        return False  # perhaps an integer beyond 64 bits
    # A member lost is a colon lost. Colons inside strings are the same on both sides, unless one is written escaped.
    if b"\\u003" in raw and (b"\\u003a" in raw or b"\\u003A" in raw):
        return _string.sub(b"", raw).count(b":") == _string.sub(b"", written).count(b":")
    return raw.count(b":") == written.count(b":")
