"""What becomes of a character that shows nothing: it goes, or it becomes the space it stood for."""

from __future__ import annotations

import re
from array import array
from functools import cache
from itertools import compress
from typing import Final
from unicodedata import category

import regex

from mcp_cassette.match.views_map import Seen
from mcp_cassette.predicates.ranges import UNSEEN, chars

_CONTROLS: Final = r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_BLANKS: Final = r"\u115f\u1160\u3164\uffa0\u2800"
"""Letters and symbols that show as a blank."""
_NEVER_A_SPACE: Final = r"\u00ad\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f"

_LONG_WORD: Final = 14
_USUAL_WORD: Final = 4
_COUNTED: Final = 64


@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(f"[{UNSEEN}{_CONTROLS}]+")


@cache
def _letters() -> regex.Pattern[str]:
    return regex.compile(rf"[\p{{L}}\p{{M}}\p{{N}}]{{0,{_COUNTED}}}+")


@cache
def _letters_before() -> regex.Pattern[str]:
    return regex.compile(rf"(?r)[\p{{L}}\p{{M}}\p{{N}}]{{0,{_COUNTED}}}")


def holds_invisible(text: str) -> bool:
    """Whether something in the text shows nothing."""
    if text.isascii() and text.replace("\t", "").replace("\n", "").isprintable():
        return False
    return _unseen().search(text) is not None


def without_invisible(text: str) -> Seen | None:
    """Invisible characters and controls taken out; or made a space, where they stand between words that have no other.

    Inside a word they hide it (``ig|nore``), between words they hide that there are words (``ignore|all|of|it``). The
    letters they hold together decide: more than a word has, in pieces as long as words, are words.
    """
    if text.isascii() and text.replace("\t", "").replace("\n", "").isprintable():
        return None
    spans = [match.span() for match in _unseen().finditer(text)]
    if not spans:
        return None
    breaks = _breaks(text, spans)
    blanks, never = chars(_BLANKS), chars(_NEVER_A_SPACE)
    size = len(text)
    out, ends, stays = list(text), array("I", range(1, size + 1)), bytearray(b"\1") * size
    for i, (start, end) in enumerate(spans):
        hidden = text[start:end]
        stays[start:end] = bytes(end - start)
        if blanks.search(hidden) or (i in breaks and not all(map(never.match, hidden))):
            out[start], ends[start], stays[start] = " ", end, 1
    return Seen(
        "".join(compress(out, stays)), array("I", compress(range(size), stays)), array("I", compress(ends, stays))
    )


def _breaks(text: str, spans: list[tuple[int, int]]) -> set[int]:
    """The spans (by index) that stand between words."""
    found: set[int] = set()
    group: list[int] = []  # the spans inside one stretch of letters
    sizes: list[int] = []  # the letters before, between and after them
    for i, (start, end) in enumerate(spans):
        floor = spans[i - 1][1] if i else 0
        if not group:
            before = category(text[start - 1])[0] in "LMN" if start > floor else False
            sizes = [_width(_letters_before(), text, floor, start) if before else 0]
        group.append(i)
        stop = spans[i + 1][0] if i + 1 < len(spans) else len(text)
        # Most pieces are letters and digits throughout: no need to ask the slower engine about marks.
        whole = stop - end <= _COUNTED and text[end:stop].isalnum()
        if whole:
            after = stop - end
        else:
            after = _width(_letters(), text, end, stop) if end < stop and category(text[end])[0] in "LMN" else 0
        sizes.append(after)
        if stop == len(text) or end + after != stop:
            total = sum(sizes)
            pieces = len(sizes) - sizes.count(0)
            if pieces > 1 and total >= _LONG_WORD and total >= _USUAL_WORD * pieces:
                found.update(group)
            group = []
    return found


def _width(pattern: regex.Pattern[str], text: str, start: int, stop: int) -> int:
    """How many letters, marks and digits stand at the start of a stretch (at its end, for a reversed pattern)."""
    match = pattern.match(text, start, stop)
    return match.end() - match.start() if match else 0
