"""``mixed-script``: a word of two scripts whose letters pass for each other (UTS 39), Latin with Cyrillic or Greek."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Final

from mcp_cassette.predicates.base import Hit, name_of
from mcp_cassette.predicates.ranges import CYRILLIC, GREEK, LATIN, chars, compiled

_MARKS: Final = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

_GLUED: Final = frozenset(["mol", "bar", "rad", "kat", "sin", "cos", "tan", "log", "exp", "arg", "det", "max", "min"])
"""Three-letter units and functions that stand right beside a Greek letter."""
_ENDING: Final = "[A-Z]{2,}s?[а-яё]{1,4}"
"""A Latin acronym with a Russian ending: APIшка."""
_INDEX: Final = "[DFGLNQRUVWZ][а-яё]{2,}"
"""A symbol with a Russian index: Vмакс. Only capitals that no Cyrillic letter looks like."""
_GREEK_END: Final = "[A-Z]{2,}[α-ω][A-Z]?"
"""A gene or protein: TNFα, NFκB."""
_PHONETIC: Final = r"[\u0250-\u02ffæðøŋœ]"
_PHONETIC_GREEK: Final = frozenset("βθχ")


@cache
def _switch() -> re.Pattern[str]:
    """Where a script changes. Marks between the two letters belong to the first."""
    other = CYRILLIC + GREEK
    return re.compile(f"[{LATIN}][{_MARKS}]*[{other}]|[{other}][{_MARKS}]*[{LATIN}]")


def find(text: str, params: Mapping[str, Any], others: AbstractSet[str] = frozenset()) -> Iterator[Hit]:
    """Words (runs of letters and marks) that mix Latin with Cyrillic or Greek."""
    if text.isascii():
        return
    at = 0
    while match := _switch().search(text, at):
        start, end = match.span()
        while start > at and _in_word(text[start - 1]):
            start -= 1
        while end < len(text) and _in_word(text[end]):
            end += 1
        at = end
        # In an escaped or formatted string the first letter is no letter of the word: \nПривет, %sФайл.
        if start and text[start - 1] in "\\%" and text[start] in "nrtbfvsd":
            start += 1
        note = _odd(text[start:end])
        if note:
            yield Hit(start, end, note)


def _in_word(char: str) -> bool:
    return char.isalpha() or unicodedata.category(char)[0] == "M"


def _odd(word: str) -> str | None:
    """What is odd in a word, in words; None if it is of one script or an ordinary mixture."""
    latin = chars(LATIN).findall(word)
    greek = chars(GREEK).findall(word)
    cyrillic = chars(CYRILLIC).findall(word)
    if not latin or not (greek or cyrillic):
        return None
    if not cyrillic and _formula(word, latin, greek):
        return None
    if not greek and (compiled(_ENDING).fullmatch(word) or compiled(_INDEX).fullmatch(word)):
        return None
    few = sorted((latin, cyrillic, greek), key=len)
    odd = [letters for letters in few if letters]
    host = odd[-1]
    if len(latin) == len(host):  # as many of each: the reader takes it for Latin
        host = latin
    strange = [c for c in dict.fromkeys(word) if any(c in letters for letters in odd if letters is not host)]
    names = ", ".join(name_of(c) for c in strange[:3]) + (" …" if len(strange) > 3 else "")
    script = "Latin" if host is latin else "Greek" if host is greek else "Cyrillic"
    return f"{names} in a {script} word"


def _formula(word: str, latin: list[str], greek: list[str]) -> bool:
    """Units (kΩ, μmol), symbols (ΔT, sinθ), proteins (TNFα), phonetic transcriptions."""
    if len(greek) == 1 and (len(latin) <= 2 or "".join(latin) in _GLUED or compiled(_GREEK_END).fullmatch(word)):
        return True
    return _PHONETIC_GREEK.issuperset(greek) and compiled(_PHONETIC).search(word) is not None
