"""The words an expression cannot match without: groups of which each needs one of its words to be met.

``\\bignor(?:e|ing)\\s{1,9}(?:all|any)`` needs a word that begins with ``ignor`` and one that begins with ``all`` or
``any``. Words are written as ``quick_fold`` shows a text, so that a text is folded once and then only looked up.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.superset import TOKEN, character, members
from mcp_cassette.match.syntax import MANY, WHITE, Alt, Chars, Edge, Look, Node, Seq, tree
from mcp_cassette.packs.bundle import stored_needs, stored_words

_FEWEST = 3
"""Letters of a word that says something; ideographs count three times."""
_MOST_WORDS = 60
_MOST_GROUPS = 6
_MOST_CHOICES = 16

Group: TypeAlias = frozenset[str]
"""Words of which one must be met. One that begins with a blank must begin a word of the text."""
Choice: TypeAlias = tuple[Group, ...]
"""Groups that must all be met."""


@dataclass(slots=True)
class _Part:
    """What a stretch of an expression needs. ``fresh``: what follows begins a word; ``empty``: it may match nothing."""

    groups: list[Group]
    fresh: bool
    empty: bool = False


@cache
def needs(expression: str) -> tuple[tuple[Group | int, ...], ...]:
    """The choices of an expression: as they were worked out before, with the numbers of stored groups, or as now."""
    stored = stored_needs(expression)
    return worked_out(expression) if stored is None else tuple(map(tuple, stored[1]))


def stored_group(number: int) -> Group:
    """The group of a number in what was worked out before."""
    return frozenset(stored_words(number))


def worked_out(expression: str) -> tuple[Choice, ...]:
    """What an expression of the portable subset needs: all groups of one of the choices. None where nothing can be
    said."""
    tokens = [(m.lastgroup or "", m[0]) for m in TOKEN.finditer(expression)]
    for fewest, most in ((_FEWEST, _MOST_WORDS), (1, 10 * _MOST_WORDS)):
        choices = [
            tuple(
                sorted(set(_alternatives(one, 0, fresh=False, limits=(fewest, most))[0].groups), key=_rank)[
                    :_MOST_GROUPS
                ]
            )
            for one in _expanded(tokens)
        ]
        if all(choices):
            return tuple(dict.fromkeys(choices))
    return ()


def _expanded(tokens: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """The expression once for each branch of its widest alternation that is not inside another and must be met."""
    depth, start, widest = 0, 0, (1, 0, 0)
    opened, bars = 0, 0
    for i, (kind, _) in enumerate(tokens):
        if kind in ("open", "look"):
            if not depth:
                opened, bars, start = i + 1, 1, i
            depth += 1
        elif kind == "alt" and depth == 1:
            bars += 1
        elif kind == "alt" and not depth:
            return [branch for one in _branches(tokens) for branch in _expanded(one)][:_MOST_CHOICES] or [tokens]
        elif kind == "close":
            depth -= 1
            repeated = i + 1 < len(tokens) and tokens[i + 1][0] == "repeat"
            if not depth and bars > widest[0] and not repeated and tokens[start][0] == "open":
                widest = (bars, opened, i)
    bars, first, last = widest
    if bars < 2 or bars > _MOST_CHOICES:
        return [tokens]
    return [[*tokens[:first], *branch, *tokens[last:]] for branch in _branches(tokens[first:last])]


def _branches(tokens: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    out: list[list[tuple[str, str]]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token[0] in ("open", "look")) - (token[0] == "close")
        if token[0] == "alt" and not depth:
            out.append([])
        else:
            out[-1].append(token)
    return out


def _rank(group: Group) -> tuple[int, int, list[str]]:
    """Few and long words first."""
    return (-min(map(_weight, group)), len(group), sorted(group))


def _weight(word: str) -> int:
    """How much a word says: its letters; an ideograph or a syllable is a word by itself."""
    return sum(3 if c >= "\u2e80" else 1 for c in word.strip()) - (0 if word.startswith(" ") else 1)


@cache
def longest(expression: str) -> int:
    """The most characters an expression matches, a run of blanks counted as one; very many where it has no bound."""
    stored = stored_needs(expression)
    return counted(expression) if stored is None else stored[0]


def counted(expression: str) -> int:
    """The same, of the expression itself."""
    return min(_longest(tree(expression)), MANY)


def _longest(node: Node) -> int:
    if isinstance(node, Chars):
        return 1
    if isinstance(node, (Edge, Look)):
        return 0
    if isinstance(node, Seq):
        return sum(map(_longest, node.parts))
    if isinstance(node, Alt):
        return max(map(_longest, node.branches))
    if isinstance(node.part, Chars) and node.part.chars is not None and node.part.chars <= WHITE:
        return 1
    return min(node.most * _longest(node.part), MANY)


def _alternatives(tokens: list[tuple[str, str]], at: int, *, fresh: bool, limits: tuple[int, int]) -> tuple[_Part, int]:
    """Sequences parted by bars, to the closing parenthesis or the end."""
    branches: list[_Part] = []
    while True:
        branch, at = _sequence(tokens, at, fresh=fresh, limits=limits)
        branches.append(branch)
        if at >= len(tokens) or tokens[at][0] == "close":
            break
        at += 1  # the bar
    groups: list[Group] = []
    if len(branches) == 1:
        groups = branches[0].groups
    elif all(branch.groups for branch in branches):
        words = frozenset().union(*(min(branch.groups, key=_rank) for branch in branches))
        if len(words) <= limits[1]:
            groups = [words]
    part = _Part(groups, all(b.fresh for b in branches), any(b.empty for b in branches))
    return part, at


def _sequence(tokens: list[tuple[str, str]], at: int, *, fresh: bool, limits: tuple[int, int]) -> tuple[_Part, int]:
    out = _Part([], fresh, empty=True)
    run, run_fresh = "", fresh
    while at < len(tokens) and tokens[at][0] not in ("alt", "close"):
        kind, text = tokens[at]
        at += 1
        if kind == "look":
            at = _after_group(tokens, at)
            out.groups += _words(run, run_fresh, limits[0])
            run, out.fresh = "", False
            continue
        letter = character(text).lower() if kind in ("char", "escape") and _is_one(kind, text) else ""
        repeat = tokens[at][1] if at < len(tokens) and tokens[at][0] == "repeat" else ""
        at += bool(repeat)
        least = _least(repeat)
        if letter and _is_letter(letter) and not repeat:
            if not run:
                run_fresh = out.fresh
            run += letter
            out.fresh = out.empty = False
            continue
        out.groups += _words(run, run_fresh, limits[0])
        run = ""
        if kind == "open":
            inner, at_close = _alternatives(tokens, at, fresh=out.fresh, limits=limits)
            # The repeat stands behind the group.
            at = at_close + 1
            repeat = tokens[at][1] if at < len(tokens) and tokens[at][0] == "repeat" else ""
            at += bool(repeat)
            least = _least(repeat)
            if least:
                out.groups += inner.groups
                out.fresh = inner.fresh
                out.empty = out.empty and inner.empty
            else:
                out.fresh = out.fresh and inner.fresh
            continue
        if kind == "escape" and text in (r"\b", r"\B"):
            out.fresh = text == r"\b"
        elif kind == "char" and text in "^$":
            out.fresh = text == "^"
        else:
            parts = not _may_be_letter(kind, text)
            out.fresh = parts if least else out.fresh and parts
            out.empty = out.empty and not least
    out.groups += _words(run, run_fresh, limits[0])
    return out, at


def _words(run: str, fresh: bool, fewest: int) -> list[Group]:
    """A run of letters as a group of its own, if it says enough."""
    word = quick_fold(run, "folded") if run else ""
    if not word or not all(map(_is_letter, word)):
        return []
    word = " " + word if fresh else word
    return [frozenset((word,))] if _weight(word) >= fewest - (not fresh) else []


def _after_group(tokens: list[tuple[str, str]], at: int) -> int:
    """The place behind the parenthesis that closes the group entered before ``at``."""
    depth = 1
    while depth:
        kind = tokens[at][0]
        depth += (kind in ("open", "look")) - (kind == "close")
        at += 1
    return at


def _least(repeat: str) -> int:
    if not repeat:
        return 1
    if repeat[0] in "*?":
        return 0
    return 1 if repeat[0] == "+" else int(repeat.strip("{}?").split(",")[0])


def _is_one(kind: str, text: str) -> bool:
    """Whether a token stands for one certain character."""
    if kind == "char":
        return text not in ".^$"
    return text[1] not in "dDwWsSpPbB"


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] == "L"


def _may_be_letter(kind: str, text: str) -> bool:
    """Whether a token may match something that stands in a word (a digit ends one, as ``_`` does)."""
    if kind == "class":
        chars = members(text)
        return chars is None or any(_is_letter(c) or unicodedata.category(c)[0] == "M" for c in chars)
    if kind == "escape" and not _is_one(kind, text):
        return text[1] not in "ds"
    return text == "." or _is_letter(character(text)) or unicodedata.category(character(text))[0] == "M"
