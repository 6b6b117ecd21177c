r"""What a disguise or a predicate cannot do without, as RE2 expressions over raw lines: sets of characters, in UTF-8
and as ``\uXXXX`` escapes, and the few shapes that are no sets."""

from __future__ import annotations

import re
from functools import cache

from mcp_cassette.match.disguise import RANGES
from mcp_cassette.match.lookalikes import lookalikes
from mcp_cassette.match.views_decoded import READABLE
from mcp_cassette.match.views_escapes import HIDDEN_LETTER
from mcp_cassette.predicates.ranges import BIDI, EMOJI, INVISIBLE, SELECTORS, TAGS, UNSEEN

Ranges = list[tuple[int, int]]

HIDDEN_ASCII = r"\\u00(?:[01][0-9a-f]|[3-7][0-9a-f])"
"""An ASCII letter, digit or control character spelled as an escape: rare in honest JSON."""
_LETTER = r"(?:\\u[0-9A-Fa-f]{4}|[\pL\pN])"
_BETWEEN = r'(?:\\u[0-9A-Fa-f]{4}|\\[nrtfb"\\/]|[^\pL\pN])'
SPELLED_APART = rf"(?:{_LETTER}{_BETWEEN}){{3}}{_LETTER}"
"""Four letters with something between each two."""

_CHAR = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")
_MIXED = r"\u0370-\u03ff\u0400-\u052f\u1c80-\u1c8a\u1d26-\u1d2b\u1f00-\u1fff\u2de0-\u2dff\ua640-\ua69f"
_PICTOGRAPHS = EMOJI[EMOJI.index(r"\u2139") :]
"""Emoji that no view changes (but for one, which ``superset`` knows): those before are signs and letters, too."""
_EMOJI_ONLY = r"\u200d\ufe0f"
"""What an emoji is put together with. After an emoji it hides no letter."""
AFTER_EMOJI = r"[\x{200d}\x{fe0f}]*"
_CONTROLS: Ranges = [(0x00, 0x08), (0x0E, 0x1F), (0x7F, 0x9F), (0xFDD0, 0xFDD0)]


def run(least: int) -> str:
    """A run of base64 or hexadecimal characters."""
    return rf"[0-9A-Za-z+/_=\\-]{{{min(least, 900)}}}"


RUNS = frozenset({"unbroken-run", "encoded-text"})
SETS = {
    "invisible-run": INVISIBLE + r"\ufdd0",
    "bidi-unbalanced": BIDI,
    "variation-run": SELECTORS,
    "mixed-script": _MIXED,
}


@cache
def predicate_sign(name: str, params: tuple[tuple[str, object], ...], *, utf8: bool, escapes: bool) -> str:
    """The characters without which a predicate finds nothing."""
    if name == "invisible-run" and dict(params).get("min", 1) != 1:
        one, between, tag = (
            f"(?:{characters(parse_ranges(inside), utf8=utf8, escapes=escapes)})"
            for inside in (SETS[name], BIDI + SELECTORS, TAGS)
        )
        return f"{one}{between}*{one}|{tag}"
    if name == "variation-run" and utf8:
        stray = _after_none_of(_PICTOGRAPHS, SELECTORS, r"\ufe0e\ufe0f")
        return f"{stray}|{characters(parse_ranges(SELECTORS), utf8=False, escapes=True)}" if escapes else stray
    return characters(parse_ranges(SETS[name]), utf8=utf8, escapes=escapes)


@cache
def disguise(view: str, *, utf8: bool, escapes: bool) -> str:
    """The characters in whose absence a view shows no ASCII letter that raw does not show, but for what it takes away
    after an emoji (``AFTER_EMOJI``)."""
    ranges = [*RANGES, *_CONTROLS]
    if view == "skeleton":
        ranges += [(code, code) for code in sorted(lookalikes())]
    unseen = parse_ranges(UNSEEN)
    parts = (
        [characters(ranges, utf8=True, escapes=False), _after_none_of(_PICTOGRAPHS + _EMOJI_ONLY, UNSEEN, _EMOJI_ONLY)]
        if utf8
        else []
    )
    if escapes:
        parts.append(characters([*ranges, *unseen], utf8=False, escapes=True))
    return "|".join(parts)


