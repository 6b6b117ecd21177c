"""The ``skeleton`` view: look-alike letters as the ASCII letters they pass for (UTS 39), then folded.

Only in a word that mixes them with Latin letters, or that is made of nothing else: Russian stays Russian.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import regex

from mcp_cassette.match.lookalikes import SIGNS, lookalikes
from mcp_cassette.match.views_fold import folded, plain
from mcp_cassette.match.views_gaps import without_invisible
from mcp_cassette.match.views_map import Seen, one_by_one, over, through
from mcp_cassette.predicates.ranges import LATIN

_MOST_PASSES: Final = 4
_SHORTEST: Final = 4
"""Letters of a word wholly of look-alikes that is taken for Latin: every language has short ones."""


@cache
def _lookalike() -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(chr, lookalikes()))}]")


@cache
def _latin() -> regex.Pattern[str]:
    return regex.compile(f"(?V1)[[{LATIN}]--[{''.join(map(chr, lookalikes()))}]]")


@cache
def _word() -> regex.Pattern[str]:
    return regex.compile(rf"[\p{{L}}\p{{M}}{SIGNS}]++")


@cache
def _no_language() -> regex.Pattern[str]:
    """A word in which no language is written: small capitals, phonetic letters, signs."""
    return regex.compile(rf"[{LATIN}{SIGNS}\p{{M}}]++")


@cache
def _marks() -> regex.Pattern[str]:
    return regex.compile(r"\p{M}+")


def skeleton(text: str) -> Seen | None:
    """The view, or None where no word holds look-alike letters in the place of Latin ones."""
    seen: Seen | None = None
    for _ in range(_MOST_PASSES):
        # Folding may part a mark from its letter and make it one (U+0345 becomes an iota): look again.
        current = text if seen is None else seen.text
        changed = _pass(current)
        if changed is None:
            break
        seen = over(changed, seen)
    return seen


def _pass(text: str) -> Seen | None:
    if text.isascii():
        return None
    seen = through(text, without_invisible, plain)
    letters = _latin_letters(text if seen is None else seen.text)
    if letters is None:
        return None
    return over(folded(letters.text), over(letters, seen))


def _latin_letters(text: str) -> Seen | None:
    if not _lookalike().search(text):
        return None
    pieces: list[str] = []
    known: dict[str, str] = {}
    at = 0
    for match in _word().finditer(text):
        word = match[0]
        if word.isascii():
            continue
        latin = known.get(word)
        if latin is None:
            latin = known[word] = _latin_word(word)
        if latin != word:
            pieces += (text[at : match.start()], latin)
            at = match.end()
    return one_by_one("".join((*pieces, text[at:]))) if pieces else None


def _latin_word(word: str) -> str:
    """The word in Latin letters if that is what it passes for, else the word."""
    if not _lookalike().search(word):
        return word
    changed = word.translate(lookalikes())
    return changed if _latin().search(word) or _wholly(word, changed) else word


def _wholly(word: str, changed: str) -> bool:
    letters = changed if changed.isascii() else _marks().sub("", changed)
    return letters.isascii() and (len(letters) >= _SHORTEST or _no_language().fullmatch(word) is not None)
