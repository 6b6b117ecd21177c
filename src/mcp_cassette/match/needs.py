"""The words an expression cannot match without, in their order, and how far apart they may stand at the most.

``\\bignor(?:e|ing)\\b.{0,20}\\brules`` needs the word ``ignore`` or ``ignoring`` and, at most twenty characters behind
it, a word that begins with ``rules``. Words are written as ``quick_fold`` shows a text, so that a text is folded once
and then only looked up.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, reduce
from typing import TypeAlias

from mcp_cassette.match.chains import NOTHING, Chain, Item, Words, best, fewer, fewest_of, merged, total, weight
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.syntax import MANY, WHITE, Alt, Chars, Edge, Look, Node, Repeat, Seq, tree
from mcp_cassette.packs.model import Pattern

Needed: TypeAlias = tuple[tuple[Words, int], ...]
"""Groups that must all be met in this order, each with the most characters between it and the one before."""

_FEWEST = 3
"""Letters of a word that says something; ideographs count three times."""
_MOST_WORDS = 100
_MOST_ITEMS = 8
_MOST_CHAINS = 48
_MOST_NEAR = 64
_FEW_LETTERS = 12


def needs(pattern: Pattern) -> tuple[Needed, ...]:
    """The chains of a pattern of which one must be met; nothing where nothing can be said."""
    chains = _read(pattern)
    return tuple(dict.fromkeys(tuple((i.words, i.gap) for i in best(chain, _MOST_ITEMS).items) for chain in chains))


def _read(pattern: Pattern) -> tuple[Chain, ...]:
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        first, then = _read(pattern.first), _read(pattern.then)
        whole = not pattern.first.group and not pattern.then.group  # else one may reach into the other
        if not first or not then or not whole:
            return min((chains for chains in (first, then) if chains), key=len, default=())
        both = fewest_of([first, then], _MOST_NEAR, _MOST_WORDS)
        if not all(chain.items for chains in both for chain in chains):
            return first
        first, then = both
        gap = Chain(before=pattern.within)
        joined = [a.then(gap).then(b) for a in first for b in then]
        if pattern.order == "either":
            joined += [b.then(gap).then(a) for a in first for b in then]
        return tuple(joined)
    if pattern.kind in ("regex", "words") and pattern.portable:
        return worked_out(pattern.expression)
    return ()


@cache
def worked_out(expression: str) -> tuple[Chain, ...]:
    """What an expression of the portable subset needs; nothing where nothing can be said."""
    for reader in (_READER, _Reader(1, 10 * _MOST_WORDS)):
        chains = reader.read(tree(expression), fresh=False, ends=False)
        if all(chain.items for chain in chains):
            return chains
    return ()


def _longest(node: Node) -> int:
    """The most characters a node matches, runs of blanks counted as one; very many where it has no bound."""
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


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads chains off a tree. ``fewest``: letters of a word that is kept; ``most``: words of a group."""

    fewest: int
    most: int

    def read(self, node: Node, *, fresh: bool, ends: bool) -> tuple[Chain, ...]:
        """The chains of a node. ``fresh``: what stands before it ends a word; ``ends``: so does what follows it."""
        if isinstance(node, Alt):
            branches = [self.read(branch, fresh=fresh, ends=ends) for branch in node.branches]
            if not all(chain.items for branch in branches for chain in branch):
                return (Chain(before=_longest(node)),)
            return self._joined(branches)
        if isinstance(node, Repeat):
            if not node.least:
                return (Chain(before=_longest(node)),)
            once = node.least == node.most == 1
            inner = self.read(node.part, fresh=fresh and once, ends=ends and once)
            more = max(_longest(node) - _longest(node.part), 0)
            return tuple(Chain(c.items, total(c.before, more), total(c.behind, more if c.items else 0)) for c in inner)
        return self._sequence(_flat(node), fresh=fresh, ends=ends)

    def _sequence(self, parts: list[Node], *, fresh: bool, ends: bool) -> tuple[Chain, ...]:
        lists: list[tuple[Chain, ...]] = []
        stops = [ends]
        for part in reversed(parts):
            stops.append(_apart(part, stops[-1], before=True))
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
            run, run_fresh = frozenset(("",)), _apart(part, before, before=False)
            if isinstance(part, (Alt, Repeat)):
                lists.append(self.read(part, fresh=before, ends=stops[i + 1]))
            else:
                lists.append((Chain(before=_longest(part)),))
        lists.append(self._word(run, run_fresh, ends=ends))
        out: tuple[Chain, ...] = NOTHING
        for chains in fewest_of(lists, _MOST_CHAINS, self.most):
            out = tuple(a.then(b) for a in out for b in chains)
        return out

    def _word(self, run: frozenset[str], fresh: bool, *, ends: bool) -> tuple[Chain, ...]:
        """A run of letters as a group of its own, if it says enough."""
        size = max(map(len, run))
        words = frozenset((" " if fresh else "") + word + (" " if ends else "") for word in run)
        if "" in run or min(map(weight, words)) < self.fewest:
            return (Chain(before=size),) if size else NOTHING
        return (Chain((Item(words, 0, size),)),)

    def _joined(self, branches: list[tuple[Chain, ...]]) -> tuple[Chain, ...]:
        """The chains of branches, no more than are allowed; those of one item as one, where nothing is lost by it."""
        fitting = fewest_of(branches, _MOST_CHAINS, self.most, count=sum)
        chains = tuple(dict.fromkeys(chain for branch in fitting for chain in branch))
        single = tuple(chain for chain in chains if len(chain.items) == 1)
        if len(single) > 1 and (one := merged(single, self.most)).items:
            chains = (*(chain for chain in chains if len(chain.items) > 1), one)
        return chains if len(chains) <= _MOST_CHAINS else fewer(chains, self.most)


_READER = _Reader(_FEWEST, _MOST_WORDS)


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


def _apart(node: Node, beyond: bool, *, before: bool) -> bool:
    """Whether a word certainly ends at a node: one before it, or else one behind it, where it begins. ``beyond``:
    whether it does at what lies on the other side of the node."""
    if isinstance(node, Chars):
        return _parts(node)
    if isinstance(node, Edge):
        # A line begins where nothing stands before, and ends where nothing follows: that says nothing of this side.
        return beyond if node.sign == ("^" if before else "$") else node.sign != r"\B"
    if isinstance(node, Look):
        return beyond
    if isinstance(node, Seq):
        parts = reversed(node.parts) if before else node.parts
        return reduce(lambda apart, part: _apart(part, apart, before=before), parts, beyond)
    if isinstance(node, Alt):
        return all(_apart(branch, beyond, before=before) for branch in node.branches)
    return _apart(node.part, False, before=before) and (beyond or bool(node.least))


def _parts(node: Chars) -> bool:
    """Whether none of some characters may stand in a word (a digit ends one, as ``_`` does)."""
    return node.chars is not None and not any(unicodedata.category(c)[0] in "LM" for c in node.chars)


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] == "L"