@cache
def hidden(view: str, *, utf8: bool, escapes: bool) -> str:
    """What a text (or a raw line, with ``escapes``) holds where a view shows letters that folding alone does not."""
    if view == "spaced":
        return SPELLED_APART
    if view == "decoded":
        return READABLE
    if view == "unescaped":
        # In a text an escape stands as it does in a raw line.
        return (
            HIDDEN_LETTER
            if escapes
            else f"{HIDDEN_LETTER}|{HIDDEN_ASCII}|{disguise('folded', utf8=False, escapes=True)}"
        )
    if view == "skeleton":
        return disguise(view, utf8=utf8, escapes=escapes)
    return disguise("folded", utf8=utf8, escapes=escapes)


def _after_none_of(bases: str, unseen: str, allowed: str) -> str:
    """One of the characters ``unseen``, but for those ``allowed`` after a base, and for a keycap's selector."""
    base, one, fine = _class(bases), _class(unseen), _class(allowed)
    other = "".join(_range(low, high) for low, high in without(parse_ranges(unseen), parse_ranges(allowed)))
    # What stands before may be the end of a JSON escape. A selector has a base of its own: two are never fine.
    return (
        rf"(?-i:(?:^|[^{base}0-9#*])[{one}]|[{base}0-9#*][{other}]|[{_class(SELECTORS)}]{{2}}"
        rf"|u[0-9A-Fa-f]{{4}}[{fine}]|[0-9#*][{fine}](?:$|[^\x{{20e3}}]))"
    )


def without(ranges: Ranges, taken: Ranges) -> Ranges:
    """The code points of ``ranges`` that are not in ``taken``."""
    out = ranges
    for first, last in taken:
        out = [
            (low, high) for a, b in out for low, high in ((a, min(b, first - 1)), (max(a, last + 1), b)) if low <= high
        ]
    return out


def _class(inside: str) -> str:
    return "".join(_range(low, high) for low, high in parse_ranges(inside))


def _range(low: int, high: int) -> str:
    return f"\\x{{{low:x}}}-\\x{{{high:x}}}"


def parse_ranges(inside: str) -> Ranges:
    r"""The code points of the inside of a class written with ``\uXXXX`` and ``\UXXXXXXXX``."""
    out: Ranges = []
    at = 0
    while at < len(inside):
        low = _CHAR.match(inside, at)
        if low is None:
            raise ValueError(f"not an escape at {at}: {inside[at : at + 12]!r}")
        at = low.end()
        first = last = int(low[1] or low[2], 16)
        if inside[at : at + 1] == "-":
            high = _CHAR.match(inside, at + 1)
            assert high is not None
            at, last = high.end(), int(high[1] or high[2], 16)
        out.append((first, last))
    return out


def characters(ranges: Ranges, *, utf8: bool, escapes: bool) -> str:
    """One character of the ranges, in UTF-8, as a JSON escape, or both."""
    parts = []
    if utf8:
        # With regard to case: without it a long s would be any s.
        inside = "".join(_range(low, high) for low, high in ranges)
        parts.append(f"(?-i:[{inside}])")
    if escapes:
        parts += _escapes(ranges)
    return "|".join(parts)


def _escapes(ranges: Ranges) -> list[str]:
    out = []
    for low, high in ranges:
        if low < 0x10000:
            out += [rf"\\u{digits}" for digits in hex_range(low, min(high, 0xFFFF), 4)]
        # One surrogate pair has 1,024 low halves: whole blocks are taken, it is only a sign.
        if high >= 0x10000:
            first, last = (0xD800 + ((max(c, 0x10000) - 0x10000) >> 10) for c in (low, high))
            out += [rf"\\u{digits}" for digits in hex_range(first, last, 4)]
    return list(dict.fromkeys(out))


def hex_range(low: int, high: int, width: int) -> list[str]:
    """Expressions for the hexadecimal numbers from low to high, written with ``width`` digits."""
    if width == 0:
        return [""]
    unit = 16 ** (width - 1)
    first, last = low // unit, high // unit
    if first == last:
        return [f"{first:x}{rest}" for rest in hex_range(low % unit, high % unit, width - 1)]
    out = []
    if low % unit:
        out += [f"{first:x}{rest}" for rest in hex_range(low % unit, unit - 1, width - 1)]
        first += 1
    tail = []
    if high % unit != unit - 1:
        tail = [f"{last:x}{rest}" for rest in hex_range(0, high % unit, width - 1)]
        last -= 1
    if first <= last:
        out.append(f"[{''.join(f'{d:x}' for d in range(first, last + 1))}]" + "[0-9a-f]" * (width - 1))
    return out + tail
