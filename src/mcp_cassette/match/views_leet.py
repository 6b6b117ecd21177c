"""The ``leet`` view: digits and signs in a word as the letters they look like (``1gn0r3``), after folding."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mcp_cassette.match.views_fold import folded
from mcp_cassette.match.views_map import Seen, one_by_one, over

LETTERS: Final = {
    "0": "o", "1": "il", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "@": "a", "$": "s", "!": "i",
    "|": "l",
}  # fmt: skip
"""What each may stand for inside a word."""
_TABLE: Final = str.maketrans({sign: letters[0] for sign, letters in LETTERS.items()})
_LONGEST: Final = 24
"""Letters and digits of a word; what is longer is an identifier or data."""


@cache
def _word() -> re.Pattern[str]:
    """A word of letters and look-alikes, with at least one of each; a sign that may end a sentence must have a letter
    behind it."""
    one, few = r"(?:[a-z01345789@$|]|!(?=[a-z0-9@$]))", f"{{0,{_LONGEST}}}"
    mixed = rf"(?=[0-9@$!|]{few}[a-z])(?=[a-z]{few}[0-9@$!|])"
    return re.compile(rf"(?<![\w@$!|]){mixed}{one}{{3,{_LONGEST}}}(?![\w@$|])")


def leet(text: str) -> Seen | None:
    """The view, or None where no word mixes letters with what looks like them."""
    base = folded(text)
    small = text if base is None else base.text
    pieces: list[str] = []
    at = 0
    for match in _word().finditer(small):
        word = match[0]
        plain = _letters(word)
        if plain != word:
            pieces += (small[at : match.start()], plain)
            at = match.end()
    if not pieces:
        return None
    return over(one_by_one("".join((*pieces, small[at:]))), base)


@cache
def _ell() -> re.Pattern[str]:
    """A one that is an l: doubled, or between a vowel and an e, a y or the end."""
    return re.compile(r"1(?=1)|(?<=1)1|(?<=[aeou])1(?=[ey]|$)")


def _letters(word: str) -> str:
    """The word in letters. Far fewer letters than digits is a number, a hash or a name."""
    if 5 * sum(map(str.isalpha, word)) < 2 * len(word) - 1:
        return word
    return _ell().sub("l", word).translate(_TABLE)
