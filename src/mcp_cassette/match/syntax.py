"""An expression of the portable subset as a tree: what the prefilter needs to know of it, and no more."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from mcp_cassette.match.superset import TOKEN, character, members

MANY = 1 << 20


@dataclass(frozen=True, slots=True)
class Chars:
    """One of some characters (small letters); ``chars`` None: too many to list."""

    chars: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Edge:
    """A place: ``\\b``, ``^`` or ``$``."""

    sign: str


@dataclass(frozen=True, slots=True)
class Look:
    """A look ahead or behind, of which nothing is kept."""


@dataclass(frozen=True, slots=True)
class Seq:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    part: Node
    least: int
    most: int


Node: TypeAlias = "Chars | Edge | Look | Seq | Alt | Repeat"


@cache
def tree(expression: str) -> Node:
    """The tree of an expression that the portable subset allows."""
    tokens = [(m.lastgroup or "", m[0]) for m in TOKEN.finditer(expression)]
    return _alternatives(tokens, 0)[0]


def _alternatives(tokens: list[tuple[str, str]], at: int) -> tuple[Node, int]:
    branches: list[Node] = []
    while True:
        branch, at = _sequence(tokens, at)
        branches.append(branch)
        if at >= len(tokens) or tokens[at][0] == "close":
            return (branches[0] if len(branches) == 1 else Alt(tuple(branches))), at
        at += 1  # the bar


def _sequence(tokens: list[tuple[str, str]], at: int) -> tuple[Node, int]:
    parts: list[Node] = []
    while at < len(tokens) and tokens[at][0] not in ("alt", "close"):
        kind, text = tokens[at]
        at += 1
        node: Node
        if kind in ("open", "look"):
            node, at = _alternatives(tokens, at)
            at += 1  # the closing parenthesis
            node = Look() if kind == "look" else node
        else:
            node = _one(kind, text)
        if at < len(tokens) and tokens[at][0] == "repeat":
            node = Repeat(node, *_bounds(tokens[at][1]))
            at += 1
        parts.append(node)
    return Seq(tuple(parts)), at


def _bounds(text: str) -> tuple[int, int]:
    if text[0] in "*+?":
        return int(text[0] == "+"), 1 if text[0] == "?" else MANY
    least, comma, most = text.rstrip("?").strip("{}").partition(",")
    return int(least), int(most) if most else MANY if comma else int(least)


@cache
def _one(kind: str, text: str) -> Node:
    if kind == "class":
        chars = members(text)
        return Chars(None if chars is None else frozenset(chars))
    if kind == "escape":
        if text in (r"\b", r"\B"):
            return Edge(text)
        if text[1] == "s":
            return Chars(WHITE)
        if text[1] == "d":
            return Chars(DIGITS)
        if text[1] in "DwWSpP":
            return Chars(None)
    elif text in ("^", "$"):
        return Edge(text)
    elif text == ".":
        return Chars(None)
    return Chars(frozenset(character(text).lower()[:1]))


WHITE = frozenset(" \t\n\r\f\v\x1c\x1d\x1e\x1f")
DIGITS = frozenset("0123456789")


def is_foreign(node: Node) -> bool:
    """Whether nothing matches without a letter beyond ASCII."""
    if isinstance(node, Chars):
        return node.chars is not None and all(c.isalpha() and not c.isascii() for c in node.chars)
    if isinstance(node, Seq):
        return any(map(is_foreign, node.parts))
    if isinstance(node, Alt):
        return all(map(is_foreign, node.branches))
    return isinstance(node, Repeat) and bool(node.least) and is_foreign(node.part)
