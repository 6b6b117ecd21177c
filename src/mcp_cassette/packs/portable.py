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
    found = examine(pattern)
    return None if isinstance(found, int) else found


def examine(pattern: str) -> tuple[str, int] | int:
    """The same; for a pattern inside the subset, its size: the parts it has with every required repeat written out."""
    if len(pattern) > MAX_LENGTH:
        return f"the pattern is longer than {MAX_LENGTH:,} characters", 0
    i, in_class = 0, False
    repeats, item = [1], 1  # the largest repeat in each open group, and in the last item
    sizes, size = [0], 1  # the parts of the same
    names: set[str] = set()
    while i < len(pattern):
        c, added = pattern[i], 1
        if c == "\\":
            bad, width = _escape(pattern, i, in_class)
        elif ord(c) < 32:
            bad, width = _CONTROL, 1
        elif in_class:
            bad, width = _in_class(pattern, i), 1
            in_class = c != "]"
        elif c == "[":
            in_class = True
            empty = pattern.startswith("]", i + 1) or pattern.startswith("^]", i + 1)
            bad = "an empty class, or a ] that must be escaped" if empty else None
            width = 1 + pattern.startswith("^", i + 1)
        elif c == "(":
            bad, width = _group(pattern, i, names)
            repeats.append(1)
            sizes.append(added := 0)
        elif c in "*+?{":
            bad, width = _quantifier(pattern, i)
            times = [int(n) for n in re.findall(r"\d+", pattern[i : i + width])] or [1]
            repeats[-1] = max(repeats[-1], max(times) * item)
            added = (times[0] - 1) * size if times[0] > 1 else 0
            if not bad and repeats[-1] > MAX_NESTED:
                bad = f"repeats of repeats that amount to more than {MAX_NESTED:,}"
        else:
            bad, width = (f"a literal {c} must be escaped" if c in "]}" else None), 1
        if bad:
            return bad, i
        item, size = 1, 0 if in_class else added
        if c == ")" and not in_class and len(repeats) > 1:
            item, size = repeats.pop(), sizes.pop()
            repeats[-1] = max(repeats[-1], item)
        sizes[-1] += size
        i += width
    return sum(sizes)


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


def _group(pattern: str, i: int, names: set[str]) -> tuple[str | None, int]:
    if not pattern.startswith("(?", i):
        return ("verbs such as (*SKIP) are not portable", 1) if pattern.startswith("(*", i) else (None, 1)
    for opening in _GROUP_OPEN:
        if pattern.startswith(opening, i):
            return None, len(opening)
    named = _NAMED.match(pattern, i)
    if named:
        if named[1] in names:
            return f"two groups named {named[1]!r}", 1
        names.add(named[1])
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
