"""Which line of a TOML file a key stands on. ``tomllib`` parses and forgets; an error message must not."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from mcp_cassette.shape import Where

_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'""")
_DOTTED = rf"((?:{_PART.pattern})(?:\s*\.\s*(?:{_PART.pattern}))*)"
_KEY = re.compile(rf"\s*{_DOTTED}\s*=")
_HEADER = re.compile(rf"\s*(\[\[?)\s*{_DOTTED}\s*\]")
_CLOSE = {
    # The end of a multi-line string: up to two quotes before the last three are its own.
    '"""': re.compile(r'(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}'),
    "'''": re.compile(r"(?:[^']|'{1,2}(?!'))*'{3,5}"),
}
_TOKEN = re.compile(
    r'''(?P<skip>"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}|\'\'\'(?:[^']|'{1,2}(?!'))*'{3,5}|\#[^\n]*|\s+)'''
    rf"|(?P<part>{_PART.pattern})|(?P<sign>.)"
)
_MAX_DEPTH = 100
"""Brackets inside one value that are followed."""


class Places:
    """Line numbers (1-based) of the tables and keys of one TOML text that ``tomllib`` accepted."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[Where, int] = {}
        self._values: dict[Where, int] = {}
        self._counts: dict[Where, int] = {}
        self._read(text)

    def line(self, where: Where) -> int:
        """The line of the key (or of the item of an array), or of the nearest thing around it, or 1."""
        inner = where
        while where:
            if where in self._lines:
                line = self._lines[where]
                if where == inner or where not in self._values:
                    return line
                return line + self._inside(where, inner)
            where = where[:-1]
        return 1

    def _read(self, text: str) -> None:
        table: Where = ()
        open_until, depth, offset = "", 0, 0
        for number, line in enumerate(text.split("\n"), 1):
            if open_until:
                end = _CLOSE[open_until].match(line)
                if end:
                    open_until, depth = _scan(line[end.end() :], depth)
            elif depth:
                open_until, depth = _scan(line, depth)
            elif key := _KEY.match(line):
                where = table
                for part in _parts(key[1]):
                    where = (*where, part)
                    self._lines.setdefault(where, number)
                self._values[where] = offset + key.end()
                open_until, depth = _scan(line[key.end() :], 0)
            elif header := _HEADER.match(line):
                table = self._enter(_parts(header[2]), number, array=header[1] == "[[")
            offset += len(line) + 1

    def _enter(self, parts: list[str], number: int, *, array: bool) -> Where:
        """The path of a table header: array tables carry the index of their latest element."""
        where: Where = ()
        for i, part in enumerate(parts):
            where = (*where, part)
            self._lines.setdefault(where, number)
            if array and i == len(parts) - 1:
                index = self._counts.get(where, -1) + 1
                self._counts[where] = index
                where = (*where, index)
                self._lines[where] = number
            elif where in self._counts:
                where = (*where, self._counts[where])
        return where

    def _inside(self, value: Where, wanted: Where) -> int:
        """How many lines below the start of an array or inline table the nearest thing to ``wanted`` stands in it."""
        start = self._values[value]
        best, size = 0, len(value)
        path: Where = value
        stack: list[tuple[str, Where]] = []
        key: Where = ()
        for token in _TOKEN.finditer(self._text, start):
            sign, in_table = token["sign"], bool(stack) and stack[-1][0] == "{" and path == stack[-1][1]
            if token["skip"] is not None and token[0][0] not in "\"'":
                if not stack and "\n" in token[0]:
                    break
                continue
            if in_table and token["part"]:
                key = (*key, *_parts(token[0]))
            here = (*path, *key)
            if len(here) > size and wanted[: len(here)] == here:
                best, size = self._text.count("\n", start, token.start()), len(here)
            if sign == "=" and in_table:
                path, key = here, ()
            elif sign in ("[", "{"):
                stack.append((sign, path))
                if len(stack) > _MAX_DEPTH:
                    break
                path = (*path, 0) if sign == "[" else path
            elif sign == "," and stack:
                kind, outer = stack[-1]
                path = (*outer, int(path[-1]) + 1) if kind == "[" else outer
            elif sign in ("]", "}") and stack:
                path = stack.pop()[1]
                key = ()
                if not stack:
                    break
        return best


def _parts(dotted: str) -> list[str]:
    return [_plain(part) for part in _PART.findall(dotted)]


def _plain(part: str) -> str:
    if part[0] == "'":
        return part[1:-1]
    if part[0] != '"':
        return part
    return str(tomllib.loads(f"key = {part}")["key"]) if "\\" in part else part[1:-1]


def _scan(rest: str, depth: int) -> tuple[str, int]:
    """Follow a value to the end of its line: the quotes of a multi-line string left open (or ""), and the bracket
    depth."""
    i = 0
    while i < len(rest):
        c = rest[i]
        if c == "#":
            break
        if c in "\"'":
            if rest.startswith(c * 3, i):
                end = _CLOSE[c * 3].match(rest, i + 3)
                if not end:
                    return c * 3, depth
                i = end.end()
                continue
            i += 1
            while i < len(rest) and rest[i] != c:
                i += 2 if c == '"' and rest[i] == "\\" else 1
        elif c in "[{":
            depth += 1
        elif c in "]}":
            depth -= 1
        i += 1
    return "", depth


def line_of_toml_error(message: str, text: str = "") -> Mapping[str, int]:
    """``{"line": n, "column": m}`` out of a ``tomllib`` message about a text, or nothing."""
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    if found:
        return {"line": int(found[1]), "column": int(found[2])}
    if "(at end of document)" in message:
        lines = text.rstrip().split("\n")
        return {"line": len(lines), "column": len(lines[-1]) + 1}
    return {}
