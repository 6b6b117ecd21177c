"""``bidi-unbalanced``: controls that make a line read otherwise than it is written (UAX 9, Trojan Source)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, Final

from mcp_cassette.predicates.base import Hit, name_of
from mcp_cassette.predicates.ranges import BIDI, chars

_EMBEDDINGS: Final = "\u202a\u202b"
_OVERRIDES: Final = "\u202d\u202e"
_ISOLATES: Final = "\u2066\u2067\u2068"
_PDF: Final = "\u202c"


@cache
def _tokens() -> re.Pattern[str]:
    # Bidi class B ends a paragraph, and with it whatever is open.
    return re.compile(f"[{BIDI}\n\r\x1c-\x1e\x85\u2029]")


def find(text: str, params: Mapping[str, Any], others: AbstractSet[str] = frozenset()) -> Iterator[Hit]:
    """Overrides, embeddings and isolates not closed on their line, and closing characters that close nothing."""
    if text.isascii() or not chars(BIDI).search(text):
        return
    line = _Line(text)
    for match in _tokens().finditer(text):
        if chars(BIDI).match(match[0]):
            line.take(match[0], match.start())
        elif line.open or line.odd:
            yield from line.close()
    yield from line.close()


class _Line:
    """What is open on a line, and what was odd in it so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[int] = []
        self.isolates = 0
        self.odd: list[tuple[int, str]] = []

    def take(self, char: str, at: int) -> None:
        text = self.text
        if char in _EMBEDDINGS or char in _OVERRIDES or char in _ISOLATES:
            self.open.append(at)
            self.isolates += char in _ISOLATES
            if char in _OVERRIDES:
                self.odd.append((at, ""))
        elif char == _PDF:
            # An isolate shields what stands before it: this character reaches only the innermost open one.
            if self.open and text[self.open[-1]] not in _ISOLATES:
                self.open.pop()
            else:
                self.odd.append((at, " closes nothing"))
        elif self.isolates:
            while text[self.open[-1]] not in _ISOLATES:
                self._unclosed(self.open.pop())
            self.open.pop()
            self.isolates -= 1
        else:
            self.odd.append((at, " closes nothing"))

    def _unclosed(self, at: int) -> None:
        if self.text[at] not in _OVERRIDES:  # those are reported in any case
            self.odd.append((at, " is not closed on its line"))

    def close(self) -> Iterator[Hit]:
        """The hits of the line in order; the next line starts afresh."""
        for at in self.open:
            self._unclosed(at)
        for at, what in sorted(self.odd):
            yield Hit(at, at + 1, name_of(self.text[at]) + what)
        self.open.clear()
        self.odd.clear()
        self.isolates = 0
