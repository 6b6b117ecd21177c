"""Where not to look: which lines of a file are worth walking, and which rules may match a text of one.

It may only say where nothing can match; the rules decide the rest. A property test holds runs with and without it
against each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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


class _Patterns:
    """The patterns of a plan: the words they need, and the signs of what words do not tell."""

    def __init__(self, combinations: Iterable[When]) -> None:
        patterns = {id(p): p for when in combinations for p in _parts(when)}
        self.words = Words(patterns.values())
        views = {view for p in patterns.values() for view in p.views if view != "raw"}
        self.telltale = Telltale((p for i, p in patterns.items() if i in self.words.free), views)


class Prefilter:
    """The prefilter of one plan; what it needs is built when it is first needed."""

    def __init__(self, plan: Mapping[str, tuple[Bound, ...]]) -> None:
        self._plan = plan
        self._narrow: dict[tuple[int, ...], Bound] = {}

    def __reduce__(self) -> tuple[type[Prefilter], tuple[Mapping[str, tuple[Bound, ...]]]]:
        """Automata do not travel between processes: they are built anew."""
        return Prefilter, (self._plan,)

    @cached_property
    def _patterns(self) -> _Patterns:
        return _Patterns(b.when for bounds in self._plan.values() for b in bounds)

    @cached_property
    def _far(self) -> tuple[When, ...]:
        found = {id(b.when): b.when for surface, bounds in self._plan.items() if surface in _FAR for b in bounds}
        return tuple(found.values())

    def matters(self, entry: Entry) -> bool:
        """Whether an entry may hold something to find beyond declarations."""
        if entry.kind not in ("frame", "chunks") or entry.defects or len(entry.raw) < _BRIEF:
            return True
        line = entry.raw if b"\\u" not in entry.raw else orjson.dumps(entry.value)
        disguised, met = self._patterns.telltale.look(line)
        if disguised:
            return True
        alive = met | self._patterns.words.alive(line)
        return any(_may_hold(when, alive) for when in self._far)

    def choose(self, text: Text, bounds: tuple[Bound, ...]) -> tuple[Bound, ...]:
        """The rules of a surface that may match a text, each with those of its alternatives that may."""
        try:
            data = text.value.encode()
        except UnicodeEncodeError:  # a lone surrogate: nothing can be said
            return bounds
        disguised, met = self._patterns.telltale.look(data)
        hay = shown(text.value).encode(errors="surrogatepass") if disguised else data
        alive = met | self._patterns.words.alive(hay, loose=disguised)
        chosen = (self._narrowed(bound, alive) for bound in bounds)
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
