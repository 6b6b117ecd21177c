"""Which patterns a text or a raw line may match, by its words: each word is looked up once for all patterns.

A pattern needs some words, in an order and within some distance of each other (``needs``). A text is cut at its blanks;
for each group of words it is remembered in which blocks of the text they stand, as the bits of one number, so that a
few shifts tell whether the words of a pattern stand as it needs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

from mcp_cassette.match.index import FREE, key_of, laid_out
from mcp_cassette.match.lookup import Lookup
from mcp_cassette.match.quick import MARKS, quick_fold
from mcp_cassette.match.wide import may_match
from mcp_cassette.packs.bundle import stored_index
from mcp_cassette.packs.model import Pattern

_KEPT = b"!$@|"
"""Signs that may stand for a letter; every other ASCII sign parts words."""
_PLAIN = bytes(
    byte if byte >= 0x80 or byte in _KEPT or chr(byte).isalnum() else 0x20 for byte in bytes(range(256)).lower()
)
_ENTITY = re.compile(rb"&(?:#[0-9]{1,9};?|#[xX][0-9A-Fa-f]{1,8};?|[A-Za-z][A-Za-z0-9]{1,31};)")
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")
_SHORT = re.compile(rb"\\[nrtfbv]")
_BLOCK = 16
"""Characters of a block, while there are not too many of them."""
_MOST_BLOCKS = 8192
_BELIEVED = 5
"""How often a pattern is taken at its words before they are looked at a second time."""
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


class Words:
    """An index of patterns (kinds regex, words and near) by the words they need."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self.free: set[int] = set()
        """Ids of the patterns of which nothing can be said: they are always worth a try."""
        stored = stored_index()
        layouts: list[tuple[dict[str, Any], dict[int, list[int]]]] = [(stored, {})] if stored else []
        others: list[tuple[str, Pattern]] = []
        self._times: dict[int, int] = {}
        self._patterns: dict[int, Pattern] = {}
        for pattern in patterns:
            key = key_of(pattern)
            self._patterns[id(pattern)] = pattern
            if stored and key in stored["owners"]:
                self._own(pattern, stored["owners"][key], layouts[0][1])
            else:
                others.append((key, pattern))
        if others:
            layout = laid_out(pattern for _, pattern in others)
            layouts.append((layout, {}))
            for key, pattern in others:
                self._own(pattern, layout["owners"][key], layouts[-1][1])
        self._indexes = [_Index(layout, owners) for layout, owners in layouts]

    def _own(self, pattern: Pattern, owner: int, owners: dict[int, list[int]]) -> None:
        if owner == FREE:
            self.free.add(id(pattern))
        else:
            owners.setdefault(owner, []).append(id(pattern))

    def alive(self, data: bytes, among: AbstractSet[int], *, loose: bool = False) -> set[int]:
        """Ids of the patterns, but for the free ones, that a text or a line (in UTF-8) may match, disguises apart.
        ``among``: the ids that are of interest; ``loose``: it was folded, so that letters are taken apart and stand
        further from each other than a view shows them."""
        found: set[int] = set()
        stretch = _LOOSE if loose and not data.isascii() else 1
        for words in cut(data):
            for index in self._indexes:
                met = index.met(words, data, among, found, stretch)
                found |= self._confirmed(met, None if loose else data, words)
        return found

    def _confirmed(self, found: set[int], data: bytes | None, words: list[bytes]) -> set[int]:
        """Those of some patterns that still may match after a second look at the words. What it takes is not soon
        made, so only patterns that were met again and again are looked at."""
        line = b""
        for pattern in tuple(found):
            times = self._times[pattern] = self._times.get(pattern, 0) + 1
            if times > _BELIEVED:
                line = line or _bare(b" ".join(words))
                if not may_match(self._patterns[pattern], data, line):
                    found.discard(pattern)
        return found


