"""What words do not tell of a text or a raw line: that letters may be in disguise, or that a pattern without words may
match. One RE2 set over all of it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import cache

import re2

from mcp_cassette.match import signs
from mcp_cassette.match.superset import Spelling, superset
from mcp_cassette.match.syntax import is_foreign, tree
from mcp_cassette.packs.model import Pattern

_CONTROL = r"[\x00-\x08\x0e-\x1f\x7f]|\\u00[01]|\\[bf]"
"""A control character, also as JSON must spell it; the views take it out."""
_LONGEST = 400
_FORMS = (
    r"[\x{1100}-\x{11ff}\x{2e80}-\x{2fdf}\x{3130}-\x{318f}\x{f900}-\x{faff}\x{fb00}-\x{fdff}\x{fe70}-\x{fefc}"
    r"\x{ff65}-\x{ffdc}]"
)
"""Compatibility forms that folding makes letters beyond ASCII, and may put together to words."""


class Telltale:
    """Signs over UTF-8, for the views that some patterns look through and for the patterns that need no words."""

    def __init__(self, patterns: Iterable[Pattern], views: AbstractSet[str]) -> None:
        self._views = frozenset({"folded", *views}) if views else frozenset[str]()
        self._wordless = tuple(patterns)
        self._sets: dict[bool, list[tuple[re2.Set, list[int]]]] = {}
        self._longer = sorted((p.length, id(p)) for p in self._wordless if p.kind == "longer_than")
        self._always = {id(p) for p in self._wordless if p.kind != "longer_than" and not _expression(p, utf8=True)}

    def look(self, data: bytes) -> tuple[bool, set[int]]:
        """(whether a view may show more than the text or line does, ids of the wordless patterns that may match)."""
        met = {pattern for length, pattern in self._longer if len(data) > length} | self._always
        disguised = False
        for compiled, owners in self._set(utf8=not data.isascii()):
            for i in compiled.Match(data) or ():
                if owners[i]:
                    met.add(owners[i])
                else:
                    disguised = True
        return disguised, met

    def _set(self, *, utf8: bool) -> list[tuple[re2.Set, list[int]]]:
        if utf8 not in self._sets:
            expressions: list[tuple[str, int]] = []
            if self._views:
                found = {signs.hidden(view, utf8=utf8) for view in self._views}
                expressions += [(sign, 0) for sign in sorted({_CONTROL, *found, *((_FORMS,) if utf8 else ())} - {""})]
            for pattern in self._wordless:
                expression = _expression(pattern, utf8=utf8)
                if expression:
                    expressions.append((expression, id(pattern)))
            self._sets[utf8] = []
            for compiled, places in _compiled(tuple(expression for expression, _ in expressions)):
                self._sets[utf8].append((compiled, [expressions[i][1] for i in places]))
        return self._sets[utf8]


def _expression(pattern: Pattern, *, utf8: bool) -> str:
    """What a pattern without words cannot match without; empty where that is nothing (it must always be tried)."""
    if pattern.kind == "predicate":
        if pattern.predicate in signs.RUNS:
            return signs.run(int(pattern.params["min"]))
        if pattern.predicate in signs.SETS:
            # In ASCII there is nothing to find: an expression that matches nothing.
            return signs.predicate_sign(pattern.predicate, _items(pattern)) if utf8 else _NEVER
        return ""
    if pattern.kind in ("regex", "words") and pattern.portable:
        if is_foreign(tree(pattern.expression)):
            # Folding makes no letter beyond ASCII of ASCII alone.
            return _BEYOND_ASCII if utf8 else _NEVER
        return _wide(pattern.expression, Spelling(leet="leet" in pattern.views, escaped="unescaped" in pattern.views))
    if pattern.kind == "near" and pattern.first is not None and pattern.then is not None:
        parts = [_expression(part, utf8=utf8) for part in (pattern.first, pattern.then)]
        return _NEVER if _NEVER in parts else min((part for part in parts if part), key=len, default="")
    return ""


_BEYOND_ASCII = r"[^\x00-\x7f]"
_NEVER = r"[^\x00-\x{10ffff}]"


def _items(pattern: Pattern) -> tuple[tuple[str, object], ...]:
    return tuple(sorted(pattern.params.items()))


@cache
def _wide(expression: str, how: Spelling) -> str:
    """The wider expression; empty where it matches the empty text or cannot be compiled."""
    if len(expression) > _LONGEST:
        return ""  # an automaton would cost more than it saves
    wide = superset(expression, how)
    sets = _compiled((wide,))
    return "" if not sets or sets[0][0].Match(b"") else wide


@cache
def _options() -> re2.Options:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = 24 << 20
    return options


@cache
def _compiled(expressions: tuple[str, ...]) -> tuple[tuple[re2.Set, range], ...]:
    """One set of all, or several where that is too large, each with the places of its own among all; each expression
    compiles by itself."""
    if not expressions:
        return ()
    out = re2.Set.SearchSet(_options())
    try:
        for expression in expressions:
            out.Add(expression)
        out.Compile()
    except re2.error:
        middle = len(expressions) // 2
        if not middle:
            return ()
        rest = ((one, range(r.start + middle, r.stop + middle)) for one, r in _compiled(expressions[middle:]))
        return (*_compiled(expressions[:middle]), *rest)
    return ((out, range(len(expressions))),)
