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

from mcp_cassette.match.needs import Choice, Group, longest, needs
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.views_leet import leet
from mcp_cassette.match.wide import may_match
from mcp_cassette.packs.model import Pattern

Needs = Callable[[str], tuple[Choice, ...]]
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
_MOST_CHOICES = 24
"""Choices of a pattern near another; where there are more, those of one of the two are taken together."""
_REMEMBERED = 40_000
_LONGEST_REMEMBERED = 40
_REACHES = (90, 180, 480)
"""Characters within which patterns match; those that reach further are looked for in the text as a whole."""


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
        self._inside: dict[str, list[tuple[str, int]]] = {}
        self._bits: dict[Group, int] = {}
        self.free: set[int] = set()
        """Ids of the patterns of which nothing can be said: they are always worth a try."""
        self._wanted: list[tuple[int, int, int]] = []
        self._patterns: dict[int, Pattern] = {}
        for pattern in patterns:
            self._patterns[id(pattern)] = pattern
            choices = {reduce(or_, map(self._bit, choice), 0) for choice in self._choices(pattern)}
            if not choices:
                self.free.add(id(pattern))
            else:
                reach = next((r for r in _REACHES if _reach(pattern) <= r), 0)
                self._wanted += [(wanted, id(pattern), reach) for wanted in sorted(choices)]

    def _choices(self, pattern: Pattern) -> tuple[Choice, ...]:
        """Groups that must be met together, one choice or another."""
        if pattern.kind == "near":
            assert pattern.first is not None and pattern.then is not None
            first, then = self._choices(pattern.first), self._choices(pattern.then)
            if not first or not then:
                return first or then
            if len(first) * len(then) > _MOST_CHOICES:
                first, then = sorted((first, then), key=len)
                then = ((frozenset[str]().union(*(choice[0] for choice in then)),),)
            return tuple((*a, *b) for a in first for b in then)
        if pattern.kind in ("regex", "words") and pattern.portable:
            return self._needs(pattern.expression)
        return ()

    def _bit(self, group: Group) -> int:
        bit = self._bits.get(group)
        if bit is None:
            bit = self._bits[group] = 1 << len(self._bits)
            for word in group:
                index, word = (self._heads, word[1:]) if word[0] == " " else (self._inside, word)
                index.setdefault(word[:_HEAD], []).append((word, bit))
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
        inside = self._inside.get
        for run in _runs().findall(text):
            for size in (1, 2, 3):
                for start, bit in self._heads.get(run[:size], ()) if size <= len(run) else ():
                    if run.startswith(start):
                        bits |= bit
                for i in range(len(run) - size + 1):
                    for part, bit in inside(run[i : i + size], ()):
                        if run.startswith(part, i):
                            bits |= bit
        return bits

    def alive(self, data: bytes) -> set[int]:
        """Ids of the patterns, but for the free ones, that a text or a line (in UTF-8) may match, disguises apart."""
        found: set[int] = set()
        width = 1 if data.isascii() else 4
        for words in cut(data):
            bits = reduce(or_, map(self.__getitem__, set(words)), 0)
            left = [one for one in self._wanted if bits & one[0] == one[0] and one[1] not in found]
            if not left:
                continue
            line = b" ".join(words)
            near = {pattern for _, pattern, reach in left if not reach}
            for reach in _REACHES:
                close = [one for one in left if one[2] == reach]
                if close:
                    near.update(self._close(line, close, reach * width))
            bare = line if line.isascii() else _bare(line)
            found.update(pattern for pattern in near if may_match(self._patterns[pattern], bare))
        return found

    def _close(self, line: bytes, wanted: list[tuple[int, int, int]], step: int) -> Iterator[int]:
        """The patterns whose words stand in one piece of the line, twice as long as their reach."""
        if len(line) <= 2 * step:
            yield from (pattern for _, pattern, _ in wanted)
            return
        for start in range(0, len(line), step):
            bits = reduce(or_, map(self.__getitem__, set(line[start : start + 2 * step].split())), 0)
            if bits:
                yield from (pattern for needed, pattern, _ in wanted if bits & needed == needed)


def _bare(line: bytes) -> bytes:
    """The words with their letters folded; marks and signs beyond ASCII part none."""
    folded = quick_fold(line.decode("utf-8", "replace"), "folded").encode("utf-8", "replace")
    return b" ".join(folded.translate(_PLAIN).split())


def _reach(pattern: Pattern) -> int:
    """The most characters a pattern matches, runs of blanks counted as one."""
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        return _reach(pattern.first) + pattern.within + _reach(pattern.then)
    return longest(pattern.expression)
