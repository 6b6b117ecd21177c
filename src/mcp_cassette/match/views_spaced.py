"""The ``spaced`` view: words spelled letter by letter (``i g n o r e``, ``i.g.n.o.r.e``) joined, then folded."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mcp_cassette.match.views_fold import then_folded
from mcp_cassette.match.views_map import Builder, Seen, over

_SHORTEST: Final = 4
_MOST_PASSES: Final = 8

_LETTER: Final = r"[^\W\d_]"
_SEPARATOR: Final = r"[\s.\-_*|/,~+·•\u2010-\u2015]"


@cache
def _trigger() -> re.Pattern[str]:
    # It begins with the separator, which is rare, so that the search need not stop at every letter.
    return re.compile(rf"({_SEPARATOR})(?<={_LETTER}.){_LETTER}\1{_LETTER}\1{_LETTER}(?![^\W_])", re.DOTALL)


@cache
def _group() -> re.Pattern[str]:
    """Single letters with one and the same separator between them; a lone one, too."""
    one = rf"{_LETTER}(?![^\W_])"
    return re.compile(rf"(?<![^\W_]){one}(?:(?P<by>{_SEPARATOR}){one}(?:(?P=by){one})*)?")


@cache
def _gap() -> re.Pattern[str]:
    """What stands between two spelled words."""
    return re.compile(r"\s{1,80}(?:[/|]\s{1,80})?|([._\-*])\1{1,3}")


def spaced(text: str) -> Seen | None:
    """The view, or None where no word is spelled apart."""
    seen: Seen | None = None
    for _ in range(_MOST_PASSES):
        current = text if seen is None else seen.text
        joined = _joined(current) if _trigger().search(current) else None
        if joined is None:
            break
        # Folding narrows the gaps, which may bring single letters together: look again.
        seen = over(then_folded(joined), seen)
    return seen


def _joined(text: str) -> Seen | None:
    build = Builder()
    at = 0
    chain: list[re.Match[str]] = []
    found = False
    for group in _group().finditer(text):
        if chain and not _linked(text, chain[-1], group):
            at, found = _write(text, at, chain, build, found)
            chain = []
        chain.append(group)
    at, found = _write(text, at, chain, build, found)
    if not found:
        return None
    build.keep(text[at:], at)
    return build.seen()


def _linked(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    """Whether two groups are words of one spelled phrase: spelled alike, with a wider gap between them."""
    by = {left["by"], right["by"]} - {None}
    between = text[left.end() : right.start()]
    return len(by) == 1 and between not in by and _gap().fullmatch(between) is not None


def _write(text: str, at: int, chain: list[re.Match[str]], build: Builder, found: bool) -> tuple[int, bool]:
    """Append the chain joined if one of its groups is long enough; returns where the text goes on."""
    if not any(len(group[0]) >= 2 * _SHORTEST - 1 for group in chain):
        return at, found
    build.keep(text[at : chain[0].start()], at)
    at = chain[0].start()
    for group in chain:
        if group.start() > at:
            build.put(" ", at, group.start())
        for i in range(group.start(), group.end(), 2):
            build.put(text[i], i, i + 1)
        at = group.end()
    return at, True
