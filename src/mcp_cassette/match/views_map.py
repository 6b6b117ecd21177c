"""A view of a text, and the way back: which raw characters each of its characters came from."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Seen:
    """The text of a view. Its character ``i`` came from ``raw[starts[i]:ends[i]]``; both sequences never fall."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The smallest raw span that covers ``text[start:end]``; an empty span maps to an empty one."""
        if start >= end:
            if start < len(self.starts):
                return self.starts[start], self.starts[start]
            end_of_raw = self.ends[-1] if self.ends else 0
            return end_of_raw, end_of_raw
        return self.starts[start], self.ends[end - 1]


Stage: TypeAlias = Callable[[str], "Seen | None"]
"""One step of a view: None when it changes nothing."""


class Builder:
    """Collects a view piece by piece, in the order of the raw text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._starts = array("I")
        self._ends = array("I")

    def keep(self, piece: str, start: int) -> None:
        """A piece whose characters stand one by one for the raw characters from ``start`` on."""
        if piece:
            self._pieces.append(piece)
            self._starts.extend(range(start, start + len(piece)))
            self._ends.extend(range(start + 1, start + 1 + len(piece)))

    def put(self, piece: str, start: int, end: int) -> None:
        """A piece each of whose characters stands for all of ``raw[start:end]``."""
        if len(piece) == 1:
            self._starts.append(start)
            self._ends.append(end)
        else:
            self._starts.extend([start] * len(piece))
            self._ends.extend([end] * len(piece))
        self._pieces.append(piece)

    def seen(self) -> Seen:
        return Seen("".join(self._pieces), self._starts, self._ends)


def one_by_one(text: str) -> Seen:
    """A view that changes characters and moves none."""
    return Seen(text, range(len(text)), range(1, len(text) + 1))


def over(outer: Seen | None, inner: Seen | None) -> Seen | None:
    """``outer``, a view of the text of ``inner``, as a view of what ``inner`` is a view of. None changes nothing."""
    if outer is None or inner is None:
        return outer or inner
    if isinstance(outer.starts, range):
        return Seen(outer.text, inner.starts, inner.ends)
    if isinstance(inner.starts, range):
        return outer
    starts = array("I", map(inner.starts.__getitem__, outer.starts))
    ends = array("I", [inner.ends[end - 1] for end in outer.ends])
    return Seen(outer.text, starts, ends)


def through(text: str, *stages: Stage) -> Seen | None:
    """The stages one after the other; None when none changes anything."""
    seen: Seen | None = None
    for stage in stages:
        seen = over(stage(text if seen is None else seen.text), seen)
    return seen
