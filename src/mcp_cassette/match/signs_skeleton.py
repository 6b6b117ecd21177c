r"""What the ``skeleton`` view cannot do without, as an RE2 expression over texts.

Most look-alikes are in no ordinary text: each is a sign by itself. Those of Cyrillic, Greek, Armenian and Georgian are
one only directly beside a Latin letter (marks may stand between), or in a whole word of four and more of which each may
be part of a word of look-alikes; those that count between two ASCII letters only there.

Where a shape would be long, more is taken than needed, never less.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from mcp_cassette.match.lookalike_forms import FORMS
from mcp_cassette.match.lookalikes import between, lookalikes, whole
from mcp_cassette.match.sign_text import Ranges, characters, parse_ranges
from mcp_cassette.match.views_fold import small_and_plain
from mcp_cassette.predicates.ranges import LATIN

_ALPHABETS: Ranges = [
    (0x0370, 0x058F), (0x10A0, 0x10FF), (0x1C80, 0x1CBF), (0x1F00, 0x1FFF), (0x2D00, 0x2D2F), (0xA640, 0xA69F),
]  # fmt: skip
_MARK = r"[^\pL\pN\pP\pS\pZ\x00-\x7f]"
"""A mark, or what RE2 does not know yet."""


@cache
def skeleton_sign() -> str:
    """The characters and shapes in whose absence the view shows no ASCII letter that ``folded`` does not show."""
    alone, beside, word, inside = _sets()
    letter, near = _of(parse_ranges(LATIN.removeprefix("A-Za-z"))), _of(beside)
    latin = f"(?:[a-z]|{letter})"
    unit, other = f"{_of(word)}{_MARK}*", f"[^{_class(_letters())}]"
    shapes = "|".join(
        (
            _of(alone),
            f"{latin}{_MARK}*{near}",
            f"{near}{_MARK}*{latin}",
            f"(?-i:^|{other}){_MARK}*(?:{unit}){{4}}(?:{unit})*(?-i:$|{other})",
            f"[a-z]{_of(inside)}{{1,2}}[a-z]",
        )
    )
    return f"(?i:{shapes})"


def _of(ranges: Ranges) -> str:
    return f"(?:{characters(ranges, utf8=True, escapes=False)})"


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
