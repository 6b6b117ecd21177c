r"""The ``unescaped`` view: HTML entities, percent escapes and backslash escapes as what they stand for, then folded.

``ignore&#32;all``, ``%69gnore`` and ``\u0069gnore`` are read by models as easily as the words they spell.
"""

from __future__ import annotations

import re
from functools import cache
from html.entities import name2codepoint
from typing import Final

from mcp_cassette.match.views_fold import then_folded
from mcp_cassette.match.views_map import Builder, Seen, over

_MOST_PASSES: Final = 4
_NAMED: Final = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "b": " "}
_LIKE_LETTERS: Final = frozenset({"alefsym", "image", "real", "weierp", "trade", "ordf", "ordm"})
_MORE: Final = {
    "apos": "'", "Tab": "\t", "NewLine": "\n", "excl": "!", "quest": "?", "colon": ":", "semi": ";", "comma": ",",
    "period": ".", "lpar": "(", "rpar": ")", "lsqb": "[", "rsqb": "]", "lcub": "{", "rcub": "}", "num": "#", "ast": "*",
    "sol": "/", "bsol": "\\", "lowbar": "_", "hyphen": "-", "dash": "-", "equals": "=", "commat": "@", "dollar": "$",
    "percnt": "%", "grave": "`", "ZeroWidthSpace": "\u200b", "NoBreak": "\u2060",
}  # fmt: skip
NAMES: Final = {name: chr(code) for name, code in name2codepoint.items() if name not in _LIKE_LETTERS} | _MORE
"""The named entities that are read: those of HTML 4 and those of ASCII signs. None is a letter in disguise."""
_LONGEST_NAME: Final = max(map(len, NAMES))

_DECIMAL: Final = (
    r"0*(?:6[5-9]|[789][0-9]|1[01][0-9]|12[0-2]|17[03]|186|2(?:5[6-9]|[6-9][0-9])|[3-9][0-9]{2}|[1-79][0-9]{3,}"
)
_DECIMAL_8: Final = r"|8(?:[013-9][0-9]{2,}|2(?:0[0-7]|3[2-9]|[4-9][0-9])|2[0-9]{3,}))"
_HEX: Final = r"0*(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|a[ad]|ba|[1-9a-f][0-9a-f]{2}|[13-9a-f][0-9a-f]{3,}"
_HEX_2: Final = r"|2(?:[1-9a-f][0-9a-f]{2,}|0(?:[03-9a-f][0-9a-f]|2[89a-f])|0[0-9a-f]{3,}))"
_LEADING: Final = r"(?:[46][1-9a-f]|[57][0-9a]|[c-f][0-9a-f]%[89ab])"
HIDDEN_LETTER: Final = (
    rf"&#(?:{_DECIMAL}{_DECIMAL_8}(?:[^0-9]|$)|x{_HEX}{_HEX_2}(?:[^0-9a-f]|$))|&(?:shy|zwn?j|lrm|rlm|ZeroWidthSpace|NoBreak);|%{_LEADING}"
    r"|(?-i:\\x(?:[4-7][0-9A-Fa-f]|[aA][aAdD]|[bB][aA])|\\u\{|\\U[0-9A-Fa-f]{8})"
)
"""RE2, any case: where an entity, a percent escape or a backslash escape may be an ASCII letter, or may hide one (by a
character that folding takes away). Common punctuation is left out, so that honest HTML is not suspicious; escapes with
four digits are for the signs of folding."""
_BYTES: Final = 400
"""Percent escapes in a row that are decoded together."""


@cache
def _escape() -> re.Pattern[str]:
    return re.compile(
        r"&\#(?P<decimal>[0-9]{1,9});?|&\#[xX](?P<hex>[0-9A-Fa-f]{1,8});?"
        rf"|&(?P<name>[A-Za-z][A-Za-z0-9]{{1,{_LONGEST_NAME}}});"
        rf"|(?P<percent>(?:%[0-9A-Fa-f]{{2}}){{1,{_BYTES}}})"
        r"|(?<!\\)\\++(?:u(?P<u>[0-9A-Fa-f]{4})|u\{(?P<brace>[0-9A-Fa-f]{1,6})\}|U(?P<U>[0-9A-Fa-f]{8})|x(?P<x>[0-9A-Fa-f]{2})"
        r"""|(?P<one>[nrtfvb"'/]))"""
    )


def unescaped(text: str) -> Seen | None:
    """The view, or None where no escape stands for something."""
    seen: Seen | None = None
    for _ in range(_MOST_PASSES):  # what is escaped twice, or hidden in an escape by folding
        current = text if seen is None else seen.text
        plain = _plain(current)
        if plain is None:
            break
        seen = over(then_folded(plain), seen)
    return seen


def _plain(text: str) -> Seen | None:
    if not ("&" in text or "%" in text or "\\" in text):
        return None
    build = Builder()
    at = 0
    for match in _escape().finditer(text):
        shown = _shown(match)
        if shown is None or shown == match[0]:
            continue
        build.keep(text[at : match.start()], at)
        if match["percent"]:
            _put_bytes(build, shown, match.start())
        else:
            build.put(shown, match.start(), match.end())
        at = match.end()
    if at == 0:
        return None
    build.keep(text[at:], at)
    return build.seen()


def _put_bytes(build: Builder, shown: str, start: int) -> None:
    """Decoded percent escapes, each character at the escapes it came from."""
    for char in shown:
        size = 3 * (1 if char == "\ufffd" else len(char.encode()))
        build.put(char, start, start + size)
        start += size


def _shown(match: re.Match[str]) -> str | None:
    """What an escape stands for; None for what is none."""
    kind = match.lastgroup
    if kind is None:
        return None
    value = match[kind]
    if kind == "name":
        return NAMES.get(value)
    if kind == "one":
        return _NAMED.get(value, value)
    if kind == "percent":
        return _percent(bytes.fromhex(value.replace("%", "")))
    return _char(int(value, 10 if kind == "decimal" else 16))


def _percent(data: bytes) -> str:
    """UTF-8 where it is UTF-8; each other byte is one replacement character."""
    out: list[str] = []
    while data:
        try:
            out.append(data.decode())
            break
        except UnicodeDecodeError as error:
            out.append(data[: error.start].decode() + "\ufffd")
            data = data[error.start + 1 :]
    return "".join(out)


def _char(code: int) -> str | None:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else None
