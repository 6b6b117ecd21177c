"""The words an expression cannot match without, in their order, and how far apart they may stand at the most.

``\\bignor(?:e|ing)\\b.{0,20}\\brules`` needs the word ``ignore`` or ``ignoring`` and, at most twenty characters behind it,
a word that begins with ``rules``. Words are written as ``quick_fold`` shows a text, so that a text is folded once and
then only looked up.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, reduce
from typing import TypeAlias

from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.syntax import MANY, WHITE, Alt, Chars, Edge, Look, Node, Repeat, Seq, tree
from mcp_cassette.packs.bundle import stored_needs, stored_words

Words: TypeAlias = frozenset[str]
"""Words of which one must be met. One that begins with a blank must begin a word of the text, one that ends with a
blank must end it."""
Group: TypeAlias = "Words | int"
"""Words, or the number under which they are stored."""
Chain: TypeAlias = tuple[tuple[Group, int], ...]
"""Groups that must all be met in this order, each with the most characters between it and the one before."""

_FEWEST = 3
"""Letters of a word that says something; ideographs count three times."""
_MOST_WORDS = 100
_MOST_MERGED = 3
_MOST_ITEMS = 8
_MOST_CHAINS = 16
_FEW_LETTERS = 12


@dataclass(frozen=True, slots=True)
class _Item:
    words: Words
    gap: int
    longest: int


@dataclass(frozen=True, slots=True)
class _Chain:
    """Items with what may stand before the first and behind the last; without items, ``before`` is all of it."""

    items: tuple[_Item, ...] = ()
    before: int = 0
    behind: int = 0

    def then(self, other: _Chain) -> _Chain:
        if not self.items:
            return _Chain(other.items, _sum(self.before, other.before), other.behind)
        if not other.items:
            return _Chain(self.items, self.before, _sum(self.behind, other.before))
        first, *rest = other.items
        joined = _Item(first.words, _sum(self.behind, other.before), first.longest)
        return _Chain((*self.items, joined, *rest), self.before, other.behind)

    @property
    def longest(self) -> int:
        return _sum(self.before, self.behind, *(item.longest + item.gap for item in self.items))


_NOTHING = (_Chain(),)


@cache
def needs(expression: str) -> tuple[Chain, ...]:
    """The chains of an expression, of which one must be met: as worked out before, or as now."""
    stored = stored_needs(expression)
    if stored is None:
        return worked_out(expression)
    return tuple(tuple(zip(chain[::2], chain[1::2], strict=True)) for chain in stored[1])


def stored_group(number: int) -> Words:
    """The words of a number in what was worked out before."""
    return frozenset(stored_words(number))


def worked_out(expression: str) -> tuple[Chain, ...]:
    """What an expression of the portable subset needs; nothing where nothing can be said."""
    for limits in ((_FEWEST, _MOST_WORDS), (1, 10 * _MOST_WORDS)):
        chains = _Reader(*limits).read(tree(expression), fresh=False, ends=False)
        if all(chain.items for chain in chains):
            return tuple(dict.fromkeys(_plain(chain) for chain in chains))
    return ()


def _plain(chain: _Chain) -> Chain:
    return tuple((item.words, item.gap) for item in _best(chain, _MOST_ITEMS).items)


@cache
def longest(expression: str) -> int:
    """The most characters an expression matches, a run of blanks counted as one; very many where it has no bound."""
    stored = stored_needs(expression)
    return counted(expression) if stored is None else stored[0]


def counted(expression: str) -> int:
    """The same, of the expression itself."""
    return min(_longest(tree(expression)), MANY)


def _longest(node: Node) -> int:
    if isinstance(node, Chars):
        return 1
    if isinstance(node, (Edge, Look)):
        return 0
    if isinstance(node, Seq):
        return sum(map(_longest, node.parts))
    if isinstance(node, Alt):
        return max(map(_longest, node.branches))
    if isinstance(node.part, Chars) and node.part.chars is not None and node.part.chars <= WHITE:
        return 1
    return min(node.most * _longest(node.part), MANY)


def _sum(*lengths: int) -> int:
    return min(sum(lengths), MANY)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads chains off a tree. ``fewest``: letters of a word that is kept; ``most``: words of a group."""

    fewest: int
    most: int

    def read(self, node: Node, *, fresh: bool, ends: bool) -> tuple[_Chain, ...]:
        """The chains of a node. ``fresh``: what stands before it ends a word; ``ends``: so does what follows it."""
        if isinstance(node, Alt):
            chains = [chain for branch in node.branches for chain in self.read(branch, fresh=fresh, ends=ends)]
            if not all(chain.items for chain in chains):
                return (_Chain(before=_longest(node)),)
            return self._tidied(tuple(dict.fromkeys(chains)))
        if isinstance(node, Repeat):
            if not node.least:
                return (_Chain(before=_longest(node)),)
            once = node.least == node.most == 1
            inner = self.read(node.part, fresh=fresh and once, ends=ends and once)
            more = max(_longest(node) - _longest(node.part), 0)
            return tuple(_Chain(c.items, _sum(c.before, more), _sum(c.behind, more if c.items else 0)) for c in inner)
        return self._sequence(_flat(node), fresh=fresh, ends=ends)

    def _sequence(self, parts: list[Node], *, fresh: bool, ends: bool) -> tuple[_Chain, ...]:
        lists: list[tuple[_Chain, ...]] = []
        stops = [ends]
        for part in reversed(parts):
            stops.append(_begins_apart(part, stops[-1]))
        stops.reverse()  # stops[i]: whether part i certainly ends a word before it
        run: frozenset[str] = frozenset(("",))
        run_fresh = fresh
        for i, part in enumerate(parts):
            spelled = _spelled(part)
            if spelled is not None and len(run) * len(spelled) <= self.most:
                run = frozenset(a + b for a in run for b in spelled)
                continue
            if spelled is not None:
                lists.append(self._word(run, run_fresh, ends=False))
                run, run_fresh = spelled, False
                continue
            lists.append(self._word(run, run_fresh, ends=stops[i]))
            before = run_fresh and run == {""}
            run, run_fresh = frozenset(("",)), _ends_apart(part, before)
            if isinstance(part, (Alt, Repeat)):
                lists.append(self.read(part, fresh=before, ends=stops[i + 1]))
            else:
                lists.append((_Chain(before=_longest(part)),))
        lists.append(self._word(run, run_fresh, ends=ends))
        while reduce(lambda n, chains: n * len(chains), lists, 1) > _MOST_CHAINS:
            widest = max(range(len(lists)), key=lambda i: len(lists[i]))
            lists[widest] = self._fewer(lists[widest])
        out = _NOTHING
        for chains in lists:
            out = tuple(a.then(b) for a in out for b in chains)
        return out

    def _word(self, run: frozenset[str], fresh: bool, *, ends: bool) -> tuple[_Chain, ...]:
        """A run of letters as a group of its own, if it says enough."""
        size = max(map(len, run))
        words = frozenset((" " if fresh else "") + word + (" " if ends else "") for word in run)
        if "" in run or min(map(_weight, words)) < self.fewest:
            return (_Chain(before=size),) if size else _NOTHING
        return (_Chain((_Item(words, 0, size),)),)

    def _tidied(self, chains: tuple[_Chain, ...]) -> tuple[_Chain, ...]:
        """No more chains than are allowed; those of one item as one, where nothing is lost by it."""
        single = tuple(chain for chain in chains if len(chain.items) == 1)
        if len(single) > 1 and (one := self._one(single)).items:
            chains = (*(chain for chain in chains if len(chain.items) > 1), one)
        return chains if len(chains) <= _MOST_CHAINS else self._fewer(chains)

    def _fewer(self, chains: tuple[_Chain, ...]) -> tuple[_Chain, ...]:
        """Fewer chains for several: one for those of one item, one for those of two and so on; at last one for all."""
        sizes = sorted({min(len(chain.items), _MOST_MERGED) for chain in chains})
        if len(sizes) == len(chains):
            return (self._one(chains),)
        return tuple(
            self._one(tuple(chain for chain in chains if min(len(chain.items), _MOST_MERGED) == size)) for size in sizes
        )

    def _one(self, chains: tuple[_Chain, ...]) -> _Chain:
        """One chain for several: as many groups as the shortest has, of the words that say most of each."""
        if len(chains) == 1:
            return chains[0]
        for size in range(min(_MOST_MERGED, *(len(chain.items) for chain in chains)), 0, -1):
            columns = list(zip(*(_best(chain, size).items for chain in chains), strict=True))
            groups = [frozenset[str]().union(*(item.words for item in column)) for column in columns]
            if max(map(len, groups)) <= self.most:
                cut = [_best(chain, size) for chain in chains]
                items = tuple(
                    _Item(words, max(item.gap for item in column), max(item.longest for item in column))
                    for words, column in zip(groups, columns, strict=True)
                )
                return _Chain(items, max(c.before for c in cut), max(c.behind for c in cut))
        return _Chain(before=max(chain.longest for chain in chains))


