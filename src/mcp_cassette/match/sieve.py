"""The prefilter: says of most texts, and of most raw lines, that a rule cannot match there. ``regex`` decides the rest.

Each rule's patterns are widened (``superset``) and run as an RE2 set: one pass of an automaton, whatever the number of
patterns. A rule is worth trying where all widened parts of one of its necessary patterns are met, or where a letter may
be in disguise and the rule looks through a view that would see it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

import re2

from mcp_cassette.match import signs
from mcp_cassette.match.superset import Spelling, superset
from mcp_cassette.packs.model import Pattern, When

_OPTIONS = re2.Options()
_OPTIONS.case_sensitive = False
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 16 << 20

Alternative = frozenset[str]
"""RE2 expressions that must all be met. One without parts says nothing: the rule must always be tried."""


class Mode(enum.Enum):
    """What a sieve is asked about. Without UTF-8 an automaton is small and quick, and most lines are ASCII."""

    ASCII_LINE = "an ASCII line of a file: letters are in disguise only as escapes"
    LINE = "any line of a file"
    TEXT = "a text; whether a view shows more in it is asked with FOLDED"
    FOLDED = "a text as quick_fold shows it"


class _Needs:
    """What one combination of patterns cannot match without: expressions, lengths, other tools' names."""

    def __init__(self, when: When, mode: Mode) -> None:
        self.alternatives: list[Alternative] = []
        self.longer: list[int] = []
        self.names = False
        self._mode = mode
        for pattern in _necessary(when):
            self._add(pattern, [view for view in pattern.views if view != "raw"])

    def _add(self, pattern: Pattern, views: list[str]) -> None:
        if self._mode is Mode.FOLDED and not views:
            return
        if pattern.kind == "longer_than":
            self.longer.append(pattern.length)
        elif pattern.kind == "predicate" and pattern.predicate == "names-other-tool":
            self.names = True
        else:
            self.alternatives.append(self._parts(pattern, self._spelling(views)))
        if self._mode in (Mode.ASCII_LINE, Mode.LINE):
            utf8 = self._mode is Mode.LINE
            seen = {"folded", *views} if views else set()
            found = {signs.hidden(view, utf8=utf8, escapes=True) for view in seen}
            self.alternatives += [frozenset((sign,)) for sign in sorted(found)]
        elif "spaced" in views and self._mode is Mode.TEXT:
            self.alternatives.append(frozenset((signs.SPELLED_APART,)))

    def _spelling(self, views: list[str]) -> Spelling:
        if self._mode is Mode.FOLDED:
            return Spelling(loose=True)
        return Spelling(leet="leet" in views, escaped="unescaped" in views)

    def _parts(self, pattern: Pattern, how: Spelling) -> Alternative:
        """Expressions that must all be met where the pattern matches (in a text without disguises)."""
        if pattern.kind in ("regex", "words") and pattern.portable:
            return frozenset((superset(pattern.expression, how),))
        if pattern.kind == "near":
            assert pattern.first is not None and pattern.then is not None
            return self._parts(pattern.first, how) | self._parts(pattern.then, how)
        if pattern.kind == "predicate" and self._mode is not Mode.FOLDED:
            if pattern.predicate in signs.RUNS:
                return frozenset((signs.run(int(pattern.params["min"])),))
            if pattern.predicate in signs.SETS:
                utf8, escapes = self._mode is not Mode.ASCII_LINE, self._mode is not Mode.TEXT
                return frozenset(
                    (
                        signs.predicate_sign(
                            pattern.predicate, tuple(sorted(pattern.params.items())), utf8=utf8, escapes=escapes
                        ),
                    )
                )
        return frozenset()


def _necessary(when: When) -> tuple[Pattern, ...]:
    """Patterns of which one must match for the combination to hold."""
    return when.any or when.all[:1] or when.of


class Sieve:
    """The prefilter of one or several combinations of patterns taken together, in one mode."""

    def __init__(self, combinations: Iterable[When], mode: Mode, *extra: str) -> None:
        needs = [_Needs(when, mode) for when in combinations]
        self._names = any(n.names for n in needs)
        self._longer = min((length for n in needs for length in n.longer), default=None)
        alternatives = {a for n in needs for a in n.alternatives} | {frozenset((e,)) for e in extra}
        expressions = sorted({e for a in alternatives for e in a})
        self._set = _compile(expressions)
        # What is met by nothing at all, or cannot be compiled, says nothing.
        void = set(range(len(expressions))) if self._set is None else set(self._set.Match(b"") or ())
        number = {expression: i for i, expression in enumerate(expressions)}
        wanted = [frozenset(number[e] for e in a) - void for a in alternatives]
        self._always = any(not a for a in wanted)
        self._single = frozenset(next(iter(a)) for a in wanted if len(a) == 1)
        self._several = [a for a in wanted if len(a) > 1]

    def passes_text(self, text: str, data: bytes, others: AbstractSet[str]) -> bool:
        """Whether a rule may match a text; ``data`` is the text in UTF-8."""
        if self._always or (self._names and others):
            return True
        return (self._longer is not None and len(text) > self._longer) or self._met(data)

    def passes_line(self, line: bytes) -> bool:
        """Whether a rule may match a text spelled somewhere in a raw line (of a listing: names are not looked at)."""
        return self._always or (self._longer is not None and len(line) > self._longer) or self._met(line)

    def _met(self, data: bytes) -> bool:
        found = self._set.Match(data) if self._set is not None else None
        if not found:
            return False
        if not self._single.isdisjoint(found):
            return True
        met = frozenset(found)
        return any(part <= met for part in self._several)


class Sieves:
    """The sieves of some combinations of patterns in every mode, each built when it is first needed."""

    def __init__(self, combinations: Iterable[When]) -> None:
        self._combinations = tuple(combinations)
        self._built: dict[Mode, Sieve] = {}

    def of(self, mode: Mode) -> Sieve:
        """The sieve for a mode. One for lines also stops at ASCII that is spelled as escapes."""
        sieve = self._built.get(mode)
        if sieve is None:
            extra = (signs.HIDDEN_ASCII,) if mode in (Mode.ASCII_LINE, Mode.LINE) else ()
            sieve = self._built[mode] = Sieve(self._combinations, mode, *extra)
        return sieve


@cache
def in_disguise(view: str, *, ascii_: bool) -> Any:
    """What to search in a text (in UTF-8) to know whether a view may show a letter that raw does not, and that the
    wider expression does not account for."""
    if ascii_ and view in ("folded", "skeleton"):
        return re2.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
    return re2.compile(signs.hidden(view, utf8=True, escapes=False), _OPTIONS)


def _compile(expressions: list[str]) -> re2.Set | None:
    out = re2.Set.SearchSet(_OPTIONS)
    try:
        for expression in expressions:
            out.Add(expression)
    except re2.error:
        return None
    if expressions:
        out.Compile()
    return out if expressions else None
