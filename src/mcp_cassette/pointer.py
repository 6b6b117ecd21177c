"""JSON Pointers (RFC 6901), and the way from a member of a JSON value to its line and columns in the file.

The scanner reads text that was already parsed once, so it checks nothing; it only has to find its way. It is not
recursive, and its time is linear in the text, since strangers choose both the depth and the width of what it reads.
Every repetition in its expressions is possessive: none of them backtracks.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass

from jsonpointer import escape

from mcp_cassette.model import DupKey, Path
from mcp_cassette.utf16 import utf16_length

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_SCALAR = r'[^ \t\r\n"\[\]{},:]++'
_FLAT = rf'[^"\[\]{{}}]++|{_STRING}'
_LEAF = rf"[\[{{](?:{_FLAT})*+[\]}}]"  # a container that holds no other
_TREE = rf"[\[{{](?:{_FLAT}|[\[{{](?:{_FLAT}|{_LEAF})*+[\]}}])*+[\]}}]"  # one of at most three levels
_SIMPLE = rf"(?:{_SCALAR}|{_STRING}|{_TREE})"
_WS = r"[ \t\r\n]*+"
_ESCAPED = r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])"
_BLOCK = 4096
LONG = 512
"""Characters of a container whose end is worth remembering."""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)


_space = _compile(_WS)
_string = _compile(_STRING)
_scalar = _compile(_SCALAR)
_brackets = _compile(rf"(?:{_FLAT}|{_TREE})*+(?:([\[{{]++)|([\]}}]++))")
_key = _compile(rf"{_WS}({_STRING}){_WS}:{_WS}")
_pair = _compile(rf"{_WS}({_STRING}){_WS}:{_WS}()(?:{_SIMPLE}{_WS},)?+")
_comma = _compile(rf"{_WS},{_WS}")
_elements = _compile(rf"(?:{_WS}{_SIMPLE}{_WS},){{{_BLOCK}}}+")
_escape = _compile(_ESCAPED)
_characters = _compile(rf'(?:[^"\\]|{_ESCAPED}){{{_BLOCK}}}+')
_decoder = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Region:
    """A place in one line of a file: 1-based, columns in UTF-16 units of that line, ``end_column`` exclusive."""

    line: int
    column: int
    end_column: int


class _Lost(Exception):
    """The text has no member at the path."""


def parts(path: Path) -> list[str | int]:
    """The keys and indices of a path, outermost first."""
    found: list[str | int] = []
    while path:
        path, part = path
        found.append(part)
    found.reverse()
    return found


def render(path: Path) -> str:
    """The RFC 6901 pointer of a path; the root is ``""``. Of two equal keys both have the same pointer."""
    return "".join(f"/{escape(str(part))}" for part in parts(path))


def locate(raw: bytes, path: Path, start: int, end: int, *, is_key: bool = False, first_line: int = 1) -> Region:
    """``Locator(raw, first_line).locate(…)`` for a single place."""
    return Locator(raw, first_line).locate(path, start, end, is_key=is_key)


class Locator:
    """Finds places in one line (or one whole document, over several lines) of UTF-8 JSON.

    ``first_line`` is the number of the first line of ``raw``. It remembers the way to the last place and what it had to
    pass over, so that many places asked for in the order of the text, or level by level, cost one pass over it and not
    one pass each.
    """

    def __init__(self, raw: bytes, first_line: int = 1) -> None:
        self._json = _Json(raw.decode("utf-8", errors="replace").removeprefix("\ufeff"))
        self._way: list[tuple[str | int, int, int]] = []  # part, offset of its key, offset of its value
        self._mark = (0, first_line, 1)  # an offset, its line and column

    def locate(self, path: Path, start: int, end: int, *, is_key: bool = False) -> Region:
        """Where ``value[start:end]`` is spelled in the file.

        ``path`` is a member of the JSON value, ``start`` and ``end`` offsets into the decoded string there, or into the
        key itself with ``is_key``. The region covers exactly the characters that spell the substring, an escape counted
        as it is written; a substring that goes on in the next line ends with its first. A value that is no string gives
        the whole value (its first line); a path that is not there gives the whole first line.

        A byte-order mark at the front counts as no column: editors do not show one. Bytes that are no UTF-8 count as
        U+FFFD each, as the tolerant reader decodes them. A plain key that occurs twice means its first member.
        """
        text = self._json.text
        try:
            key, value = self._find(parts(path))
            begin = key if is_key else value
            if text[begin] == '"':
                close = self._json.skip(begin) - 1
                begin = _advance(text, begin + 1, close, start)
                stop = _advance(text, begin, close, end - start)
            else:
                stop = self._json.skip(begin)
        except _Lost:
            begin, stop = 0, len(text)
        return self._region(begin, stop)

    def _find(self, wanted: list[str | int]) -> tuple[int, int]:
        """Offsets of the member's key (of the value again where there is no key) and of its value."""
        text, way = self._json.text, self._way
        same = 0
        while same < len(wanted) and same < len(way) and _same(way[same][0], wanted[same]):
            same += 1
        last = way[same] if same < len(way) and same < len(wanted) else None
        del way[same:]
        key = value = way[-1][2] if way else _end(_space, text, 0)
        if way:
            key = way[-1][1]
        for part in wanted[same:]:
            opening = text[value : value + 1]
            if opening == "{" and isinstance(part, str):
                key, value = self._member(value + 1, part, last)
            elif opening == "[" and isinstance(part, int):
                if last is not None and isinstance(last[0], int) and last[0] < part:
                    key = value = self._json.element(last[2], part - last[0])
                else:
                    key = value = self._json.element(value + 1, part)
            else:
                raise _Lost
            way.append((part, key, value))
            last = None
        if value >= len(text):
            raise _Lost
        return key, value

    def _member(self, pos: int, name: str, last: tuple[str | int, int, int] | None) -> tuple[int, int]:
        """Look behind the member found before, then from the start."""
        if isinstance(name, DupKey):
            return self._json.equal_member(pos, name)
        if last is not None:
            try:
                after = _end(_comma, self._json.text, self._json.skip(last[2]))
                return self._json.member(after, name)
            except _Lost:
                pass
        return self._json.member(pos, name)

    def _region(self, begin: int, stop: int) -> Region:
        text = self._json.text
        line_end = text.find("\n", begin, stop)
        if line_end >= 0:
            stop = line_end - 1 if line_end > begin and text[line_end - 1] == "\r" else line_end
        offset, line, column = self._mark
        low, high, way = (offset, begin, 1) if offset <= begin else (begin, offset, -1)
        if newlines := text.count("\n", low, high):
            line, column, way = line + way * newlines, 1, 1
            low, high = text.rfind("\n", 0, begin) + 1, begin
        column += way * utf16_length(text[low:high])
        self._mark = (begin, line, column)
        return Region(line, column, column + utf16_length(text[begin:stop]))


