"""The ``folded`` view: compatibility forms plain (NFKC), letters small, nothing invisible, white space single."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, TypeAlias

import regex

from mcp_cassette.match.views_gaps import holds_invisible, without_invisible
from mcp_cassette.match.views_map import Builder, Seen, one_by_one, over, through

_Change: TypeAlias = Callable[[str], str]

_SPACES: Final = re.compile(r"\s{2,}|[^\S ]")
_RUNS: Final = re.compile(r"\s+")
_BLOCK: Final = 128
_MOST_MARKS: Final = 31
"""Marks after one letter that are put in order. Normalisation sorts them by insertion: a longer row stays as it is."""


@cache
def _joins() -> regex.Pattern[str]:
    """A character that may melt into the one before it: marks, Hangul vowels and finals, half-width voicing."""
    return regex.compile(r"[\p{M}\u1161-\u1175\u11a8-\u11c2\u3131-\u318e\uff9e\uff9f\uffa1-\uffdc]")


@cache
def _cluster() -> regex.Pattern[str]:
    joins = _joins().pattern
    return regex.compile(rf"(?s:.){joins}*+")


@cache
def _long_rows() -> regex.Pattern[str]:
    joins = _joins().pattern
    return regex.compile(rf"(?s:.){joins}{{{_MOST_MARKS + 1},}}+")


def folded(text: str) -> Seen | None:
    """The view, or None where it equals the text."""
    if text.isascii():
        small = text.lower()
        if "  " not in text and text.isprintable():
            return None if small == text else one_by_one(small)
    return through(text, without_invisible, small_and_plain, single_spaces)


def then_folded(seen: Seen) -> Seen:
    """A view with folding on top of what it shows."""
    return over(folded(seen.text), seen) or seen


def glimpse(text: str) -> str | None:
    """The text of the view without the way back, at a fraction of its cost; None where it takes the view to know it
    (something in it is invisible, or a letter has too many marks)."""
    if holds_invisible(text) or (not text.isascii() and _long_rows().search(text)):
        return None
    return _RUNS.sub(" ", _small_and_plain(text))


def single_spaces(text: str) -> Seen | None:
    """Every run of white space, line breaks too, as one space."""
    if not _SPACES.search(text):
        return None
    build = Builder()
    at = 0
    for match in _SPACES.finditer(text):
        start, end = match.span()
        build.keep(text[at:start], at)
        build.put(" ", start, end)
        at = end
    build.keep(text[at:], at)
    return build.seen()


def small_and_plain(text: str) -> Seen | None:
    """NFKC and case folding, letter by letter with its marks."""
    return _normalised(text, _small_and_plain)


def plain(text: str) -> Seen | None:
    """NFKC alone: capitals stay, for a step that must tell them apart."""
    return _normalised(text, _plain)


def _small_and_plain(text: str) -> str:
    for _ in range(4):  # a folded letter may have a compatibility form of its own, and the other way round
        if _settled(text):
            break
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return text


def _settled(text: str) -> bool:
    return unicodedata.is_normalized("NFKC", text) and text.casefold() == text


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _normalised(text: str, change: _Change) -> Seen | None:
    if text.isascii():
        after = change(text)
        return None if after == text else one_by_one(after)
    pieces = list(_pieces(text))
    if all(change(text[a:b]) == text[a:b] for a, b, short in pieces if short):
        return None
    build = Builder()
    for start, end, short in pieces:
        if short:
            _normalise_piece(text, start, end, change, build)
        else:
            build.keep(text[start:end], start)
    return build.seen()


def _pieces(text: str) -> Iterator[tuple[int, int, bool]]:
    """The text in pieces that begin with a letter, each with whether it may be normalised."""
    at = 0
    for match in _long_rows().finditer(text):
        if match.start() > at:
            yield at, match.start(), True
        yield match.start(), match.end(), False
        at = match.end()
    if at < len(text):
        yield at, len(text), True


class _Known(dict[str, str]):
    """Clusters already changed: a text has few different ones."""

    def __init__(self, change: _Change) -> None:
        super().__init__()
        self._change = change

    def __missing__(self, cluster: str) -> str:
        changed = self[cluster] = self._change(cluster)
        return changed


def _normalise_piece(text: str, at: int, end: int, change: _Change, build: Builder) -> None:
    """Block by block: most blocks do not change, or change each character into one other."""
    joins = _joins()
    known = _Known(change)
    while at < end:
        stop = min(at + _BLOCK, end)
        while stop < end and joins.match(text, stop):
            stop += 1
        block = text[at:stop]
        after = change(block)
        if after == block:
            build.keep(block, at)
        elif not joins.search(block):
            if len(after) == len(block):
                build.keep(after, at)
            else:
                _normalise_letters(block, at, known, build)
        else:
            _normalise_clusters(_cluster().findall(block), at, known, build)
        at = stop


def _normalise_letters(block: str, at: int, known: _Known, build: Builder) -> None:
    """A block without marks: only the letters that become more than one need a look."""
    changed = [known[letter] for letter in block]
    start = 0
    for i in [i for i, letters in enumerate(changed) if len(letters) != 1]:
        build.keep("".join(changed[start:i]), at + start)
        build.put(changed[i], at + i, at + i + 1)
        start = i + 1
    build.keep("".join(changed[start:]), at + start)


def _normalise_clusters(clusters: list[str], at: int, known: _Known, build: Builder) -> None:
    """One by one; those that keep their length are collected, so that the map grows by the stretch."""
    same: list[str] = []
    start = at
    for cluster in clusters:
        changed = known[cluster]
        size = len(cluster)
        if changed == cluster or (size == 1 and len(changed) == 1):
            same.append(changed)
        else:
            build.keep("".join(same), start)
            same.clear()
            build.put(changed, at, at + size)
            start = at + size
        at += size
    build.keep("".join(same), start)
