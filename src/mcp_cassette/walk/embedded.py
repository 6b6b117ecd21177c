"""JSON-RPC inside a string: a whole line of a wire, lines of it, or server-sent events.

It is read as JSON, because as a text its escapes would hide letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from mcp_cassette.formats.jsontext import BadJson, parse

_BLANK = " \t\r\n\ufeff"
_LINE_END = re.compile(r"\r\n|\r|\n")
_EVENT = "data:"
_SIGN = re.compile(r'"(?:method|result|error)"|\\u00')
"""Without one of these no text is JSON-RPC: a name of a member may be spelled with escapes."""


def is_rpc(value: Any) -> bool:
    """Whether a JSON value looks like a JSON-RPC message."""
    return isinstance(value, dict) and ("method" in value or "result" in value or "error" in value)


def rpc_in(text: str) -> tuple[list[Any], str]:
    """The JSON-RPC messages and batches of a text, equal keys kept apart, and the lines that hold none (joined)."""
    if not _SIGN.search(text):
        return [], text
    whole = _rpc(text)
    if whole is not None:
        return [whole], ""
    values: list[Any] = []
    rest: list[str] = []
    for piece in _pieces(text):
        value = _rpc(piece.removeprefix(_EVENT))
        if value is None:
            rest.append(piece)
        else:
            values.append(value)
    return values, "\n".join(rest).strip(_BLANK)


def _pieces(text: str) -> Iterator[str]:
    """The lines of a text. The ``data`` of one event over several lines is one, if that makes it JSON-RPC."""
    lines = (line.strip(_BLANK) for line in _LINE_END.split(text))
    for is_event, group in groupby(lines, lambda line: line.startswith(_EVENT)):
        several = list(group)
        if is_event and len(several) > 1:
            joined = "\n".join(line.removeprefix(_EVENT) for line in several)
            if _rpc(joined) is not None:
                several = [joined]
        yield from several


def _rpc(text: str) -> Any:
    """The JSON-RPC message or batch that a text is; None if it is none."""
    text = text.strip(_BLANK)
    if text[:1] not in ("{", "[") or not _SIGN.search(text):
        return None
    try:
        value = parse(text.encode("utf-8", "surrogatepass"))[0]
    except BadJson:
        return None
    return value if is_rpc(value) or (isinstance(value, list) and any(map(is_rpc, value))) else None
