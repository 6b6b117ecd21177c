"""Where not to look: the sieves of a plan, for raw lines and for texts. It may only say where nothing can match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

from mcp_cassette.formats.entries import Entry
from mcp_cassette.lint.plan import Bound
from mcp_cassette.match.lookup import Lookup, shown
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.scan import mask_placeholders
from mcp_cassette.match.sieve import Mode, Sieves, in_disguise
from mcp_cassette.match.views import VIEWS
from mcp_cassette.model import Text
from mcp_cassette.packs.model import Pattern, When
from mcp_cassette.surfaces import ASK, INPUT, OUTPUT, PUSH

_FAR = frozenset((*OUTPUT, *ASK, *PUSH, *INPUT))
"""What lines carry by the million; declarations are few, and the walker reads them whatever the line holds."""


_WARM_UP = 128 * 1024
"""Bytes of lines that are walked before the automaton over lines is built: a small file is read in less time."""

_QUICK = frozenset({"folded", "skeleton"})
_SHOWN = frozenset({"skeleton", "unescaped", "decoded", "tags"})
"""Views that show letters for which the wider expressions do not look in raw."""

_LONG = 2_000
"""Characters of a text for which it pays to ask of each pattern by itself."""


class Prefilter:
    """The sieves of one plan, built when they are first needed."""

    def __init__(self, plan: Mapping[str, tuple[Bound, ...]]) -> None:
        self._plan = plan
        self._sieves: dict[int, Sieves] = {}
        self._views: dict[int, tuple[str, ...]] = {}
        self._read = 0
        self._single: dict[int, When] = {}
        self._narrow: dict[tuple[int, ...], Bound] = {}

    def __reduce__(self) -> tuple[type[Prefilter], tuple[Mapping[str, tuple[Bound, ...]]]]:
        """Automata do not travel between processes: they are built anew."""
        return Prefilter, (self._plan,)

    @cached_property
    def _far(self) -> Sieves:
        whens: dict[int, When] = {}
        for surface, bounds in self._plan.items():
            if surface in _FAR:
                whens.update((id(b.when), b.when) for b in bounds)
        return Sieves(whens.values())

    def matters(self, entry: Entry) -> bool:
        """Whether an entry may hold something to find beyond declarations."""
        if entry.kind not in ("frame", "chunks") or entry.defects:
            return True
        if self._read < _WARM_UP:
            self._read += len(entry.raw)
            return True
        return self._far.of(Mode.ASCII_LINE if entry.raw.isascii() else Mode.LINE).passes_line(entry.raw)

    def choose(self, text: Text, bounds: tuple[Bound, ...]) -> tuple[Bound, ...]:
        """The rules of a surface that may match a text, each with those of its alternatives that may."""
        try:
            seen = _Glance(text)
        except UnicodeEncodeError:  # a lone surrogate: nothing can be said
            return bounds
        alive = self._lookup.alive(shown(text.value))

        def may(pattern: Pattern) -> bool:
            if id(pattern) not in alive:
                return False
            # A word is soon looked up; an automaton has to be built, and pays on a long text.
            worth_it = pattern.kind in ("predicate", "longer_than") or len(text.value) >= _LONG
            return not worth_it or seen.may_match(*self._of(self._alone(pattern)))

        chosen = (self._narrowed(bound, may) for bound in bounds)
        return tuple(bound for bound in chosen if bound is not None)

    @cached_property
    def _lookup(self) -> Lookup:
        whens = {id(b.when): b.when for bounds in self._plan.values() for b in bounds}.values()
        patterns = {id(p): p for when in whens for p in (*when.any, *when.all, *when.of)}
        return Lookup(patterns.values())

    def _narrowed(self, bound: Bound, may: Callable[[Pattern], bool]) -> Bound | None:
        """The rule with those of its alternatives that may match; None where the rule cannot."""
        when = bound.when
        if not all(map(may, when.all)) or sum(map(may, when.of)) < when.at_least:
            return None
        if not when.any:
            return bound
        met = tuple(pattern for pattern in when.any if may(pattern))
        if len(met) == len(when.any) or not met:
            return bound if met else None
        key = (id(bound), *map(id, met))
        if key not in self._narrow:
            self._narrow[key] = replace(bound, when=replace(when, any=met))
        return self._narrow[key]

    def _alone(self, pattern: Pattern) -> When:
        if id(pattern) not in self._single:
            self._single[id(pattern)] = When(any=(pattern,))
        return self._single[id(pattern)]

    def _of(self, when: When) -> tuple[Sieves, tuple[str, ...]]:
        key = id(when)
        if key not in self._sieves:
            self._sieves[key] = Sieves((when,))
            views = {v for p in (*when.any, *when.all, *when.of) for v in p.views}
            # What `spaced` and `leet` show beyond folding is asked of the text itself.
            shown = views & _SHOWN
            self._views[key] = ("folded", *sorted(shown)) if views - {"raw"} else ()
        return self._sieves[key], self._views[key]


class _Glance:
    """A text while its rules are chosen: its bytes, and what folding would show, made once."""

    def __init__(self, text: Text) -> None:
        self._text, self._data = text, text.value.encode()
        self._folded: dict[str, bytes | None] = {}

    def may_match(self, sieves: Sieves, views: tuple[str, ...]) -> bool:
        value = self._text.value
        if sieves.of(Mode.TEXT).passes_text(value, self._data, self._text.others):
            return True
        for view in views:
            folded = self._fold(view)
            if folded is not None and sieves.of(Mode.FOLDED).passes_text(value, folded, self._text.others):
                return True
        return False

    def _fold(self, view: str) -> bytes | None:
        """The text as a view shows it, where something in it may be in disguise."""
        if view not in self._folded:
            found = in_disguise(view, ascii_=len(self._data) == len(self._text.value)).search(self._data)
            self._folded[view] = self._show(view) if found else None
        return self._folded[view]

    def _show(self, view: str) -> bytes | None:
        if view in _QUICK:
            return quick_fold(self._text.value, view).encode()
        seen = VIEWS[view](mask_placeholders(self._text.value))
        return None if seen is None else seen.text.encode(errors="surrogatepass")
