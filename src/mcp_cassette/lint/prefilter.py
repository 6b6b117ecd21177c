"""Where not to look: which lines of a file are worth walking, and which rules may match a text of one.

It may only say where nothing can match; the rules decide the rest. A property test holds runs with and without it
against each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property

import orjson

from mcp_cassette.formats.entries import Entry
from mcp_cassette.lint.plan import Bound
from mcp_cassette.match.shown import shown
from mcp_cassette.match.telltale import Telltale
from mcp_cassette.match.words import Words
from mcp_cassette.model import Text
from mcp_cassette.packs.model import Pattern, When
from mcp_cassette.surfaces import ASK, INPUT, OUTPUT, PUSH

_FAR = frozenset((*OUTPUT, *ASK, *PUSH, *INPUT))
"""What lines carry by the million; declarations are few, and the walker reads them whatever the line holds."""
_BRIEF = 512
"""Bytes of a line that is walked without being asked: asking would cost as much."""

_LONG = 40
"""Bytes of a line for each quotation mark in it, from which on its texts are long."""


class _Patterns:
    """The patterns of a plan: the words they need, and the signs of what words do not tell."""

    def __init__(self, combinations: Iterable[When]) -> None:
        patterns = {id(p): p for when in combinations for p in _parts(when)}
        self.words = Words(patterns.values())
        views = {view for p in patterns.values() for view in p.views if view != "raw"}
        self.telltale = Telltale((p for i, p in patterns.items() if i in self.words.free), views)


class _Asking:
    """Rules by the patterns they ask for."""

    def __init__(self, bounds: Iterable[Bound]) -> None:
        self._bounds = tuple(bounds)
        self._by: dict[int, list[int]] = {}
        for i, bound in enumerate(self._bounds):
            for pattern in _parts(bound.when):
                self._by.setdefault(id(pattern), []).append(i)
        self.ids = frozenset(self._by)

    def candidates(self, alive: AbstractSet[int]) -> Iterator[Bound]:
        """The rules, in their order, of which a pattern is alive."""
        return (self._bounds[i] for i in sorted({i for pattern in alive & self.ids for i in self._by[pattern]}))


class Prefilter:
    """The prefilter of one plan; what it needs is built when it is first needed."""

    def __init__(self, plan: Mapping[str, tuple[Bound, ...]]) -> None:
        self._plan = plan
        self._narrow: dict[tuple[int, ...], Bound] = {}
        self._asking: dict[str, tuple[tuple[Bound, ...], _Asking]] = {}

    def __reduce__(self) -> tuple[type[Prefilter], tuple[Mapping[str, tuple[Bound, ...]]]]:
        """Automata do not travel between processes: they are built anew."""
        return Prefilter, (self._plan,)

    @cached_property
    def _patterns(self) -> _Patterns:
        return _Patterns(b.when for bounds in self._plan.values() for b in bounds)

    @cached_property
    def _far(self) -> _Asking:
        far = (bound for surface, bounds in self._plan.items() if surface in _FAR for bound in bounds)
        return _Asking({id(bound.when): bound for bound in far}.values())

    def _on(self, surface: str, bounds: tuple[Bound, ...]) -> _Asking:
        """What the rules of a surface ask for."""
        known = self._asking.get(surface)
        if known is None or known[0] is not bounds:
            known = self._asking[surface] = (bounds, _Asking(bounds))
        return known[1]

    def matters(self, entry: Entry) -> bool:
        """Whether an entry may hold something to find beyond declarations."""
        raw = entry.raw
        if entry.kind not in ("frame", "chunks") or entry.defects or len(raw) < _BRIEF:
            return True
        if len(raw) > _LONG * raw.count(b'"'):
            return True  # few long texts: asking for each is no more work than asking for the line
        line = raw if b"\\u" not in raw else orjson.dumps(entry.value)
        disguised, met = self._patterns.telltale.look(line)
        if disguised:
            return True
        alive = met | self._patterns.words.alive(line, self._far.ids)
        return any(_may_hold(bound.when, alive) for bound in self._far.candidates(alive))

    def choose(self, text: Text, bounds: tuple[Bound, ...]) -> tuple[Bound, ...]:
        """The rules of a surface that may match a text, each with those of its alternatives that may."""
        try:
            data = text.value.encode()
        except UnicodeEncodeError:  # a lone surrogate: nothing can be said
            return bounds
        disguised, met = self._patterns.telltale.look(data)
        hay = shown(text.value).encode(errors="surrogatepass") if disguised else data
        asking = self._on(text.surface, bounds)
        alive = met | self._patterns.words.alive(hay, asking.ids, loose=disguised)
        chosen = (self._narrowed(bound, alive) for bound in asking.candidates(alive))
        return tuple(bound for bound in chosen if bound is not None)

    def _narrowed(self, bound: Bound, alive: Collection[int]) -> Bound | None:
        """The rule with those of its alternatives that may match; None where the rule cannot."""
        when = bound.when
        if not _may_hold(when, alive):
            return None
        met = tuple(pattern for pattern in when.any if id(pattern) in alive)
        if len(met) == len(when.any):
            return bound
        key = (id(bound), *map(id, met))
        if key not in self._narrow:
            self._narrow[key] = replace(bound, when=replace(when, any=met))
        return self._narrow[key]


def _parts(when: When) -> tuple[Pattern, ...]:
    return (*when.any, *when.all, *when.of)


def _may_hold(when: When, alive: Collection[int]) -> bool:
    return (
        (not when.any or any(id(p) in alive for p in when.any))
        and all(id(p) in alive for p in when.all)
        and sum(id(p) in alive for p in when.of) >= when.at_least
    )
