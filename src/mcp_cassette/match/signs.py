r"""What a disguise or a predicate cannot do without, as RE2 expressions over raw lines: sets of characters, in UTF-8
and as ``\uXXXX`` escapes, and the few shapes that are no sets."""

from __future__ import annotations

from functools import cache

from mcp_cassette.match.disguise import RANGES
from mcp_cassette.match.sign_text import Ranges, characters, one_range, parse_ranges, without
from mcp_cassette.match.signs_skeleton import skeleton_sign
from mcp_cassette.match.views_decoded import READABLE
from mcp_cassette.match.views_escapes import HIDDEN_LETTER
from mcp_cassette.predicates.ranges import BIDI, EMOJI, INVISIBLE, SELECTORS, TAGS, UNSEEN

HIDDEN_ASCII = r"\\u00(?:[01][0-9a-f]|[3-7][0-9a-f])"
"""An ASCII letter, digit or control character spelled as an escape: rare in honest JSON."""
_LETTER = r"(?:\\u[0-9A-Fa-f]{4}|\pL)"
_BETWEEN = (
    r"(?:\\u[0-9A-Fa-f]{4}|\\[nrtfb]|[\s.\-_*|/,~+\x{b7}\x{2022}\x{2010}-\x{2015}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}]"
)
_BETWEEN += r"|[\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x1c-\x1f])"
_BEFORE = r"(?:^|[^\pL\pN]|\\[nrtfb]|\\u[0-9A-Fa-f]{4})"
SPELLED_APART = rf"{_BEFORE}(?:{_LETTER}{_BETWEEN}){{3}}{_LETTER}"
"""Four single letters with a separator between each two."""

_MIXED = r"\u0370-\u03ff\u0400-\u052f\u1c80-\u1c8a\u1d26-\u1d2b\u1f00-\u1fff\u2de0-\u2dff\ua640-\ua69f"
_PICTOGRAPHS = EMOJI[EMOJI.index(r"\u2139") :]
"""Emoji that no view changes (but for one, which ``superset`` knows): those before are signs and letters, too."""
_EMOJI_ONLY = r"\u200d\ufe0f"
"""What an emoji is put together with. After an emoji it hides no letter."""
AFTER_EMOJI = r"[\x{200d}\x{fe0f}]*"
_BACKSPACE = r"(?:^|[^\\])(?:\\\\)*\\b"
"""The one control character that JSON spells with a letter and that the views take out."""
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
def predicate_sign(name: str, params: tuple[tuple[str, object], ...]) -> str:
    """The characters, in UTF-8, without which a predicate finds nothing."""
    if name == "invisible-run" and dict(params).get("min", 1) != 1:
        one, between, tag = (
            f"(?:{characters(parse_ranges(inside), utf8=True, escapes=False)})"
            for inside in (SETS[name], BIDI + SELECTORS, TAGS)
        )
        return f"{one}{between}*{one}|{tag}"
    if name == "variation-run":
        return _after_none_of(_PICTOGRAPHS, SELECTORS, r"\ufe0e\ufe0f")
    return characters(parse_ranges(SETS[name]), utf8=True, escapes=False)


@cache
def disguise(view: str, *, utf8: bool, escapes: bool) -> str:
    """The characters in whose absence a view shows no ASCII letter that raw does not show, but for what it takes away
    after an emoji (``AFTER_EMOJI``)."""
    ranges = [*RANGES, *_CONTROLS]
    unseen = parse_ranges(UNSEEN)
    parts = (
        [characters(ranges, utf8=True, escapes=False), _after_none_of(_PICTOGRAPHS + _EMOJI_ONLY, UNSEEN, _EMOJI_ONLY)]
        if utf8
        else []
    )
    if escapes:
        parts.append(characters([*ranges, *unseen], utf8=False, escapes=True))
        parts.append(_BACKSPACE)
    if view == "skeleton":
        parts.append(skeleton_sign())
    return "|".join(parts)


@cache
def hidden(view: str, *, utf8: bool) -> str:
    """What a text holds where a view shows letters that raw does not; empty where there is nothing to hold."""
    if view == "spaced":
        return SPELLED_APART
    if view == "decoded":
        return READABLE
    if view == "unescaped":
        # In a text an escape stands as it does in a raw line.
        return f"{HIDDEN_LETTER}|{HIDDEN_ASCII}|{disguise('folded', utf8=False, escapes=True)}"
    if not utf8:
        return ""  # in ASCII nothing else is in disguise
    return disguise("skeleton" if view == "skeleton" else "folded", utf8=True, escapes=False)


def _after_none_of(bases: str, unseen: str, allowed: str) -> str:
    """One of the characters ``unseen``, but for those ``allowed`` after a base, and for a keycap's selector."""
    base, one, fine = _class(bases), _class(unseen), _class(allowed)
    other = "".join(one_range(low, high) for low, high in without(parse_ranges(unseen), parse_ranges(allowed)))
    # What stands before may be the end of a JSON escape. A selector has a base of its own: two are never fine.
    return (
        rf"(?-i:(?:^|[^{base}0-9#*])[{one}]|[{base}0-9#*][{other}]|[{_class(SELECTORS)}]{{2}}"
        rf"|u[0-9A-Fa-f]{{4}}[{fine}]|[0-9#*][{fine}](?:$|[^\x{{20e3}}]))"
    )


def _class(inside: str) -> str:
    return "".join(one_range(low, high) for low, high in parse_ranges(inside))