def _same(part: str | int, other: str | int) -> bool:
    """Whether two parts name the same member: of equal keys, the same occurrence."""
    return (
        type(part) is type(other)
        and part == other
        and getattr(part, "occurrence", 0) == getattr(other, "occurrence", 0)
    )


class _Json:
    """A JSON text, and what was found out about it: where long containers end, where members with equal keys stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._ends: dict[int, int] = {}
        self._equal: dict[int, dict[str, list[int]]] = {}

    def member(self, pos: int, name: str) -> tuple[int, int]:
        """Offsets of the key and the value of the first member called ``name``, from the member at ``pos`` on."""
        text = self.text
        others: re.Pattern[str] | None = None
        steps = 0
        while True:
            if steps == 64:  # a wide object: jump over runs of members that cannot be the one
                others = _other_members(name)
            if others and (run := others.match(text, pos)):
                pos = run.end()
            steps += 1
            member = _key.match(text, pos)
            if not member:
                raise _Lost
            if _spells(text, *member.span(1), name):
                return member.start(1), member.end()
            pos = _end(_comma, text, self.skip(member.end()))

    def equal_member(self, pos: int, name: DupKey) -> tuple[int, int]:
        """The same for one of several equal keys of the object whose first member is at ``pos``."""
        if pos not in self._equal:
            self._equal[pos] = self._equal_keys(pos)
        keys = self._equal[pos].get(name, ())
        if name.occurrence >= len(keys):
            raise _Lost
        key = keys[name.occurrence]
        return key, _end(_key, self.text, key)

    def _equal_keys(self, pos: int) -> dict[str, list[int]]:
        """Where each key stands that the object has more than once."""
        text = self.text
        first: dict[str, int] = {}
        equal: dict[str, list[int]] = {}
        with suppress(_Lost):
            while member := _pair.match(text, pos):
                name, key = _decoded(member[1]), member.start(1)
                if (before := first.setdefault(name, key)) != key:
                    equal.setdefault(name, [before]).append(key)
                value, pos = member.end(2), member.end()
                if pos == value:
                    pos = _end(_comma, text, self.skip(value))
        return equal

    def element(self, pos: int, index: int) -> int:
        """The offset of an element, ``index`` elements on from the one at ``pos``."""
        text = self.text
        singly = 0
        while index > 0:
            if index >= _BLOCK and not singly:
                if block := _elements.match(text, pos):
                    pos, index = block.end(), index - _BLOCK
                    continue
                singly = _BLOCK  # do not look at the same elements as a block again
            pos = _end(_comma, text, self.skip(_end(_space, text, pos)))
            index, singly = index - 1, max(0, singly - 1)
        pos = _end(_space, text, pos)
        if text[pos : pos + 1] in ("]", ""):
            raise _Lost
        return pos

    def skip(self, pos: int) -> int:
        """The end of the value that begins at ``pos``."""
        text, ends = self.text, self._ends
        opening = text[pos : pos + 1]
        if opening == '"':
            return _end(_string, text, pos)
        if opening not in ("[", "{"):
            return _end(_scalar, text, pos)
        if pos in ends:
            return ends[pos]
        begun, pos = [pos], pos + 1
        while run := _brackets.match(text, pos):
            pos = run.end()
            for bracket in range(*run.span(1)):
                if bracket in ends:
                    pos = ends[bracket]
                    break
                begun.append(bracket)
            for bracket in range(*run.span(2)):
                start, end = begun.pop(), bracket + 1
                if end - start >= LONG:
                    ends[start] = end
                if not begun:
                    return end
        raise _Lost


def _other_members(name: str) -> re.Pattern[str]:
    """A run of members with simple values whose key does not begin as ``name`` does, in any spelling of it."""
    prefix = "".join(_spellings(c) for c in name[:32]) + ('"' if len(name) <= 32 else "")
    return _compile(rf'(?:{_WS}(?!"{prefix}){_STRING}{_WS}:{_WS}{_SIMPLE}{_WS},)++')


def _spellings(character: str) -> str:
    units = character.encode("utf-16-be", errors="surrogatepass").hex()
    written = "".join(rf"\\u(?i:{units[i : i + 4]})" for i in range(0, len(units), 4))
    short = json.dumps(character)[1:-1]
    return f"(?:{re.escape(character)}|{re.escape(short)}|{written})" if character != "/" else rf"(?:\\?/|{written})"


def _spells(text: str, begin: int, end: int, name: str) -> bool:
    if end - begin - 2 == len(name) and text.startswith(name, begin + 1) and "\\" not in name:
        return True
    if text.find("\\", begin, end) < 0 or not len(name) <= end - begin - 2 <= 12 * len(name):
        return False
    try:
        return bool(_decoder.decode(text[begin:end]) == name)
    except json.JSONDecodeError:
        return False


def _decoded(key: str) -> str:
    """A key without its quotation marks and escapes."""
    try:
        return str(_decoder.decode(key)) if "\\" in key else key[1:-1]
    except json.JSONDecodeError:
        return key


def _end(pattern: re.Pattern[str], text: str, pos: int) -> int:
    found = pattern.match(text, pos)
    if not found:
        raise _Lost
    return found.end()


def _advance(text: str, pos: int, close: int, count: int) -> int:
    """``count`` decoded characters on from ``pos``, inside a string whose closing quote is at ``close``."""
    whole_blocks = True
    while count > 0 and pos < close:
        backslash = text.find("\\", pos, min(pos + count, close))
        if backslash < 0:
            return min(pos + count, close)
        gap = backslash - pos
        pos, count = backslash, count - gap
        if gap < 24 and count >= _BLOCK and whole_blocks:  # dense escapes
            if block := _characters.match(text, pos):
                pos, count = block.end(), count - _BLOCK
                continue
            whole_blocks = False
        pos, count = _end(_escape, text, pos), count - 1
    return pos
