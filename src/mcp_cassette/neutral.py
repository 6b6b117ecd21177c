"""Text from strangers made safe to print: the one place that says what must not be printed as it stands."""

from __future__ import annotations

import re
from typing import Final

_RANGES: Final = (
    (0x00, 0x1F), (0x7F, 0x9F),  # C0, DEL, C1
    (0xAD, 0xAD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),  # zero width, line separators, bidi controls
    (0x2800, 0x2800), (0x3164, 0x3164),  # blanks that count as letters or symbols
    (0xD800, 0xDFFF), (0xE000, 0xF8FF),  # lone surrogates, private use
    (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF),
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    *((plane << 16 | 0xFFFE, plane << 16 | 0xFFFF) for plane in range(1, 15)),  # non-characters
    (0xE0000, 0xE0FFF), (0xF0000, 0x10FFFF),  # tags and variation selectors, private use planes
)  # fmt: skip
"""Unicode categories Cc, Cf, Cs, Co, Zl and Zp, Default_Ignorable_Code_Point and the non-characters, without the
visible Arabic, Syriac and Kaithi number and verse signs of Cf; a test compares this with unicodedata."""

_COMMAND: Final = r"##(?=[A-Za-z]{0,20}\[)"
"""The start of ``##[…]``, ``##vso[…]`` and their like: CI runners obey them anywhere in a line."""


def hidden(*, keep: str = "") -> re.Pattern[str]:
    """A pattern for what must not be printed as it stands: one character, or the two ``#`` that start a command.

    ``keep`` is one character to let through.
    """
    spans = [(low, high) for low, high in _RANGES if not keep or not low <= ord(keep) <= high]
    if keep:
        low, high = next((low, high) for low, high in _RANGES if low <= ord(keep) <= high)
        spans += [(low, ord(keep) - 1), (ord(keep) + 1, high)]
    return re.compile(f"[{''.join(f'{chr(low)}-{chr(high)}' for low, high in spans)}]|{_COMMAND}")


_HIDDEN: Final = hidden()


def _spell(match: re.Match[str]) -> str:
    found = match[0]
    return f"{found[:-1]}<U+{ord(found[-1]):04X}>"


def visible(text: str) -> str:
    """``text`` on one line with nothing in it that a terminal, a CI runner or a reader's eye would obey or miss.

    Controls (newlines and tabs too), bidi controls, invisible characters, line separators, lone surrogates, private
    use and non-characters become ``<U+XXXX>``. Letters of every script and emoji stay (joined emoji come apart).
    Idempotent; the result always encodes to UTF-8.
    """
    if text.isascii() and text.isprintable() and "##" not in text:
        return text
    return _HIDDEN.sub(_spell, text)


def clip(text: str, limit: int) -> str:
    """At most ``limit`` characters: a longer text loses its middle to an ellipsis."""
    if len(text) <= limit:
        return text
    head = limit // 2
    return f"{text[:head]}…{text[len(text) - (limit - 1 - head) :]}"


def one_line(text: str) -> str:
    """``visible``, and nothing that a CI runner takes for a command at the start of a line (after white space, too)."""
    text = visible(text)
    # A single colon counts: what is printed behind a file name begins with another.
    return f"./{text}" if text.lstrip().startswith((":", "##")) else text
