"""Chains of words that must be met: put behind each other, or several of them made one that asks for less."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf, prod
from typing import TypeAlias

from mcp_cassette.match.syntax import MANY

Words: TypeAlias = frozenset[str]
"""Words of which one must be met. One that begins with a blank must begin a word of the text, one that ends with a
blank must end it."""

_LOST = 30
"""What a group that is left out weighs, in words that are added to another."""


@dataclass(frozen=True, slots=True)
class Item:
    """A group of words, the most characters between it and the one before it, and those of its longest word."""

    words: Words
    gap: int
    longest: int


@dataclass(frozen=True, slots=True)
class Chain:
    """Items with what may stand before the first and behind the last; without items, ``before`` is all of it."""

    items: tuple[Item, ...] = ()
    before: int = 0
    behind: int = 0

    def then(self, other: Chain) -> Chain:
        if not self.items:
            return Chain(other.items, total(self.before, other.before), other.behind)
        if not other.items:
            return Chain(self.items, self.before, total(self.behind, other.before))
        first, *rest = other.items
        joined = Item(first.words, total(self.behind, other.before), first.longest)
        return Chain((*self.items, joined, *rest), self.before, other.behind)

    @property
    def longest(self) -> int:
        return total(self.before, self.behind, *(item.longest + item.gap for item in self.items))


NOTHING = (Chain(),)


def fewest_of(
    lists: list[tuple[Chain, ...]], most: int, words: int, count: Callable[[Iterable[int]], int] = prod
) -> list[tuple[Chain, ...]]:
    """Lists of chains that count for no more than ``most`` (one of each put together, or all beside each other), if it
    can be: one chain is the least that a list has."""
    out = list(lists)
    while count(map(len, out)) > most and max(map(len, out)) > 1:
        widest = max(range(len(out)), key=lambda i: len(out[i]))
        out[widest] = fewer(out[widest], words)
    return out


def fewer(chains: tuple[Chain, ...], words: int) -> tuple[Chain, ...]:
    """Half as many chains: those that differ least become one. ``words``: how many a group may have."""
    left = dict(enumerate(chains))
    costs = {(i, j): _difference(chains[i], chains[j]) for i, j in combinations(left, 2)}
    while len(left) > max(1, len(chains) // 2):
        i, j = min(costs, key=costs.__getitem__)
        one = merged((left[i], left[j]), words)
        if not one.items:  # too many words for one group
            return (merged(chains, words),)
        left[i] = one
        del left[j]
        costs = {pair: cost for pair, cost in costs.items() if j not in pair}
        costs |= {(a, b): _difference(left[a], left[b]) for a, b in costs if i in (a, b)}
    return tuple(dict.fromkeys(left.values()))


def merged(chains: tuple[Chain, ...], words: int) -> Chain:
    """One chain for several: as many groups as the shortest has, of the words that say most of each."""
    if len(chains) == 1:
        return chains[0]
    for size in range(min(len(chain.items) for chain in chains), 0, -1):
        cut = [best(chain, size) for chain in chains]
        columns = list(zip(*(chain.items for chain in cut), strict=True))
        groups = [frozenset[str]().union(*(item.words for item in column)) for column in columns]
        if max(map(len, groups)) <= words:
            items = tuple(
                Item(group, max(item.gap for item in column), max(item.longest for item in column))
                for group, column in zip(groups, columns, strict=True)
            )
            return Chain(items, max(c.before for c in cut), max(c.behind for c in cut))
    return Chain(before=max(chain.longest for chain in chains))


def _difference(a: Chain, b: Chain) -> float:
    """How much is lost where two chains become one: words that are added to a group, and groups that are left out."""
    size = min(len(a.items), len(b.items))
    if not size:
        return inf
    left_out = len(a.items) + len(b.items) - 2 * size
    added = sum(
        len(x.words | y.words) - max(len(x.words), len(y.words))
        for x, y in zip(best(a, size).items, best(b, size).items, strict=True)
    )
    return added + _LOST * left_out


def best(chain: Chain, size: int) -> Chain:
    """A chain of no more than so many items, those that say most."""
    while len(chain.items) > size:
        i = max(range(len(chain.items)), key=lambda i: _rank(chain.items[i].words))
        gone, before, behind = chain.items[i], chain.before, chain.behind
        items = list(chain.items)
        del items[i]
        if i < len(items):
            items[i] = Item(items[i].words, total(gone.gap, gone.longest, items[i].gap), items[i].longest)
        else:
            behind = total(behind, gone.gap, gone.longest)
        if not i:
            # What stood before the second item stands before the first now.
            before, first = total(before, items[0].gap), items[0] if items else gone
            items[:1] = [Item(first.words, 0, first.longest)] if items else []
        chain = Chain(tuple(items), before, behind)
    return chain


@cache
def _rank(words: Words) -> tuple[int, int, list[str]]:
    """Few and long words first."""
    return (-min(map(weight, words)), len(words), sorted(words))


@cache
def weight(word: str) -> int:
    """How much a word says: its letters, and one more for each end that is known; an ideograph or a syllable is a word
    by itself."""
    return sum(3 if c >= "\u2e80" else 1 for c in word.strip()) + (word[0] == " ") + (word[-1] == " ")


def total(*lengths: int) -> int:
    """A sum of characters; very many are no more than very many."""
    return min(sum(lengths), MANY)