def _best(chain: _Chain, size: int) -> _Chain:
    """A chain of no more than so many items, those that say most."""
    while len(chain.items) > size:
        i = max(range(len(chain.items)), key=lambda i: _rank(chain.items[i].words))
        gone, before, behind = chain.items[i], chain.before, chain.behind
        items = list(chain.items)
        del items[i]
        if i < len(items):
            items[i] = _Item(items[i].words, _sum(gone.gap, gone.longest, items[i].gap), items[i].longest)
        else:
            behind = _sum(behind, gone.gap, gone.longest)
        if not i:
            # What stood before the second item stands before the first now.
            before, first = _sum(before, items[0].gap), items[0] if items else gone
            items[:1] = [_Item(first.words, 0, first.longest)] if items else []
        chain = _Chain(tuple(items), before, behind)
    return chain


def _flat(node: Node) -> list[Node]:
    if not isinstance(node, Seq):
        return [node]
    return [inner for part in node.parts for inner in _flat(part)]


@cache
def _spelled(node: Node) -> frozenset[str] | None:
    """The words a node can be, folded, where they are few and of letters alone."""
    if isinstance(node, Chars):
        if node.chars is None or len(node.chars) > _FEW_LETTERS:
            return None
        folded = frozenset(quick_fold(c, "folded") for c in node.chars)
        return folded if all(map(_is_letter, "".join(folded))) else None
    if isinstance(node, Seq):
        out: frozenset[str] = frozenset(("",))
        for part in node.parts:
            spelled = _spelled(part)
            if spelled is None or len(out) * len(spelled) > _MOST_WORDS:
                return None
            out = frozenset(a + b for a in out for b in spelled)
        return out
    if isinstance(node, Alt):
        branches = [_spelled(branch) for branch in node.branches]
        found = [branch for branch in branches if branch is not None]
        joined = frozenset[str]().union(*found)
        return joined if len(found) == len(branches) and len(joined) <= _MOST_WORDS else None
    if isinstance(node, Repeat) and node.most == 1:
        spelled = _spelled(node.part)
        return spelled if spelled is None or node.least else spelled | {""}
    return None


