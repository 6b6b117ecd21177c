"""``invisible-run``: characters that show nothing and say something.

What a script or an emoji needs is spelling and is left alone; it ends a run and is no part of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Final

from mcp_cassette.predicates.base import Hit, Param, name_of, quoted
from mcp_cassette.predicates.ranges import (
    BIDI,
    EMOJI,
    INVISIBLE,
    JOINING,
    RTL,
    SELECTORS,
    SKIN_TONES,
    SPACELESS,
    TAGS,
    chars,
)

PARAMS: Final[Mapping[str, Param]] = {
    "min": Param("int", 1, "the shortest run that counts, in code points", minimum=1),
    "tags": Param("bool", True, "a Tags character outside a well-formed emoji flag counts in a run of any length"),
}

_ZWSP, _ZWNJ, _ZWJ, _BOM = "\u200b", "\u200c", "\u200d", "\ufeff"
_MARKS: Final = "\u200e\u200f\u061c"
_MVS, _CGJ = "\u180e", "\u034f"
_BLACK_FLAG: Final = "\U0001f3f4"

_MOST_SPELLED: Final = 400

_REGIONS: Final = (
    "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca "
    "cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga "
    "gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp "
    "ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms "
    "mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs "
    "ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw "
    "tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw"
)
"""ISO 3166-1: a flag's tags begin with one (``gbsct``). Words spelled flag by flag mostly do not."""


@cache
def _stretch() -> re.Pattern[str]:
    # Selectors and bidi controls inside a stretch do not break it, or one between each two characters would hide it.
    return re.compile(f"[{INVISIBLE}][{INVISIBLE}{BIDI}{SELECTORS}]*")


@cache
def _flag_tags() -> re.Pattern[str]:
    return re.compile(r"([\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6})\U000e007f")


@cache
def _emoji_before() -> re.Pattern[str]:
    return re.compile(f"[{EMOJI}]\ufe0f?[{SKIN_TONES}]?\ufe0f?\u20e3?$|[0-9#*]\ufe0f?\u20e3$")


def find(text: str, params: Mapping[str, Any], others: AbstractSet[str] = frozenset()) -> Iterator[Hit]:
    """Runs of invisible characters that no script and no emoji needs."""
    if text.isascii():
        return
    shortest = params.get("min", PARAMS["min"].default)
    tags = params.get("tags", PARAMS["tags"].default)
    right_to_left: bool | None = None
    for match in _stretch().finditer(text):
        start, end = match.span()
        if end - start == 1:  # the common case, and the only one in which most exemptions apply
            char = text[start]
            if char in _MARKS:
                if right_to_left is None:
                    right_to_left = chars(RTL).search(text) is not None
                if right_to_left:
                    continue
            elif _needed(text, start):
                continue
            spans = [(start, end)]
        else:
            if right_to_left is None and any(mark in match[0] for mark in _MARKS):
                right_to_left = chars(RTL).search(text) is not None
            spans = _runs(text, start, end, bool(right_to_left))
        for a, b in spans:
            if b - a >= shortest or (tags and chars(TAGS).search(text, a, b)):
                yield Hit(a, b, _note(text[a:b]))


def _runs(text: str, start: int, end: int, right_to_left: bool) -> list[tuple[int, int]]:
    """The runs in a stretch once what is needed is taken out; each begins and ends with an invisible character."""
    invisible = chars(INVISIBLE)
    spans: list[tuple[int, int]] = []
    first = last = -1
    i = start
    while i < end:
        char = text[i]
        if not invisible.match(char):  # a selector or a bidi control: it neither counts as an end nor breaks
            i += 1
            continue
        flag = _flag_tags().match(text, i, end) if i and text[i - 1] == _BLACK_FLAG else None
        if flag and _is_region(flag[1]):
            step, needed = flag.end() - i, True
        else:
            lone = not (i > start and invisible.match(text[i - 1])) and not (
                i + 1 < end and invisible.match(text[i + 1])
            )
            step, needed = (
                1,
                (right_to_left if char in _MARKS else _needed(text, i)) if lone else i == 0 and char == _BOM,
            )
        if needed:
            if first >= 0:
                spans.append((first, last))
            first = -1
        else:
            first = i if first < 0 else first
            last = i + step
        i += step
    if first >= 0:
        spans.append((first, last))
    return spans


def _is_region(tags: str) -> bool:
    return "".join(chr(ord(c) - 0xE0000) for c in tags[:2]) in _REGIONS.split()


def _needed(text: str, i: int) -> bool:
    """Whether a lone invisible character is spelling: a joiner in an emoji or next to a letter of a script that needs
    it, a word break of a script without spaces, a byte-order mark at the start."""
    char = text[i]
    before, after = text[max(0, i - 4) : i], text[i + 1 : i + 2]
    if char == _BOM:
        return i == 0
    if char == _ZWSP:
        beside = chars(SPACELESS)
        return bool((before and beside.match(before[-1])) or (after and beside.match(after)))
    if char in (_ZWJ, _ZWNJ):
        beside = chars(JOINING)
        if (before and beside.match(before[-1])) or (after and beside.match(after)):
            return True
        return bool(char == _ZWJ and after and chars(EMOJI).match(after) and _emoji_before().search(before))
    if char == _MVS:
        return bool(before and "\u1820" <= before[-1] <= "\u18aa")
    if char == _CGJ:  # orders Hebrew points and Arabic marks
        return bool(before and "\u0591" <= before[-1] <= "\u06ed")
    return False


def _note(run: str) -> str:
    size = len(run)
    words = "1 invisible code point" if size == 1 else f"{size} invisible code points in a row"
    if chars(TAGS).search(run):
        spelled = "".join(chr(ord(c) - 0xE0000) for c in run[:_MOST_SPELLED] if "\U000e0020" <= c <= "\U000e007e")
        if spelled:
            words += f"; spells {quoted(spelled)}"
    return f"{name_of(run[0])} ({words})"
