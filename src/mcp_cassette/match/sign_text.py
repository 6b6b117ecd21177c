r"""Sets of characters as RE2 expressions: in UTF-8 and as ``\uXXXX`` escapes."""

from __future__ import annotations

import re

Ranges = list[tuple[int, int]]

_CHAR = re.compile(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")


def without(ranges: Ranges, taken: Ranges) -> Ranges:
    """The code points of ``ranges`` that are not in ``taken``."""
    out = ranges
    for first, last in taken:
        out = [
            (low, high) for a, b in out for low, high in ((a, min(b, first - 1)), (max(a, last + 1), b)) if low <= high
        ]
    return out


def one_range(low: int, high: int) -> str:
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
        inside = "".join(one_range(low, high) for low, high in ranges)
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
