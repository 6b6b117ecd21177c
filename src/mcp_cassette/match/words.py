"""Which patterns a text or a raw line may match, by its words: each word is looked up once for all patterns.

A pattern needs some words (``needs``), and they must stand close together: within what it can match at the most. A text
is cut at its blanks; of each word it is remembered, as the bits of a number, which of the wanted words it is. All of
this is done by C functions over bytes; nothing here is done letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, reduce
from operator import or_

from mcp_cassette.match.needs import Group, longest, needs
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.views_leet import leet
from mcp_cassette.packs.model import Pattern

Needs = Callable[[str], tuple[Group, ...]]
"""What an expression needs: ``needs``, or what was worked out before."""

_KEPT = b"!$@|"
"""Signs that may stand for a letter; every other ASCII sign parts words."""
_PLAIN = bytes(
    byte if byte >= 0x80 or byte in _KEPT or chr(byte).isalnum() else 0x20 for byte in bytes(range(256)).lower()
)
_ENTITY = re.compile(rb"&(?:#[0-9]{1,9};?|#[xX][0-9A-Fa-f]{1,8};?|[A-Za-z][A-Za-z0-9]{1,31};)")
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")
_SHORT = re.compile(rb"\\+[nrtfbv]")

_HEAD = 3
"""Letters by which words are looked up."""
_REMEMBERED = 40_000
_LONGEST_REMEMBERED = 40
_REACH = 480
"""Characters within which most patterns match; those that reach further are looked for in the text as a whole."""


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+")


def cut(data: bytes) -> list[list[bytes]]:
    """The words of a text or of a line of JSON, in UTF-8. Where something in it may be an escape or may not, both ways
    of reading it are in the list."""
    plain = _SHORT.sub(b" ", data) if b"\\" in data else data
    out = [plain.translate(_PLAIN).split()]
    if b"&" in data or b"%" in data:
        out.append(_PERCENT.sub(b" ", _ENTITY.sub(b" ", plain)).translate(_PLAIN).split())
    if b"\\" in data and (b"\\\\" in data or plain is not data):
        # A backslash of its own, and a letter behind it.
        out.append(data.replace(b"\\\\", b" ").translate(_PLAIN).split())
    return out


class Words(dict[bytes, int]):
    """An index of patterns (kinds regex, words and near) by the words they need: word → bits of the groups it is in."""

    def __init__(self, patterns: Iterable[Pattern], needs: Needs = needs) -> None:
        super().__init__()
        self._needs = needs
        self._heads: dict[str, list[tuple[str, int]]] = {}
        self._inside: list[tuple[str, int]] = []
        self._foreign: list[tuple[str, int]] = []
        self._bits: dict[Group, int] = {}
        self.free: set[int] = set()
        """Ids of the patterns of which nothing can be said: they are always worth a try."""
        self._near: list[tuple[int, int]] = []
        self._far: list[tuple[int, int]] = []
        for pattern in patterns:
            wanted = reduce(or_, (self._bit(group) for group in set(self._groups(pattern))), 0)
            if not wanted:
                self.free.add(id(pattern))
            else:
                (self._near if _reach(pattern) <= _REACH else self._far).append((wanted, id(pattern)))

    def _groups(self, pattern: Pattern) -> Iterator[Group]:
        if pattern.kind == "near":
            assert pattern.first is not None and pattern.then is not None
            yield from self._groups(pattern.first)
            yield from self._groups(pattern.then)
        elif pattern.kind in ("regex", "words") and pattern.portable:
            yield from self._needs(pattern.expression)

    def _bit(self, group: Group) -> int:
        bit = self._bits.get(group)
        if bit is None:
            bit = self._bits[group] = 1 << len(self._bits)
            for word in group:
                if word[0] == " ":
                    self._heads.setdefault(word[1 : _HEAD + 1], []).append((word[1:], bit))
                else:
                    (self._inside if word.isascii() else self._foreign).append((word, bit))
        return bit

    def __missing__(self, word: bytes) -> int:
        bits = 0
        if word.isascii():
            text = word.decode("ascii")
            if not text.isalpha():
                seen = leet(text)
                if seen is not None:
                    bits |= self._of(seen.text)
        else:
            text = quick_fold(word.decode("utf-8", "replace"), "folded")
        bits |= self._of(text)
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = bits
        return bits

    def _of(self, text: str) -> int:
        bits = 0
        for run in _runs().findall(text):
            for size in (1, 2, 3):
                for start, bit in self._heads.get(run[:size], ()) if size <= len(run) else ():
                    if run.startswith(start):
                        bits |= bit
        for inside, bit in self._inside:
            if inside in text:
                bits |= bit
        if not text.isascii():
            for inside, bit in self._foreign:
                if inside in text:
                    bits |= bit
        return bits

    def alive(self, data: bytes) -> set[int]:
        """Ids of the patterns, but for the free ones, that a text or a line (in UTF-8) may match, disguises apart."""
        found: set[int] = set()
        for words in cut(data):
            bits = reduce(or_, map(self.__getitem__, set(words)), 0)
            found.update(pattern for wanted, pattern in self._far if bits & wanted == wanted)
            near = [one for one in self._near if bits & one[0] == one[0] and one[1] not in found]
            if near:
                found.update(self._close(words, near, 1 if data.isascii() else 4))
        return found

    def _close(self, words: list[bytes], near: list[tuple[int, int]], width: int) -> Iterator[int]:
        """The patterns whose words stand within their reach, blanks counted as one."""
        line, step = b" ".join(words), _REACH * width
        if len(line) <= 2 * step:
            yield from (pattern for _, pattern in near)
            return
        for start in range(0, len(line), step):
            bits = reduce(or_, map(self.__getitem__, set(line[start : start + 2 * step].split())), 0)
            yield from (pattern for wanted, pattern in near if bits & wanted == wanted)


def _reach(pattern: Pattern) -> int:
    """The most characters a pattern matches, runs of blanks counted as one."""
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        return _reach(pattern.first) + pattern.within + _reach(pattern.then)
    return longest(pattern.expression)
