"""Which patterns a text or a raw line may match, by its words: each word is looked up once for all patterns.

A pattern needs some words, in an order and within some distance of each other (``needs``). A text is cut at its blanks;
for each group of words it is remembered in which blocks of the text they stand, as the bits of one number, so that a
few shifts tell whether the words of a pattern stand as it needs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import regex

from mcp_cassette.match.lookup import Lookup
from mcp_cassette.match.needs import Chain, Group, longest, needs, stored_group
from mcp_cassette.packs.model import Pattern

_KEPT = b"!$@|"
"""Signs that may stand for a letter; every other ASCII sign parts words."""
_PLAIN = bytes(
    byte if byte >= 0x80 or byte in _KEPT or chr(byte).isalnum() else 0x20 for byte in bytes(range(256)).lower()
)
_ENTITY = re.compile(rb"&(?:#[0-9]{1,9};?|#[xX][0-9A-Fa-f]{1,8};?|[A-Za-z][A-Za-z0-9]{1,31};)")
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")
_SHORT = re.compile(rb"\\+[nrtfbv]")
_MARKS = regex.compile(r"\p{M}+")
_MOST_CHAINS = 64
"""Chains of a pattern near another; where there are more, only those of the first are asked for."""
_BLOCK = 16
"""Characters of a block, while there are not too many of them."""
_MOST_BLOCKS = 8192
_LOOSE = 4
"""How many characters one of a view may be, at the most, where a text is shown with its letters taken apart."""


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


class _Asked:
    """A chain of a pattern: numbers of groups, and the distances between them."""

    __slots__ = ("gaps", "groups", "needed", "pattern")

    def __init__(self, pattern: int, groups: tuple[int, ...], gaps: tuple[int, ...]) -> None:
        self.pattern, self.groups, self.gaps = pattern, groups, gaps
        self.needed = frozenset(groups)


class Words:
    """An index of patterns (kinds regex, words and near) by the words they need."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._lookup = Lookup()
        self._numbers: dict[Group, int] = {}
        self._sizes: list[tuple[int, int]] = []
        self._asked: dict[int, list[_Asked]] = {}
        self.free: set[int] = set()
        """Ids of the patterns of which nothing can be said: they are always worth a try."""
        for pattern in patterns:
            chains = _chains(pattern)
            if not chains:
                self.free.add(id(pattern))
            for chain in set(chains):
                groups = tuple(self._number(group) for group, _ in chain)
                asked = _Asked(id(pattern), groups, tuple(gap for _, gap in chain))
                # Asked for when its rarest words are met.
                self._asked.setdefault(min(groups, key=self._sizes.__getitem__), []).append(asked)

    def _number(self, group: Group) -> int:
        number = self._numbers.get(group)
        if number is None:
            number = self._numbers[group] = len(self._numbers)
            words = stored_group(group) if isinstance(group, int) else group
            self._lookup.add(words, number)
            self._sizes.append((-min(map(len, words)), len(words)))
        return number

    def alive(self, data: bytes, *, loose: bool = False) -> set[int]:
        """Ids of the patterns, but for the free ones, that a text or a line (in UTF-8) may match, disguises apart.
        ``loose``: its letters are taken apart, and stand further from each other than a view shows them."""
        found: set[int] = set()
        stretch = _LOOSE if loose and not data.isascii() else 1
        for words in cut(data):
            sets = list(map(self._lookup.__getitem__, words))
            met = frozenset[int]().union(*set(sets))
            asked = self._asked.get
            left = [
                one for n in met for one in asked(n, ()) if one.needed <= met and one.pattern not in found
            ]
            if left:
                wanted = frozenset[int]().union(*[one.needed for one in left])
                found.update(_standing(left, _lengths(words, data), sets, wanted, stretch))
        return found


def _standing(
    asked: list[_Asked], lengths: list[int], sets: list[frozenset[int]], wanted: frozenset[int], stretch: int
) -> Iterator[int]:
    """The patterns whose words stand as they need them."""
    block = max(_BLOCK, (sum(lengths) + len(lengths)) // _MOST_BLOCKS)
    where: dict[int, int] = dict.fromkeys(wanted, 0)
    hits = {met: met & wanted for met in set(sets)}
    at = long = 0
    for size, met in zip(lengths, sets, strict=True):
        hit = hits[met]
        if hit:
            first, last = at // block, (at + size) // block
            bits = 1 << first
            if last > first:
                bits = ((2 << (last - first)) - 1) << first
                long |= bits
            for number in hit:
                where[number] |= bits
        at += size + 1
    for one in asked:
        groups, gaps = one.groups, one.gaps
        reached = where[groups[0]]
        for i in range(1, len(groups)):
            here = where[groups[i]]
            reached = _ahead(reached, gaps[i] * stretch // block + 1) & here
            if not reached:
                break
            # A word that fills several blocks is met at its first and left at its last.
            reached |= ((long + (reached & long)) ^ long) & long & here
        else:
            yield one.pattern


def _ahead(bits: int, blocks: int) -> int:
    """Every bit, and as many above it."""
    blocks = min(blocks, _MOST_BLOCKS)
    step = 1
    while blocks > 0:
        step = min(step, blocks)
        bits |= bits << step
        blocks -= step
        step *= 2
    return bits


def _lengths(words: list[bytes], data: bytes) -> list[int]:
    """The characters of each word, marks apart."""
    if data.isascii():
        return list(map(len, words))
    text = b" ".join(words).decode("utf-8", "replace")
    return list(map(len, _MARKS.sub("", text).split(" ")))


def _chains(pattern: Pattern) -> tuple[Chain, ...]:
    """Chains of groups of which one must be met."""
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        first, then = _chains(pattern.first), _chains(pattern.then)
        whole = not pattern.first.group and not pattern.then.group  # else one may reach into the other
        if not first or not then or not whole or len(first) * len(then) > _MOST_CHAINS:
            return first or then
        # What of a match lies before and behind its words is not known here: at most the whole of it.
        gap = longest_of(pattern.first) + pattern.within + longest_of(pattern.then)
        joined = [_joined(a, b, gap) for a in first for b in then]
        if pattern.order == "either":
            joined += [_joined(b, a, gap) for a in first for b in then]
        return tuple(joined)
    if pattern.kind in ("regex", "words") and pattern.portable:
        return needs(pattern.expression)
    return ()


def _joined(first: Chain, then: Chain, gap: int) -> Chain:
    (group, _), *rest = then
    return (*first, (group, gap), *rest)


def longest_of(pattern: Pattern) -> int:
    """The most characters a pattern matches, runs of blanks counted as one."""
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        return longest_of(pattern.first) + pattern.within + longest_of(pattern.then)
    return longest(pattern.expression)
