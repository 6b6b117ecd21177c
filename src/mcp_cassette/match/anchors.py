r"""The part of an expression that is worth looking for in a raw line: a short stretch of words without wide gaps.

The stretch is written as RE2 over bytes (Latin-1), so that it matches wherever the expression could: in JSON spelling,
in other cases, with digits and signs for letters, with entities for what is no letter. Other disguises have signs of
their own. All stretches together are one automaton, which says no more than whether a line is worth reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from mcp_cassette.match.syntax import WHITE, Alt, Chars, Edge, Look, Node, Repeat, Seq, tree
from mcp_cassette.match.views_leet import LETTERS

_FOREIGN = r"[\x80-\xff]+"
_CODE = r"\\+u[0-9a-f]{4}"
_ENTITY = r"&#?[0-9a-z]{2,9};?"
_PERCENT = r"%[0-9a-f]{2}"
_SPELLED = rf"{_CODE}|{_FOREIGN}|{_ENTITY}|{_PERCENT}|\\+[nrtfvb/\x22\x27]"
"""What may stand in a raw line for a character that is no letter."""
_ANY = rf"(?:{_SPELLED}|[\x00-\x7f])"
_SPACE = rf"(?:[\x09-\x0d\x1c-\x20]|{_SPELLED})+"
_WORD_START = rf"(?:\b|[^0-9a-z]|\\[nrtfb]|u[0-9a-f]{{4}}|{_PERCENT})"
_LINE_START = rf"(?:^|[\x22\n\r;]|{_CODE}|\\[nr]|{_PERCENT})"
_INFORMATION = r"\xe2\x84\xb9[\x80-\xff]*"
_ASCII = frozenset("abcdefghijklmnopqrstuvwxyz")

_FEW = 4
"""Repeats of a group of words that are kept; more of them, or of what is wide, are a gap."""
_MOST_PARTS = 40


@dataclass(frozen=True, slots=True)
class Anchor:
    """A stretch, and how often a word of honest text begins one, roughly (1 is always)."""

    expression: str
    likely: float


class _Stretch:
    """A stretch while it grows."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.likely = 1.0
        self._word: float | None = None

    def anchor(self) -> Anchor | None:
        return Anchor("".join(self.out), self.likely) if self.likely < 1 else None


@cache
def anchor(expression: str) -> Anchor | None:
    """The best stretch of an expression; None where there is no word in it."""
    return _of(tree(expression))


def _of(node: Node) -> Anchor | None:
    parts = node.parts if isinstance(node, Seq) else (node,)
    if len(parts) == 1 and isinstance(parts[0], Alt):
        found = [_of(branch) for branch in parts[0].branches]
        if any(one is None for one in found):
            return None
        kept = [one for one in found if one is not None]
        return Anchor("|".join(f"(?:{one.expression})" for one in kept), sum(one.likely for one in kept))
    best: Anchor | None = None
    at = 0
    while at < len(parts):
        written, stop = _stretch(parts, at)
        if written is not None and (best is None or written.likely < best.likely):
            best = written
        at = max(stop, at + 1)
    return best


def _stretch(parts: tuple[Node, ...], at: int) -> tuple[Anchor | None, int]:
    """What can be written from a part on, up to the first gap, and where that is."""
    out: list[str] = []
    likely = 1.0
    word = ""
    i = at
    while i < len(parts) and i - at < _MOST_PARTS:
        piece = _piece(parts[i], word)
        if piece is None:
            break
        text, chance, word, open_end = piece
        out.append(text)
        likely *= chance
        i += 1
        if open_end:
            break
    return (Anchor("".join(out), likely) if likely < 1 else None), i


def _piece(node: Node, word: str) -> tuple[str, float, str, bool] | None:
    """(RE2, how likely it is, the letters at its end, whether something was cut off behind it); None for a gap."""
    if isinstance(node, Chars):
        return _chars(node, word)
    if isinstance(node, Edge):
        if node.sign == "^":
            return _LINE_START, 1.0, "", False
        # At the start of a word; its end is not looked at.
        return (_WORD_START if node.sign == r"\b" and not word else ""), 1.0, word, False
    if isinstance(node, Look):
        return "", 1.0, word, False
    if isinstance(node, Seq):
        return _sequence(node, word)
    if isinstance(node, Alt):
        return _alternatives(node, word)
    return _repeat(node, word)


def _sequence(node: Seq, word: str) -> tuple[str, float, str, bool] | None:
    out: list[str] = []
    likely = 1.0
    for part in node.parts:
        piece = _piece(part, word)
        if piece is None:
            return "".join(out), likely, word, True
        text, chance, word, open_end = piece
        out.append(text)
        likely *= chance
        if open_end:
            return "".join(out), likely, word, True
    return "".join(out), likely, word, False


