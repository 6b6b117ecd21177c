"""Words → the groups that want them: which of many wanted words a word of a text is, or holds, found at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import orjson
import regex

from mcp_cassette.match.index import HEAD
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.views_leet import leet

_REMEMBERED = 40_000
_LONGEST_REMEMBERED = 60
_NONE = frozenset[int]()


@cache
def _runs() -> Callable[[str], list[str]]:
    return regex.compile(r"\p{L}+").findall


@cache
def _letters() -> Callable[[str], list[str]]:
    return regex.compile(r"[\p{L}\p{M}]+").findall


@cache
def _signs() -> Callable[[str], Any]:
    return regex.compile(r"[^\p{L}\p{M}\x00-\x7f]").search


class Lookup(dict[bytes, frozenset[int]]):
    """A word of a text (in UTF-8, ASCII letters small) → the numbers of the groups it meets; each is read once."""

    def __init__(self, layout: dict[str, Any]) -> None:
        super().__init__()
        self._whole = layout["whole"].get
        self._heads, self._tails, self._inside = (layout[name].get for name in ("heads", "tails", "inside"))
        self._unread: str = layout["foreign"]
        self._layout = layout

    def __missing__(self, word: bytes) -> frozenset[int]:
        met: set[int] = set()
        if word.isascii():
            text = word.decode("ascii")
            if not text.isalpha():
                seen = leet(text)
                if seen is not None:
                    self._collect(seen.text, met)
        else:
            self._read_all()
            raw = word.decode("utf-8", "replace")
            text = quick_fold(raw, "folded")
            for letters in _letters()(raw) if _signs()(raw) else ():
                # A sign that folds to letters parts words where it stands as it is.
                self._collect(quick_fold(letters, "folded"), met)
        self._collect(text, met)
        found = frozenset(met) if met else _NONE
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = found
        return found

    def _read_all(self) -> None:
        if self._unread:
            self._inside = {**self._layout["inside"], **orjson.loads(self._unread)}.get
            self._unread = ""

    def _collect(self, text: str, met: set[int]) -> None:
        nothing: tuple[Any, ...] = ()
        heads, tails, inside = self._heads, self._tails, self._inside
        for run in _runs()(text):
            met.update(self._whole(run, nothing))
            for size in range(1, min(HEAD, len(run)) + 1):
                for part, numbers in heads(run[:size], nothing):
                    if run.startswith(part):
                        met.update(numbers)
                for part, numbers in tails(run[-size:], nothing):
                    if run.endswith(part):
                        met.update(numbers)
                for i in range(len(run) - size + 1):
                    for part, numbers in inside(run[i : i + size], nothing):
                        if run.startswith(part, i):
                            met.update(numbers)
