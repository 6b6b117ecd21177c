"""Which patterns a text may match, by its words: each is looked up once, whatever the number of patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from mcp_cassette.match.needs import Group, needs
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.scan import mask_placeholders
from mcp_cassette.match.sieve import in_disguise
from mcp_cassette.match.views import VIEWS
from mcp_cassette.packs.model import Pattern
from mcp_cassette.predicates.ranges import UNSEEN

Needs = Callable[[str], tuple[Group, ...]]
"""What an expression needs: ``needs``, or what was worked out before."""

_HEAD = 3
"""Letters by which words are looked up."""


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+")


def shown(text: str) -> str:
    """Everything that any view shows of a text, folded: no view holds a letter that is not in it, in the same word."""
    text = mask_placeholders(text)
    pieces = [_folded(text)]
    data = text.encode("utf-8", "surrogatepass")
    ascii_ = len(data) == len(text)
    if in_disguise("folded", ascii_=ascii_).search(data):
        # What is invisible may part words or hide that it is one.
        pieces.append(_folded(_unseen().sub(" ", text)))
    pieces += [_shown(view, text) for view in VIEWS if view not in ("raw", "folded")]
    return "\n".join(piece for piece in pieces if piece)


def _shown(view: str, text: str) -> str:
    seen = VIEWS[view](text)
    return "" if seen is None else _folded(seen.text)


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else quick_fold(text, "folded")


@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(rf"[{UNSEEN}\x00-\x08\x0e-\x1f\x7f-\x9f\ufdd0]+")


class Lookup:
    """An index of patterns (kinds regex, words and near) by the words they need."""

    def __init__(self, patterns: Iterable[Pattern], needs: Needs = needs) -> None:
        self._needs = needs
        self._any: set[int] = set()
        """Patterns of which nothing can be said: always worth a try."""
        self._wanted: dict[int, int] = {}
        self._by_head: dict[str, list[tuple[str, int]]] = {}
        self._inside: dict[str, list[int]] = {}
        self._users: list[list[int]] = []
        numbers: dict[Group, int] = {}
        for pattern in patterns:
            groups = set(self._groups(pattern))
            if not groups:
                self._any.add(id(pattern))
                continue
            self._wanted[id(pattern)] = len(groups)
            for group in groups:
                number = numbers.get(group)
                if number is None:
                    number = numbers[group] = len(self._users)
                    self._users.append([])
                    self._file(group, number)
                self._users[number].append(id(pattern))

    def _groups(self, pattern: Pattern) -> Iterator[Group]:
        if pattern.kind == "near":
            assert pattern.first is not None and pattern.then is not None
            yield from self._groups(pattern.first)
            yield from self._groups(pattern.then)
        elif pattern.kind in ("regex", "words") and pattern.portable:
            yield from self._needs(pattern.expression)

    def _file(self, group: Group, number: int) -> None:
        for word in group:
            if word[0] == " " and len(word) > _HEAD:
                self._by_head.setdefault(word[1 : _HEAD + 1], []).append((word[1:], number))
            elif word[0] == " ":
                self._by_head.setdefault(word[1:], []).append((word[1:], number))
            else:
                self._inside.setdefault(word, []).append(number)

    def alive(self, hay: str) -> set[int]:
        """The ids of the patterns that a text may match; ``hay`` is what ``shown`` makes of it."""
        met: set[int] = set()
        heads = self._by_head
        for word in set(_word().findall(hay)):
            for size in (1, 2, 3):
                for start, number in heads.get(word[:size], ()) if size <= len(word) else ():
                    if word.startswith(start):
                        met.add(number)
        ascii_ = hay.isascii()
        for inside, numbers in self._inside.items():
            if (not ascii_ or inside.isascii()) and inside in hay:
                met.update(numbers)
        counts: dict[int, int] = {}
        for number in met:
            for user in self._users[number]:
                counts[user] = counts.get(user, 0) + 1
        wanted = self._wanted
        return {user for user, count in counts.items() if count == wanted[user]} | self._any
