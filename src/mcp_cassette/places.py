"""Which line of a TOML file a key stands on. ``tomllib`` parses and forgets; an error message must not."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcp_cassette.shape import Where

_HEADER = re.compile(r"\s*(\[\[?)(.+?)(\]\]?)\s*(?:#.*)?$")
_KEY = re.compile(
    r"""\s*((?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'))*)\s*="""
)
_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'""")


class Places:
    """Line numbers (1-based) of the tables and keys of one TOML text that ``tomllib`` accepted."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Where, int] = {}
        self._counts: dict[Where, int] = {}
        self._read(text)

    def line(self, where: Where) -> int:
        """The line of the key, or of the nearest table around it, or 1."""
        while where:
            if where in self._lines:
                return self._lines[where]
            where = where[:-1]
        return 1

    def _read(self, text: str) -> None:
        table: Where = ()
        open_until, depth = "", 0
        for number, line in enumerate(text.split("\n"), 1):
            if open_until:
                end = line.find(open_until)
                if end < 0:
                    continue
                open_until, depth = _scan(line[end + 3 :], depth)
                continue
            if depth:
                open_until, depth = _scan(line, depth)
                continue
            header = _HEADER.match(line)
            if header and not _KEY.match(line):
                table = self._enter(_parts(header[2]), array=header[1] == "[[")
                self._lines.setdefault(table, number)
                continue
            key = _KEY.match(line)
            if key:
                where = table
                for part in _parts(key[1]):
                    where = (*where, part)
                    self._lines.setdefault(where, number)
                open_until, depth = _scan(line[key.end() :], 0)

    def _enter(self, parts: list[str], *, array: bool) -> Where:
        """The path of a table header: array tables carry the index of their latest element."""
        where: Where = ()
        for i, part in enumerate(parts):
            where = (*where, part)
            if array and i == len(parts) - 1:
                index = self._counts.get(where, -1) + 1
                self._counts[where] = index
                where = (*where, index)
            elif where in self._counts:
                where = (*where, self._counts[where])
        return where


def _parts(dotted: str) -> list[str]:
    return [p.strip("\"'") for p in _PART.findall(dotted)]


def _scan(rest: str, depth: int) -> tuple[str, int]:
    """Follow a value to the end of its line: the quotes left open by a multi-line string (or ""), the bracket depth."""
    i = 0
    while i < len(rest):
        c = rest[i]
        if c == "#":
            break
        if c in "\"'":
            if rest.startswith(c * 3, i):
                end = rest.find(c * 3, i + 3)
                if end < 0:
                    return c * 3, depth
                i = end + 3
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


def line_of_toml_error(message: str) -> Mapping[str, int]:
    """``{"line": n, "column": m}`` out of a ``tomllib`` message, or nothing."""
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    return {"line": int(found[1]), "column": int(found[2])} if found else {}