def _alternatives(node: Alt, word: str) -> tuple[str, float, str, bool]:
    found = [_piece(branch, word) or ("", 1.0, word, True) for branch in node.branches]
    text = "|".join(dict.fromkeys(one[0] for one in found))
    return f"(?:{text})", min(1.0, sum(one[1] for one in found)), "", any(one[3] for one in found)


def _repeat(node: Repeat, word: str) -> tuple[str, float, str, bool] | None:
    if isinstance(node.part, Chars):
        chars = node.part.chars
        if chars is not None and chars <= WHITE | frozenset("_-") and not chars.isdisjoint(WHITE):
            space = _SPACE if chars <= WHITE else _SPACE.replace(r"\x20]", r"\x20_-]")
            return (space if node.least else f"(?:{space})?"), 1.0, "", False
        if chars is None or node.most > _FEW:
            if not node.least and _is_narrow(chars):
                return f"(?:{_one(chars or frozenset())})*", 1.0, "", False
            return None
    piece = _piece(node.part, word if node.least == 1 else "")
    if piece is None or (piece[3] and not node.least):
        return _word_gap(node)
    text, chance, _, open_end = piece
    if node.most > _FEW and not _is_words(node.part):
        return (f"(?:{text})", chance, "", True) if node.least else None
    if node.least:
        return f"(?:{text})" + ("+" if node.most > 1 else ""), chance, "", open_end
    return f"(?:{text})" + ("?" if node.most == 1 else "*"), 1.0, "", False


def _word_gap(node: Repeat) -> tuple[str, float, str, bool] | None:
    """A few words of any kind: ``(?:[a-z]{1,20}\\s{1,9}){0,3}``."""
    part = node.part
    if node.most > _FEW or not isinstance(part, Seq) or len(part.parts) != 2:
        return None
    first, then = part.parts
    if not (isinstance(first, Repeat) and isinstance(first.part, Chars) and isinstance(then, Repeat)):
        return None
    if not (
        isinstance(then.part, Chars) and then.part.chars is not None and then.part.chars <= WHITE | frozenset("_-")
    ):
        return None
    return rf"(?:[^\x09-\x0d\x20]+{_SPACE}){{0,{node.most}}}", 1.0, "", False


def _is_words(node: Node) -> bool:
    """Whether a group is made of listed words alone: such a group may stand many times without being a gap."""
    if isinstance(node, Chars):
        return node.chars is not None
    if isinstance(node, Seq):
        return all(map(_is_words, node.parts))
    if isinstance(node, Alt):
        return all(map(_is_words, node.branches))
    if isinstance(node, Repeat):
        return _is_words(node.part)
    return True


def _is_narrow(chars: frozenset[str] | None) -> bool:
    return chars is not None and not any(c.isalnum() or c in WHITE for c in chars)


def _chars(node: Chars, word: str) -> tuple[str, float, str, bool] | None:
    if node.chars is None:
        return _ANY, 1.0, "", False
    if len(node.chars) == 1:
        (char,) = node.chars
        if char.isalpha():
            # The more letters a word has, the rarer it is; an ideograph or a syllable is half a word.
            chance = 0.1 if char >= "\u2e80" else 0.5 if len(word) < 8 else 0.9
            return _one(node.chars), chance, word + char, False
    return _one(node.chars), 1.0, "", False


@cache
def _one(chars: frozenset[str]) -> str:
    """One of some characters as it may stand in a raw line."""
    if chars and chars <= WHITE:
        return f"(?:[\\x09-\\x0d\\x1c-\\x20]|{_SPELLED})"
    ascii_ = sorted(c for c in chars if c.isascii())
    letters = [c for c in ascii_ if c in _ASCII]
    inside = "".join(re.escape(c) if c.isalnum() else f"\\x{ord(c):02x}" for c in ascii_)
    inside += "".join(f"\\x{ord(s):02x}" for s, likes in LETTERS.items() if any(c in likes for c in letters))
    parts = [f"[{inside}]"] if inside else []
    if "i" in letters:
        parts.append(_INFORMATION)
    for char in sorted(chars - set(ascii_)):
        parts += _foreign(char)
    if len(letters) < len(chars):
        parts.append(_SPELLED if len(letters) < len(ascii_) else f"{_ENTITY}|(?:{_PERCENT})+")
    if "s" in letters:
        parts.append(r"\xc3\x9f|\xe1\xba\x9e|\\u00df|\\u1e9e")  # a sharp s is two of them
    return parts[0] if len(parts) == 1 and len(inside) and parts[0][0] == "[" else f"(?:{'|'.join(parts)})"


def _foreign(char: str) -> list[str]:
    """A letter beyond ASCII in both cases, in UTF-8 and as an escape."""
    out = []
    for form in dict.fromkeys((char, char.upper(), char.lower())):
        out.append("".join(f"\\x{byte:02x}" for byte in form.encode("utf-8", "surrogatepass")))
        units = form.encode("utf-16-be", "surrogatepass")
        out.append("".join(rf"\\+u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)))
    return out