def _begins_apart(node: Node, after: bool) -> bool:
    """Whether a word before a node certainly ends there; ``after``: whether it does before what follows the node."""
    if isinstance(node, Chars):
        return _parts(node)
    if isinstance(node, Edge):
        return after if node.sign == "^" else node.sign != r"\B"
    if isinstance(node, Look):
        return after
    if isinstance(node, Seq):
        return reduce(lambda apart, part: _begins_apart(part, apart), reversed(node.parts), after)
    if isinstance(node, Alt):
        return all(_begins_apart(branch, after) for branch in node.branches)
    return _begins_apart(node.part, False) and (after or bool(node.least))


def _ends_apart(node: Node, before: bool) -> bool:
    """Whether a word behind a node certainly begins there."""
    if isinstance(node, Chars):
        return _parts(node)
    if isinstance(node, Edge):
        return before if node.sign == "$" else node.sign != r"\B"
    if isinstance(node, Look):
        return before
    if isinstance(node, Seq):
        return reduce(lambda apart, part: _ends_apart(part, apart), node.parts, before)
    if isinstance(node, Alt):
        return all(_ends_apart(branch, before) for branch in node.branches)
    return _ends_apart(node.part, False) and (before or bool(node.least))


def _parts(node: Chars) -> bool:
    """Whether none of some characters may stand in a word (a digit ends one, as ``_`` does)."""
    return node.chars is not None and not any(unicodedata.category(c)[0] in "LM" for c in node.chars)


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] == "L"


def _rank(words: Words) -> tuple[int, int, list[str]]:
    """Few and long words first."""
    return (-min(map(_weight, words)), len(words), sorted(words))


def _weight(word: str) -> int:
    """How much a word says: its letters, and one more where both its ends are known; an ideograph or a syllable is a
    word by itself."""
    return sum(3 if c >= "\u2e80" else 1 for c in word.strip()) + (word[:1] == word[-1:] == " ")
