r"""An expression of the portable subset → an RE2 expression that matches wherever it could, and perhaps more.

The prefilter runs it over raw lines of a file, before any string is decoded, and over texts. So it must hold

- for JSON spelling: any character may stand there as an escape (a newline is ``\n``, two bytes);
- for every view that folds case, compatibility forms and white space (letters in disguise have a trigger of their own);
- for Unicode: RE2 knows ``\b``, ``\w`` and ``\s`` for ASCII alone, so they are widened or left out.

It decides nothing: ``regex`` does. A bound above four is dropped, which keeps the automaton small.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from mcp_cassette.match.disguise import SIGNS
from mcp_cassette.match.signs import AFTER_EMOJI
from mcp_cassette.match.views_leet import LETTERS

_CODE = r"(?:\\u[dD][89aAbB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})"
"""One character as a JSON escape; beyond the BMP it is two."""
ANY = rf'(?:{_CODE}|\\[nrtfb"\\/]|(?s:.))'
"""One character, in either spelling."""
_ABSORBS = AFTER_EMOJI + ")"
_KEYCAPS = frozenset("0123456789#*")
_ENTITY = r"&#?[0-9A-Za-z]{2,9};?"
_PERCENT = r"(?:%[0-9A-Fa-f]{2})+"
_FOREIGN = r"[^\x00-\x7f]"
_START = r'(?:^|["\n\r]|\\[nr]|\\u[0-9A-Fa-f]{4})'
"""Before the first character of a string or of a line of it: a quotation mark or a line end, in either spelling."""
_WHITE = frozenset(" \t\n\r\f\v\x1c\x1d\x1e\x1f")
_MOST = 4

TOKEN = re.compile(
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
    re.VERBOSE,
)
_ITEM = re.compile(
    r"(?P<set>\\[dDwWsSpP](?:\{[^}]*\})?)"
    r"|(?P<low>\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])|[^\\])"
    r"(?:-(?P<high>\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])|[^\\]))?"
)
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}
_ELASTIC = frozenset(".!?s")
_TWINS = frozenset({"s", r"\.", r"\!", r"\?", "!"})
_INFORMATION = rf"\x{{2139}}{AFTER_EMOJI}"
"""The emoji that folds to an i: honest text is full of it, so it is no sign of a disguise."""
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Spelling:
    """How freely a text may be spelled. ``leet``: letters
    may be digits and signs; ``escaped``: what is no letter may be an HTML entity, percent escapes or a backslash
    escape."""

    leet: bool = False
    escaped: bool = False


@cache
def superset(expression: str, how: Spelling = Spelling()) -> str:
    """The wider RE2 expression; to be compiled without regard to case. It may match the empty text: then it says
    nothing, and the pattern must always be tried."""
    tokens = [(m.lastgroup or "", m[0]) for m in TOKEN.finditer(expression)]
    out: list[str] = []
    skipping = 0
    for i, (kind, text) in enumerate(tokens):
        if skipping:
            skipping += (kind in ("open", "look")) - (kind == "close")
            continue
        if kind == "look":
            skipping = 1
            out.append("(?:)")
        elif kind == "open":
            out.append("(?:")
        elif kind in ("close", "alt"):
            out.append(text)
        elif kind == "repeat":
            repeat = _repeat(text, elastic=i > 0 and _is_elastic(*tokens[i - 1]))
            if out[-1].endswith(_ABSORBS) and repeat != "?":
                out[-1] = out[-1].removesuffix(_ABSORBS) + ")"  # a run takes in what follows an emoji by itself
            if out[-1].endswith((")+)", ")*)")) and repeat in "+*":
                out[-1] = out[-1][:-2] + repeat + ")"  # a run of white space already
            else:
                out.append(repeat)
        else:
            out.append(_one(kind, text, text.lower() in _TWINS and _is_twin(tokens, i), how))
    return "".join(out)


def _is_twin(tokens: list[tuple[str, str]], i: int) -> bool:
    """Whether the same character stands beside this one: a sharp s is two of them, an ellipsis three."""
    own = tokens[i][1].lower()
    return any(0 <= j < len(tokens) and tokens[j][1].lower() == own for j in (i - 1, i + 1))


@cache
def _is_elastic(kind: str, text: str) -> bool:
    """Whether folding may make several such characters of one: the signs of an ellipsis, the letter of a sharp s."""
    if kind == "class":
        chars = members(text)
        return chars is None or not chars.isdisjoint(_ELASTIC)
    if kind == "escape" and text[1] in "wWSDpP":
        return True
    return kind == "close" or text == "." or character(text).lower() in _ELASTIC


def _repeat(text: str, *, elastic: bool) -> str:
    if text[0] in "*+?":
        return text[0]
    least, _, most = text.rstrip("?").strip("{}").partition(",")
    if int(least) == 0:
        return "*" if most != "1" else "?"
    return "+" if int(least) == 1 or elastic else f"{{{min(int(least), _MOST)},}}"


@cache
def _one(kind: str, text: str, twin: bool, how: Spelling) -> str:
    """One character, one class or one place."""
    if kind == "class":
        return _class(text, how)
    if kind == "escape":
        body = text[1:]
        if body[0] in "bBAZ" and len(body) == 1:
            return "(?:)"
        if body[0] in "dDwWSpP":
            return _any(how)
        if body[0] == "s":
            return _other(set(_WHITE), how)
    elif text in "^$":
        return _START if text == "^" else "(?:)"
    elif text == ".":
        return _any(how)
    char = character(text).lower()
    if char in _LETTERS:
        return "(?:(?:s|ß|ẞ|5|\\$)?)" if char == "s" and twin else _letters({char}, how)
    other = _other({char}, how)  # a digit may be a superscript, or circled
    return f"(?:{other}?)" if twin and char in ".!?" else other


def _any(how: Spelling) -> str:
    return f"(?:(?:{ANY}|{_ENTITY}|{_PERCENT}){_ABSORBS}" if how.escaped else f"(?:{ANY}{_ABSORBS}"


def _letters(chars: set[str], how: Spelling) -> str:
    """One of some ASCII letters, as they are or as what looks like them."""
    inside = "".join(sorted(chars))
    if how.leet:
        inside += "".join(sorted(s for s, likes in LETTERS.items() if not chars.isdisjoint(likes)))
    one = inside if len(inside) == 1 else f"[{inside}]"
    return f"(?:{one}|{_INFORMATION})" if "i" in chars else one


def _other(chars: set[str], how: Spelling) -> str:
    """One of some characters that are no ASCII letters alone: as it is, as an escape, or as another that folding makes
    one of them."""
    ascii_ = sorted(c for c in chars if c.isascii())
    parts = [_CODE]
    if len(ascii_) < len(chars):
        parts.append(_FOREIGN)  # whatever may fold to a character beyond ASCII
    elif alike := [span for c in ascii_ for span in SIGNS.get(" " if c in _WHITE else c, ())]:
        parts.append("[" + "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in dict.fromkeys(alike)) + "]")
    if chars & _WHITE:
        ascii_ = sorted({*ascii_, *_WHITE})  # folding makes one blank of any of it
    if ascii_:
        parts.append("[" + "".join(f"\\x{ord(c):02x}" for c in ascii_) + "]")
    parts += [rf"\\[{''.join(c if c != chr(92) else chr(92) * 2 for c in spelled)}]" for spelled in _spelled(chars)]
    letters = chars & _LETTERS
    if letters and how.leet:
        parts.append(_letters(letters, how))
    one = "|".join(parts)
    if how.escaped:
        one = rf"[\\]*(?:{one}|{_ENTITY}|{_PERCENT})"
    # White space: raw may hold a run of it where a view has one space.
    if chars & _WHITE:
        return f"(?:(?:{one})+)"
    takes_selector = len(ascii_) < len(chars) or not chars.isdisjoint(_KEYCAPS)
    return f"(?:(?:{one}){_ABSORBS}" if takes_selector else f"(?:{one})"


def _spelled(chars: set[str]) -> list[str]:
    """The short escapes JSON has for some of the characters."""
    short = "".join(c for c in '"\\/' if c in chars) + ("nrtfbv" if chars & _WHITE else "")
    return [short] if short else []


def character(text: str) -> str:
    """The character a token stands for."""
    if text[0] != "\\" or len(text) == 1:
        return text
    body = text[1:]
    if body[0] in "xuU" and len(body) > 1:
        return chr(int(body[1:], 16))
    return _NAMED.get(body, body)


def _class(text: str, how: Spelling) -> str:
    """A class: its ASCII characters as they are; with anything beyond letters, everything else that may become one."""
    chars = members(text)
    if chars is None:
        return _any(how)
    return _letters(chars, how) if chars <= _LETTERS else _other(chars, how)


def members(text: str) -> set[str] | None:
    """The characters of a class, in small letters; None for one that is too wide to list."""
    if text.startswith("[^"):
        return None
    chars: set[str] = set()
    for item in _ITEM.finditer(text[1:-1]):
        if item["set"]:
            if item["set"] != r"\s":
                return None
            chars |= _WHITE
            continue
        low = character(item["low"])
        high = character(item["high"]) if item["high"] else low
        if ord(high) - ord(low) > 0x400:
            return None
        chars |= {chr(c).lower() for c in range(ord(low), ord(high) + 1)}
    return chars
