"""``variation-run``: variation selectors that select nothing carry bytes (256 of them, one for each value)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Final

from mcp_cassette.predicates.base import Hit, name_of, quoted
from mcp_cassette.predicates.ranges import EMOJI, IDEOGRAPHS, MONGOLIAN_SELECTORS, SELECTORS, chars

_SYMBOLS: Final = (
    r"0\u00a9\u00ae\u2018\u2019\u201c\u201d\u203c\u2049\u20a0-\u20cf\u20e3\u2100-\u2bff\u3000-\u303f\u3200-\u33ff"
    r"\uff01-\uff0f\uff1a-\uff20\U0001d400-\U0001d7ff\u1000-\u109f\ua840-\ua877\uaa60-\uaa7f\U00010ac0-\U00010ae6"
)
"""Bases of standardized variants (StandardizedVariants.txt): symbols, letter-like and mathematical signs, East Asian
punctuation, Myanmar, Phags-pa and Manichaean letters."""
_MONGOLIAN: Final = r"\u1800-\u180a\u180e\u1810-\u18af"
_HIEROGLYPHS: Final = r"\U00013000-\U000143ff"


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{SELECTORS}]+")


def find(text: str, params: Mapping[str, Any], others: AbstractSet[str] = frozenset()) -> Iterator[Hit]:
    """Two or more variation selectors in a row, or one after a base that takes none."""
    if text.isascii():
        return
    for match in _run().finditer(text):
        start, end = match.span()
        if end - start == 1 and start and _ordinary(text, start):
            continue
        yield Hit(start, end, _note(text, start, end))


def _ordinary(text: str, i: int) -> bool:
    """Whether the selector at ``i`` (not the first character) has a base that takes it."""
    selector, base = text[i], text[i - 1]
    if selector >= "\U000e0100":
        return chars(IDEOGRAPHS).match(base) is not None
    if selector < "\ufe00":
        return chars(_MONGOLIAN).match(base) is not None
    if selector >= "\ufe0e" and base in "0123456789#*":
        return text[i + 1 : i + 2] == "\u20e3"
    if selector >= "\ufe0e" and chars(EMOJI).match(base):
        return True
    if selector <= "\ufe01" or selector >= "\ufe0e":
        return chars(_SYMBOLS + IDEOGRAPHS + _HIEROGLYPHS).match(base) is not None
    # VS3 to VS14: compatibility ideographs and rotated hieroglyphs.
    return chars(IDEOGRAPHS + _HIEROGLYPHS).match(base) is not None


def _note(text: str, start: int, end: int) -> str:
    run, name = text[start:end], name_of(text[start])
    if len(run) == 1:
        return f"{name} " + (
            f"after {name_of(text[start - 1])}, which takes none" if start else "at the start of the text"
        )
    note = f"{name} ({len(run)} variation selectors in a row"
    spelled = _spelled(run)
    return f"{note}; spells {quoted(spelled)})" if spelled else note + ")"


def _spelled(run: str) -> str:
    """The text that the selectors encode, or nothing if it is none."""
    if chars(MONGOLIAN_SELECTORS).search(run):
        return ""
    text = spelled_by_selectors(run[:400])
    return text if len(text) > 1 and text.isprintable() else ""


def spelled_by_selectors(run: str) -> str:
    """The text that variation selectors VS1 to VS256 encode byte by byte (VS1 is 0), in UTF-8."""
    data = bytes(ord(c) - 0xFE00 if c < "\U000e0100" else ord(c) - 0xE0100 + 16 for c in run)
    return data.decode("utf-8", errors="ignore")
