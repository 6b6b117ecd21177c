"""The words a match must hold: derived from the patterns, so that a prefilter can tell at a glance where nothing matches.

A set of literals is *necessary*: every text the pattern matches (in raw, or in a view that only folds case and white
space) holds at least one of them, whatever its case. ``None``: nothing can be said, the pattern must always be tried.
A literal is one word, of letters and digits alone: what JSON may write as an escape, and white space, are in none.
"""

from __future__ import annotations

import regex

from mcp_cassette.packs.model import Pattern, When
from mcp_cassette.packs.portable import complaint

SHORTEST = 3
"""A shorter literal stands in every text and chooses nothing (in scripts without spaces two characters are a word)."""
_MOST = 400
_TOKEN = regex.compile(
    r"""
      (?P<escape>\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[pP]\{[^}]*\}|[\s\S]))
    | (?P<class>\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])
    | (?P<look>\(\?<?[=!])
    | (?P<open>\((?:\?:|\?P<\w+>)?)
    | (?P<close>\))
    | (?P<alt>\|)
    | (?P<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)
    | (?P<char>[\s\S])
    """,
    regex.VERBOSE,
)

Literals = frozenset[str]


class _Sequence:
    """A concatenation while it is read: the best set so far, and the run of characters that is still growing."""

    def __init__(self) -> None:
        self.best: Literals | None = None
        self._run = ""

    def char(self, char: str) -> None:
        if char.isalnum():
            self._run += char.lower()
        else:
            self.end_run()

    def end_run(self) -> None:
        run, self._run = self._run, ""
        if len(run) >= (SHORTEST if run.isascii() else 2):
            self.offer(frozenset((run,)))

    def offer(self, literals: Literals | None) -> None:
        if literals and (self.best is None or _worth(literals) > _worth(self.best)):
            self.best = literals


def _worth(literals: Literals) -> tuple[int, int]:
    """Which of two necessary sets chooses better: the longer shortest literal, then the smaller set."""
    return min(min(map(len, literals)), 6), -len(literals)


class _Reader:
    """Reads one expression of the portable subset (the loader has refused everything else)."""

    def __init__(self, expression: str) -> None:
        self._tokens = [(m.lastgroup or "", m[0]) for m in _TOKEN.finditer(expression)]
        self._at = 0
        self._repeated = False

    def alternatives(self) -> Literals | None:
        """Up to the closing parenthesis or the end: a union, or None when one branch promises nothing."""
        union: set[str] = set()
        known = True
        while True:
            branch = self._sequence()
            known = known and branch is not None
            union |= branch or frozenset()
            if self._at >= len(self._tokens) or self._tokens[self._at][0] != "alt":
                break
            self._at += 1
        return frozenset(union) if known and len(union) <= _MOST else None

    def _sequence(self) -> Literals | None:
        out = _Sequence()
        while self._at < len(self._tokens) and self._tokens[self._at][0] not in ("alt", "close"):
            kind, text = self._tokens[self._at]
            self._at += 1
            if kind in ("open", "look"):
                inner = self.alternatives()
                self._at += 1  # the closing parenthesis
                least = self._least()
                out.end_run()
                if kind == "open" and least > 0:
                    out.offer(inner)
                continue
            char = _plain(kind, text)
            least = self._least()
            if char is None:
                out.end_run()
            elif least == 1 and not self._repeated:
                out.char(char)
            elif least >= 1:
                out.char(char)
                out.end_run()
            else:
                out.end_run()
        out.end_run()
        return out.best

    def _least(self) -> int:
        """How often what was just read must occur; eats its quantifier."""
        self._repeated = False
        if self._at >= len(self._tokens) or self._tokens[self._at][0] != "repeat":
            return 1
        text = self._tokens[self._at][1]
        self._at += 1
        self._repeated = True
        if text[0] in "*?":
            return 0
        return 1 if text[0] == "+" else int(text[1:].rstrip("?").rstrip("}").split(",")[0])


def _plain(kind: str, text: str) -> str | None:
    """The one character a token stands for, None when it stands for several or for a place."""
    if kind == "char":
        return text if text not in ".^$" else None
    if kind != "escape":
        return None
    body = text[1:]
    if body[0] in "xuU" and len(body) > 1:
        return chr(int(body[1:], 16))
    return body if not body.isalnum() else None


def expression_literals(expression: str) -> Literals | None:
    """The necessary literals of a regular expression."""
    return _Reader(expression).alternatives()


def pattern_literals(pattern: Pattern) -> Literals | None:
    """The necessary literals of a pattern; None for predicates and lengths, which have triggers of their own."""
    if pattern.kind in ("regex", "words"):
        # Only the portable subset is understood; packs of the old format may hold more.
        verbose = pattern.flags & regex.VERBOSE
        return None if verbose or complaint(pattern.expression) else expression_literals(pattern.expression)
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        return _better(pattern_literals(pattern.first), pattern_literals(pattern.then))
    return None


def _better(a: Literals | None, b: Literals | None) -> Literals | None:
    if a is None or b is None:
        return a or b
    return max(a, b, key=_worth)


def necessary(when: When) -> tuple[Pattern, ...]:
    """Patterns of which at least one must match for the combination to hold: the cheapest such choice."""
    choices: list[tuple[Pattern, ...]] = [*((p,) for p in when.all)]
    if when.any:
        choices.append(when.any)
    if when.of:
        choices.append(when.of)

    def cost(choice: tuple[Pattern, ...]) -> tuple[bool, int]:
        literals = [pattern_literals(p) for p in choice]
        return any(x is None for x in literals), -min((min(map(len, x)) for x in literals if x), default=0)

    return min(choices, key=cost)
