"""The ``skeleton`` view: look-alike letters as the ASCII letters they pass for (UTS 39), then folded.

Only in a stretch of letters that mixes them with Latin ones, or in a word made of nothing else: Russian stays Russian.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import regex

from mcp_cassette.match.lookalikes import SIGNS, between, lookalikes, whole
from mcp_cassette.match.views_fold import folded, plain
from mcp_cassette.match.views_gaps import without_invisible
from mcp_cassette.match.views_map import Builder, Seen, over, through
from mcp_cassette.predicates.ranges import LATIN, chars

_MOST_PASSES: Final = 6
_SHORTEST: Final = 4
"""Letters of a word wholly of look-alikes that is taken for Latin: every language has short ones."""


def _members(table: dict[int, str]) -> str:
    """The inside of a class, as ranges: it compiles many times faster."""
    out: list[list[int]] = []
    for code in sorted(table):
        if out and out[-1][1] == code - 1:
            out[-1][1] = code
        else:
            out.append([code, code])
    return "".join(chr(low) if low == high else f"{chr(low)}-{chr(high)}" for low, high in out)


@cache
def _lookalike() -> re.Pattern[str]:
    return re.compile(f"[{_members(lookalikes())}{_members(between())}]")


@cache
def _stretch() -> regex.Pattern[str]:
    """Letters that are Latin or pass for it, with their marks. Other letters (я, λ, 字) end a stretch."""
    return regex.compile(rf"[{LATIN}\p{{M}}{_members(lookalikes())}]++")


@cache
def _letter() -> regex.Pattern[str]:
    return regex.compile(r"\p{L}")


@cache
def _marks() -> regex.Pattern[str]:
    return regex.compile(r"\p{M}+")


@cache
def _between() -> re.Pattern[str]:
    return re.compile(f"(?<=[A-Za-z])[{_members(between())}]{{1,2}}(?=[A-Za-z])")


@cache
def _of_other_scripts() -> dict[int, str]:
    latin = chars(LATIN)
    return {code: letters for code, letters in lookalikes().items() if not latin.match(chr(code))}


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
    letters = through(text if seen is None else seen.text, _beside_latin, _between_latin)
    if letters is None:
        return None
    return over(folded(letters.text), over(letters, seen))


def _beside_latin(text: str) -> Seen | None:
    if not _lookalike().search(text):
        return None
    build = Builder()
    known: dict[tuple[str, bool], dict[int, str] | None] = {}
    at = 0
    for match in _stretch().finditer(text):
        word, (start, end) = match[0], match.span()
        if word.isascii():
            continue
        # A word, not a part of one. There is no letter beside it that is Latin: the stretch would hold it.
        alone = not (start and _letter().match(text, start - 1)) and not _letter().match(text, end)
        if (word, alone) not in known:
            known[word, alone] = _reading(word, alone)
        table = known[word, alone]
        if table is not None:
            build.keep(text[at:start], at)
            _put(build, word, start, table)
            at = end
    if not at:
        return None
    build.keep(text[at:], at)
    return build.seen()


def _between_latin(text: str) -> Seen | None:
    build = Builder()
    at = 0
    for match in _between().finditer(text):
        build.keep(text[at : match.start()], at)
        _put(build, match[0], match.start(), between())
        at = match.end()
    if not at:
        return None
    build.keep(text[at:], at)
    return build.seen()


def _put(build: Builder, word: str, start: int, table: dict[int, str]) -> None:
    changed = word.translate(table)
    if len(changed) == len(word):
        build.keep(changed, start)
        return
    for i, char in enumerate(word, start):
        build.put(table.get(ord(char), char), i, i + 1)


def _reading(word: str, alone: bool) -> dict[int, str] | None:
    """The letters that are to be read as others in a stretch; None where it is what it is."""
    if not _lookalike().search(word):
        return None
    table = lookalikes()
    if not chars(LATIN + SIGNS).search(word):
        return table if alone and _wholly(word) else None
    if not _marks().sub("", word.translate(table)).isascii():
        # ɪ and ı are letters of a language or of a transcription where other such letters stand: ışığı, /ˈsɪstəm/.
        table = _of_other_scripts()
    return table if word.translate(table) != word else None


def _wholly(word: str) -> bool:
    letters = _marks().sub("", word)
    return len(letters) >= _SHORTEST and all(ord(letter) in whole() for letter in letters)