class _Index:
    """One layout, and the ids of the patterns that its owners are."""

    def __init__(self, layout: dict[str, Any], owners: dict[int, list[int]]) -> None:
        self._lookup, self._asked = _stored_parts() if layout is stored_index() else _parts(layout)
        self._chains: list[list[int]] = layout["chains"]
        self._owners = {owner: frozenset(ids) for owner, ids in owners.items()}
        self._ready: dict[int, tuple[_Asked, ...]] = {}

    def met(
        self,
        words: list[bytes],
        data: bytes,
        among: AbstractSet[int],
        found: AbstractSet[int],
        stretch: int,
    ) -> set[int]:
        """The ids of the patterns whose words are met, beside those found already."""
        sets = list(map(self._lookup.__getitem__, words))
        met = frozenset[int]().union(*set(sets))
        left = [
            asked[2]
            for n in met & self._asked.keys()
            for asked in self._ready.get(n) or self._made_ready(n)
            if asked[0] <= met and not among.isdisjoint(asked[1]) and not found >= asked[1]
        ]
        if left:
            wanted = frozenset[int]().union(*(chain[1::2] for chain in left))
            owners = set(_standing(left, _lengths(words, data), sets, wanted, stretch))
            return set[int]().union(*(self._owners[owner] for owner in owners)) - found
        return set()

    def _made_ready(self, group: int) -> tuple[_Asked, ...]:
        chains = (self._chains[n] for n in self._asked[group])
        self._ready[group] = tuple(
            (frozenset(chain[1::2]), self._owners[chain[0]], chain) for chain in chains if chain[0] in self._owners
        )
        return self._ready[group]


def _parts(layout: dict[str, Any]) -> tuple[Lookup, dict[int, list[int]]]:
    return Lookup(layout), {int(group): chains for group, chains in layout["asked"].items()}


@cache
def _stored_parts() -> tuple[Lookup, dict[int, list[int]]]:
    """Those of the bundled packs: they are the same for every plan, and so are the words that were read already."""
    return _parts(stored_index())


_Asked = tuple[frozenset[int], frozenset[int], list[int]]
"""The groups of a chain, the ids of its patterns, and the chain."""


def _standing(
    chains: list[list[int]], lengths: list[int], sets: list[frozenset[int]], wanted: AbstractSet[int], stretch: int
) -> Iterator[int]:
    """The owners of the chains whose words stand as they need them."""
    block = max(_BLOCK, (sum(lengths) + len(lengths)) // _MOST_BLOCKS)
    hits = {met: met & wanted for met in set(sets)}
    places = dict.fromkeys((met for met, hit in hits.items() if hit), 0)
    at = long = 0
    for size, met in zip(lengths, sets, strict=True):
        if met in places:
            first, last = at // block, (at + size) // block
            if last > first:
                bits = ((2 << (last - first)) - 1) << first
                long |= bits
                places[met] |= bits
            else:
                places[met] |= 1 << first
        at += size + 1
    where: dict[int, int] = dict.fromkeys(wanted, 0)
    for met, bits in places.items():
        for number in hits[met]:
            where[number] |= bits
    for chain in chains:
        reached = where[chain[1]]
        for i in range(2, len(chain), 2):
            here = where[chain[i + 1]]
            reached = _ahead(reached, chain[i] * stretch // block + 1) & here
            if not reached:
                break
            # A word that fills several blocks is met at its first and left at its last.
            reached |= ((long + (reached & long)) ^ long) & long & here
        else:
            yield chain[0]


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


def _bare(line: bytes) -> bytes:
    """The words with their letters folded; marks and signs beyond ASCII part none."""
    if line.isascii():
        return line
    folded = quick_fold(line.decode("utf-8", "replace"), "folded").encode("utf-8", "replace")
    return b" ".join(folded.translate(_PLAIN).split())


def _lengths(words: list[bytes], data: bytes) -> list[int]:
    """The characters of each word, marks apart."""
    if data.isascii():
        return list(map(len, words))
    text = b" ".join(words).decode("utf-8", "replace")
    return list(map(len, MARKS.sub("", text).split(" ")))
