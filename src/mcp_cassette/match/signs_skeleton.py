r"""What the ``skeleton`` view cannot do without, as an RE2 expression over texts or raw lines.

Most look-alikes are in no ordinary text: each is a sign by itself. Those of Cyrillic, Greek, Armenian and Georgian are
one only directly beside a Latin letter (marks may stand between), or in a whole word of four and more of which each may
be part of a word of look-alikes; those that count between two ASCII letters only there.

There is no looking back in RE2, and in a raw line ``\n`` and the digits of ``\u043e`` end in letters that are none:
what stands before is spelled out. Where that would be long, more is taken than needed, never less.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from mcp_cassette.match.lookalike_forms import FORMS
from mcp_cassette.match.lookalikes import between, lookalikes, whole
from mcp_cassette.match.sign_text import Ranges, characters, parse_ranges, without
from mcp_cassette.match.views_fold import small_and_plain
from mcp_cassette.predicates.ranges import LATIN

_ALPHABETS: Ranges = [
    (0x0370, 0x058F), (0x10A0, 0x10FF), (0x1C80, 0x1CBF), (0x1F00, 0x1FFF), (0x2D00, 0x2D2F), (0xA640, 0xA69F),
]  # fmt: skip
_MARK = r"[^\pL\pN\pP\pS\pZ\x00-\x7f]"
"""A mark, or what RE2 does not know yet."""
_ESCAPED_MARKS: Ranges = [
    (0x0300, 0x036F), (0x0483, 0x0489), (0x0590, 0x1C7F), (0x1CC0, 0x1DFF), (0x20D0, 0x20FF), (0x2CE0, 0x2CFF),
    (0x2D60, 0x2DFF), (0x3020, 0x302F), (0x3090, 0x309F), (0xA660, 0xABFF), (0xD800, 0xDFFF), (0xFB1E, 0xFB1E),
    (0xFE00, 0xFE2F),
]  # fmt: skip
"""Blocks that hold marks. That they hold letters, too, does no harm."""
_HEX = "[0-9a-f]"
_ANY_ESCAPE = rf"\\u{_HEX}{{4}}"
_BEFORE_LAST = (
    rf"(?:(?:^|[^0-9a-f\\]){_HEX}{{0,2}}|(?:^|[^u]){_HEX}{{3}}|(?:^|[^\\])u{_HEX}{{3}}|\\\\u?{_HEX}{{0,3}}"
    rf"|\\[bf]{_HEX}{{0,2}})"
)
"""What may stand before a hexadecimal digit that does not end a JSON escape."""
_LETTER_BEFORE = rf"(?:[g-mo-qsu-z]|(?:^|[^\\]|\\\\)[nrt]|{_BEFORE_LAST}[a-f])"
"""An ASCII letter that is one, not part of a JSON escape."""


@cache
def skeleton_sign(*, utf8: bool, escapes: bool) -> str:
    """The characters and shapes in whose absence the view shows no ASCII letter that ``folded`` does not show."""
    alone, beside, word, inside = _sets()
    one = _Spelling(utf8, escapes)
    letter, mark = one.of(parse_ranges(LATIN.removeprefix("A-Za-z"))), one.mark()
    latin_before = f"(?:{one.ascii_before()}|{letter})"
    near = one.of(beside)
    unit = f"{one.of(word)}{mark}*"
    shapes = "|".join(
        (
            one.of(alone),
            f"{latin_before}{mark}*{near}",
            f"{near}{mark}*(?:[a-z]|{letter})",
            f"{one.word_start()}{mark}*(?:{unit}){{4}}(?:{unit})*{one.word_end()}",
            f"[a-z]{one.of(inside)}{{1,2}}[a-z]",
        )
    )
    return f"(?i:{shapes})"


class _Spelling:
    """Sets of characters in UTF-8, as JSON escapes, or both."""

    def __init__(self, utf8: bool, escapes: bool) -> None:
        self._utf8, self._escapes = utf8, escapes

    def of(self, ranges: Ranges) -> str:
        return f"(?:{characters(ranges, utf8=self._utf8, escapes=self._escapes)})"

    def mark(self) -> str:
        parts = [_MARK] if self._utf8 else []
        if self._escapes:
            parts.append(characters(_ESCAPED_MARKS, utf8=False, escapes=True))
        return f"(?:{'|'.join(parts)})"

    def ascii_before(self) -> str:
        return _LETTER_BEFORE if self._escapes else "[a-z]"

    def word_start(self) -> str:
        letters = _class(_letters())
        if not self._escapes:
            return f"(?-i:^|[^{letters}])"
        others = characters(without([(0, 0xFFFF)], _letters()), utf8=False, escapes=True)
        digit = rf"{_BEFORE_LAST}{_HEX}"
        return rf"(?:^|(?-i:[^{letters}0-9a-fA-F])|{digit}|\\[bf]|{others})"

    def word_end(self) -> str:
        letters = _class(_letters())
        if not self._escapes:
            return f"(?-i:$|[^{letters}])"
        others = characters(without([(0, 0xFFFF)], _letters()), utf8=False, escapes=True)
        return rf"(?:$|(?-i:[^{letters}\\])|\\[^u]|{others})"


@cache
def _sets() -> tuple[Ranges, Ranges, Ranges, Ranges]:
    """What is a sign by itself; beside a Latin letter; in a whole word; between two letters."""
    table = lookalikes()
    forms = {int(code, 16) for code in FORMS.split()}
    # A form that folds to letters of whole words alone may be several of them: no counting of those.
    counted = {code for code in forms if not _makes_words(code)}
    beside = {code for code in (*table, *counted) if _in(_ALPHABETS, code)}
    word = {code for code in whole() if code in beside}
    inside = set(between()) - set(table)
    inside = {code for code in inside if code < 0x10000}
    alone = {*table, *forms, *between()} - beside - inside
    return _ranges(alone), _ranges(beside), _ranges(word), _ranges(inside)


def _makes_words(code: int) -> bool:
    seen = small_and_plain(chr(code))
    letters = chr(code) if seen is None else seen.text
    return all(ord(c) in whole() or unicodedata.category(c)[0] == "M" for c in letters)


@cache
def _letters() -> Ranges:
    """Letters of the alphabets that stay letters whatever folding does, and end no word of look-alikes."""
    return _ranges(
        {
            code
            for low, high in _ALPHABETS
            for code in range(low, high + 1)
            if chr(code).isalpha()
            and unicodedata.is_normalized("NFKC", chr(code))
            and unicodedata.is_normalized("NFKC", chr(code).casefold())
        }
    )


def _in(ranges: Ranges, code: int) -> bool:
    return any(low <= code <= high for low, high in ranges)


def _class(ranges: Ranges) -> str:
    return "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in ranges)


def _ranges(codes: set[int]) -> Ranges:
    out: list[tuple[int, int]] = []
    for code in sorted(codes):
        if out and out[-1][1] == code - 1:
            out[-1] = (out[-1][0], code)
        else:
            out.append((code, code))
    return out
