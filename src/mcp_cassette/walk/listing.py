"""A listing: the items one list request brought, and the names beside each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, cast

from mcp_cassette.model import JsonId, Path, Text


@dataclass(frozen=True, slots=True)
class ListedItem:
    """A tool, prompt, resource or template as it was listed. ``kind`` is tools, prompts, resources or templates.

    ``value`` is of any type; ``name`` is its ``name`` if that is a string; ``index`` counts through all pages from 0;
    ``path`` is relative to the JSON value of its line, whose bytes are ``raw``.
    """

    kind: str
    name: str | None
    value: Any
    path: Path
    line: int
    subject: str
    method: str
    request_id: JsonId
    index: int
    embedded: bool
    raw: bytes


@dataclass(frozen=True, slots=True)
class Listing:
    """The pages of one list request, in order. ``kind`` is tools, prompts, resources or templates.

    ``complete`` is False if the last page on record is not the last one, or if the listing was too large to hold and
    this is a part of it.
    """

    kind: str
    method: str
    conn: JsonId
    items: tuple[ListedItem, ...]
    texts: tuple[Text, ...]
    complete: bool


KNOWN_MAX = 64
"""Sets of names that are kept to be shared."""


class Names:
    """The tool names of one listing; filled while it is read, not changed after that."""

    __slots__ = ("names",)

    def __init__(self) -> None:
        self.names: set[str] | frozenset[str] = set()

    def add(self, name: str) -> None:
        cast("set[str]", self.names).add(name)

    def freeze(self, known: dict[frozenset[str], frozenset[str]]) -> None:
        """No name comes any more. Equal sets of names in ``known`` are shared, so that comparing them costs nothing:
        a listing that is repeated all through a recording is compared for every text of it."""
        names = frozenset(self.names)
        if len(known) >= KNOWN_MAX:
            known.clear()
        self.names = known.setdefault(names, names)


class OtherNames(AbstractSet[str]):
    """The names of a listing without one's own: a view, because a set for each tool would be quadratic."""

    __slots__ = ("_all", "_own")

    def __init__(self, every: Names, own: str | None) -> None:
        self._all, self._own = every, own

    def __contains__(self, name: object) -> bool:
        return name != self._own and name in self._all.names

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._all.names if name != self._own)

    def __len__(self) -> int:
        return len(self._all.names) - (self._own in self._all.names)

    def __hash__(self) -> int:
        return hash((self._own, frozenset(self._all.names)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OtherNames) and self._own == other._own and self._all.names is other._all.names:
            return True
        return AbstractSet.__eq__(self, other)

    @classmethod
    def _from_iterable(cls, it: Iterable[str]) -> frozenset[str]:  # type: ignore[override]
        return frozenset(it)
