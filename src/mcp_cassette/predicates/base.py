"""What a predicate is, and how notes spell what cannot be seen."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from mcp_cassette.predicates.ranges import UNSEEN, chars


class Hit(NamedTuple):
    """A place in a text: 0-based string indices, the end exclusive. ``note`` says in words what cannot be seen there;
    it is printable as it stands."""

    start: int
    end: int
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter a pack may set: its type, its default, and the bounds of a number (both included)."""

    kind: Literal["int", "bool", "string"]
    default: int | bool | str
    doc: str
    minimum: int | None = None
    maximum: int | None = None


Find: TypeAlias = Callable[[str, Mapping[str, Any], AbstractSet[str]], Iterator[Hit]]
"""``find(text, params, others)``: hits in order, not overlapping, made one by one, in time linear in the text.
``params`` may leave out any parameter (its default holds); ``others`` are the names of the listing's other tools."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """One entry of the table. ``non_ascii``: it finds nothing in an ASCII text, and says so at once."""

    name: str
    doc: str
    find: Find
    params: Mapping[str, Param] = field(default_factory=dict)
    non_ascii: bool = False


@lru_cache(1024)
def name_of(char: str) -> str:
    """``U+200B ZERO WIDTH SPACE``; a code point without a name is called unassigned, private use or control."""
    fallback = {"Co": "PRIVATE USE", "Cc": "CONTROL", "Cs": "LONE SURROGATE"}.get(
        unicodedata.category(char), "UNASSIGNED"
    )
    return f"U+{ord(char):04X} {unicodedata.name(char, fallback)}"


def quoted(text: str, limit: int = 60) -> str:
    """``"text"`` on one line for a note: white space becomes a space, what cannot be seen ``<U+XXXX>``, and an
    ellipsis stands for what is beyond ``limit`` characters."""
    unseen = chars(UNSEEN)
    out: list[str] = []
    size = 0
    for char in text:
        if char.isspace():
            piece = " "
        elif not char.isprintable() or unseen.match(char):
            piece = f"<U+{ord(char):04X}>"
        else:
            piece = "'" if char == '"' else char
        size += len(piece)
        if size > limit:
            out.append("…")
            break
        out.append(piece)
    return f'"{"".join(out)}"'
