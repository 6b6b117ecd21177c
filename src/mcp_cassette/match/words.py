"""Which patterns a text or a raw line may match, by its words: each word is looked up once for all patterns.

A pattern needs some words (``needs``), and they must stand close together: within what it can match at the most. A text
is cut at its blanks; of each word it is remembered which of the wanted words it is. A text is cut and its words are
looked up by C functions over bytes; only a word that was never seen before is read letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from mcp_cassette.match.needs import Group, longest, needs, stored_group
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.views_leet import leet
from mcp_cassette.match.wide import may_match
from mcp_cassette.packs.model import Pattern

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
_MOST_CHOICES = 8
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


_NONE = frozenset[int]()


class Words(dict[bytes, frozenset[int]]):
    """An index of patterns (kinds regex, words and near) by the words they need: word → the groups it is in."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        super().__init__()
        self._heads: dict[str, list[tuple[str, int]]] = {}
        self._inside: dict[str, list[tuple[str, int]]] = {}
        self._numbers: dict[Group | int, int] = {}
        self._asked: dict[int, list[tuple[frozenset[int], int, int]]] = {}
        self._patterns: dict[int, Pattern] = {}
        self.free: set[int] = set()
        """Ids of the patterns of which nothing can be said: they are always worth a try."""
        for pattern in patterns:
            self._patterns[id(pattern)] = pattern
            choices = {tuple(map(self._number, choice)) for choice in self._choices(pattern)}
            if not choices:
                self.free.add(id(pattern))
                continue
            longest_match = _reach(pattern)
            reach = next((r for r in _REACHES if longest_match <= r), 0)
            for numbers in choices:
                # Asked for when its rarest words are met; the groups come in that order.
                self._asked.setdefault(numbers[0], []).append((frozenset(numbers), id(pattern), reach))

    def _choices(self, pattern: Pattern) -> tuple[tuple[Group | int, ...], ...]:
        """Groups that must be met together, one choice or another; those of bundled patterns by number."""
        if pattern.kind == "near":
            assert pattern.first is not None and pattern.then is not None
            first, then = self._choices(pattern.first), self._choices(pattern.then)
            if not first or not then:
                return first or then
            if len(first) * len(then) > _MOST_CHOICES:
                first, then = sorted((first, then), key=len)
                words = (_group(choice[0]) for choice in then)
                then = ((frozenset[str]().union(*words),),)
            return tuple((*a, *b) for a in first for b in then)
        if pattern.kind in ("regex", "words") and pattern.portable:
            return needs(pattern.expression)
        return ()

    def _number(self, group: Group | int) -> int:
        number = self._numbers.get(group)
        if number is None:
            number = self._numbers[group] = len(self._numbers)
            for word in _group(group):
                index, word = (self._heads, word[1:]) if word[0] == " " else (self._inside, word)
                index.setdefault(word[:_HEAD], []).append((word, number))
        return number

    def __missing__(self, word: bytes) -> frozenset[int]:
        met: set[int] = set()
        if word.isascii():
            text = word.decode("ascii")
            if not text.isalpha():
                seen = leet(text)
                if seen is not None:
                    self._collect(seen.text, met)
        else:
            text = quick_fold(word.decode("utf-8", "replace"), "folded")
        self._collect(text, met)
        found = frozenset(met) if met else _NONE
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = found
        return found

    def _collect(self, text: str, met: set[int]) -> None:
        heads, inside = self._heads.get, self._inside.get
        for run in _runs().findall(text):
            for size in (1, 2, 3):
                for start, number in heads(run[:size], ()) if size <= len(run) else ():
                    if run.startswith(start):
                        met.add(number)
                for i in range(len(run) - size + 1):
                    for part, number in inside(run[i : i + size], ()):
                        if run.startswith(part, i):
                            met.add(number)

    def _met(self, words: Iterable[bytes]) -> set[int]:
        return set().union(*map(self.__getitem__, set(words)))

    def alive(self, data: bytes) -> set[int]:
        """Ids of the patterns, but for the free ones, that a text or a line (in UTF-8) may match, disguises apart."""
        found: set[int] = set()
        width = 1 if data.isascii() else 4
        for words in cut(data):
            met = self._met(words)
            left = [one for n in met for one in self._asked.get(n, ()) if one[0] <= met and one[1] not in found]
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

    def _close(self, line: bytes, wanted: list[tuple[frozenset[int], int, int]], step: int) -> Iterator[int]:
        """The patterns whose words stand in one piece of the line, twice as long as their reach."""
        if len(line) <= 2 * step:
            yield from (pattern for _, pattern, _ in wanted)
            return
        for start in range(0, len(line), step):
            met = self._met(line[start : start + 2 * step].split())
            if met:
                yield from (pattern for needed, pattern, _ in wanted if needed <= met)


def _group(group: Group | int) -> Group:
    return stored_group(group) if isinstance(group, int) else group


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
