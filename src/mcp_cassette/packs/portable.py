"""The portable subset of regular expressions a pack may use: what both ``regex`` and an ECMAScript prover read alike.

No backreference, recursion, conditional, fuzzy matching, possessive or atomic group, no inline flags, no set operators:
a pattern that cannot be proven linear has no place in a tool that reads hostile text.
"""

from __future__ import annotations

import re

MAX_LENGTH = 4_000
MAX_REPEAT = 10_000
MAX_NESTED = 100_000
"""Repeats of repeats: a group is written out as often as it is repeated."""

_QUANTIFIER = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_GROUP_OPEN = ("(?:", "(?=", "(?!", "(?<=", "(?<!")
_NAMED = re.compile(r"\(\?P<([A-Za-z_][A-Za-z0-9_]*)>")
_PROPERTY = re.compile(
    r"[pP]\{(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=[A-Za-z_]+"
    r"|L[ultmoC]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?|Alphabetic|Uppercase|Lowercase|White_Space)\}"
)
_SHORT = {
    # the escapes that mean the same in both engines (under Unicode rules)
    *"dDwWsSbBnrtfv",
}
_HEX = re.compile(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}")
_CONTROL = "control characters must be written as escapes"


def complaint(pattern: str) -> tuple[str, int] | None:
    """Why a pattern is outside the subset, and at which offset; None when it is inside."""
    if len(pattern) > MAX_LENGTH:
        return f"the pattern is longer than {MAX_LENGTH:,} characters", 0
    i, in_class = 0, False
    repeats, closed = [1], 1  # the largest repeat in each open group; what the last item, if a group, holds
    while i < len(pattern):
        c = pattern[i]
        if c == "\\":
            bad, width = _escape(pattern, i, in_class)
            if bad:
                return bad, i
            i += width
            continue
        if ord(c) < 32:
            return _CONTROL, i
        if in_class:
            bad = _in_class(pattern, i)
            if bad:
                return bad, i
            in_class = c != "]"
        elif c == "[":
            in_class = True
            if pattern.startswith("]", i + 1) or pattern.startswith("^]", i + 1):
                return "an empty class, or a ] that must be escaped", i
            i += pattern.startswith("^", i + 1)
        elif c == "(":
            bad, width = _group(pattern, i)
            if bad:
                return bad, i
            i += width
            repeats.append(1)
            continue
        elif c == ")":
            closed = repeats.pop() if len(repeats) > 1 else 1
            repeats[-1] = max(repeats[-1], closed)
        elif c in "*+?{":
            bad, width = _quantifier(pattern, i)
            if bad:
                return bad, i
            times = max([int(n) for n in re.findall(r"\d+", pattern[i : i + width])], default=1)
            repeats[-1] = max(repeats[-1], times * (closed if pattern[i - 1 : i] == ")" else 1))
            if repeats[-1] > MAX_NESTED:
                return f"repeats of repeats that amount to more than {MAX_NESTED:,}", i
            i += width
            continue
        i += 1
    return None


def _in_class(pattern: str, i: int) -> str | None:
    if pattern[i] == "[":
        return "a [ inside a class must be escaped (nested and POSIX classes are not portable)"
    if pattern[i : i + 2] in ("--", "&&", "||", "~~"):
        return f"{pattern[i : i + 2]} inside a class is a set operator: escape it"
    return None


def _escape(pattern: str, i: int, in_class: bool) -> tuple[str | None, int]:
    rest = pattern[i + 1 : i + 2]
    if not rest:
        return "the pattern ends in a lone backslash", 1
    found = _HEX.match(pattern, i + 1)
    if found:
        return None, 1 + len(found[0])
    if rest in "pP":
        prop = _PROPERTY.match(pattern, i + 1)
        if not prop:
            return r"\p must name a script or a category, as in \p{Script=Cyrillic} or \p{L}", 1
        return None, 1 + len(prop[0])
    if rest.isdigit():
        if rest == "0" and not pattern[i + 2 : i + 3].isdigit():
            return None, 2
        return "backreferences are not portable", 1
    if rest.isalpha():
        if rest in _SHORT and not (in_class and rest in "bB"):
            return None, 2
        if rest == "b":
            return r"\b inside a class is a backspace: write \x08", 1
        return f"the escape \\{rest} is not portable", 1
    return None, 2


def _group(pattern: str, i: int) -> tuple[str | None, int]:
    if not pattern.startswith("(?", i):
        return ("verbs such as (*SKIP) are not portable", 1) if pattern.startswith("(*", i) else (None, 1)
    for opening in _GROUP_OPEN:
        if pattern.startswith(opening, i):
            return None, len(opening)
    named = _NAMED.match(pattern, i)
    if named:
        return None, len(named[0])
    what = {
        "(?>": "atomic groups are",
        "(?P=": "backreferences are",
        "(?(": "conditionals are",
        "(?R": "recursion is",
        "(?P>": "recursion is",
        "(?&": "recursion is",
        "(?|": "branch resets are",
        "(?#": "comments are",
        "(?<": "groups named without P are",
    }
    for opening, words in what.items():
        if pattern.startswith(opening, i):
            return f"{words} not portable", 1
    return 'inline flags are not portable: use the key flags = "i"', 1


def _quantifier(pattern: str, i: int) -> tuple[str | None, int]:
    width = 1
    if pattern[i] == "{":
        found = _QUANTIFIER.match(pattern, i)
        if not found:
            return "a literal { must be escaped (fuzzy matching is not portable)", 1
        width = len(found[0])
        bounds = [int(n) for n in (found[1], found[3]) if n]
        if max(bounds) > MAX_REPEAT:
            return f"a repeat of more than {MAX_REPEAT:,}", 1
    following = pattern[i + width : i + width + 1]
    if following == "+":
        return "possessive quantifiers are not portable", 1
    return None, width + (following == "?")
