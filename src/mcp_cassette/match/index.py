"""What patterns need, laid out to be asked: words → groups, a chain of groups under the one of them that is rarest.

The layout is plain data: that of the bundled packs is worked out by scripts/generate and read as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import orjson

from mcp_cassette.match.chains import Words
from mcp_cassette.match.needs import Needed, needs
from mcp_cassette.packs.model import Pattern

HEAD = 3
"""Letters by which words are looked up."""
FREE = -1
"""The owner of no chain: a pattern of which nothing can be said."""


def key_of(pattern: Pattern) -> str:
    """A short name for what a pattern matches."""
    return hashlib.blake2b(_spelled(pattern).encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()


def _spelled(pattern: Pattern) -> str:
    if pattern.kind == "near":
        assert pattern.first is not None and pattern.then is not None
        parts = "\0".join(_spelled(part) for part in (pattern.first, pattern.then))
        return f"near {pattern.within} {pattern.order}\0{parts}"
    return f"{pattern.group} {pattern.expression}" if pattern.portable else ""


def laid_out(patterns: Iterable[Pattern]) -> dict[str, Any]:
    """The layout for some patterns (of kind regex, words or near; others need no words):

    - ``owners``: key of a pattern → its number, or FREE;
    - ``chains``: [owner, group, gap, group, gap, group …], each gap in characters;
    - ``asked``: number of a group (as text) → numbers of the chains of which it is the rarest;
    - ``whole``: word → groups; ``heads``, ``tails``, ``inside``: letters → [[word, groups] …], for words of which
      only the beginning, the end or neither is known to be one; ``foreign``: the same as ``inside`` as JSON, for those
      that no ASCII text holds, to be read when a text is not ASCII.
    """
    owners: dict[str, int] = {}
    found: list[tuple[int, Needed]] = []
    for pattern in patterns:
        key = key_of(pattern)
        if key in owners:
            continue
        chains = dict.fromkeys(needs(pattern))
        owners[key] = len(owners) if chains else FREE
        found += [(owners[key], chain) for chain in chains]
    groups = sorted({words for _, chain in found for words, _ in chain}, key=sorted)
    number = {words: i for i, words in enumerate(groups)}
    asked: dict[str, list[int]] = {}
    chains_out: list[list[int]] = []
    for owner, chain in found:
        rarest = min((words for words, _ in chain), key=_commonness)
        asked.setdefault(str(number[rarest]), []).append(len(chains_out))
        chains_out.append([owner, *[n for words, gap in chain for n in (gap, number[words])][1:]])
    return {"owners": owners, "chains": chains_out, "asked": asked, **_lookup(groups)}


def _commonness(words: Words) -> tuple[int, int, list[str]]:
    return (-min(len(word) for word in words), len(words), sorted(words))


def _lookup(groups: list[Words]) -> dict[str, Any]:
    whole: dict[str, list[int]] = {}
    parts: dict[str, dict[str, dict[str, list[int]]]] = {"heads": {}, "tails": {}, "inside": {}}
    for number, words in enumerate(groups):
        for word in sorted(words):
            bare = word.strip()
            if word[0] == word[-1] == " ":
                whole.setdefault(bare, []).append(number)
            elif word[-1] == " ":
                parts["tails"].setdefault(bare[-HEAD:], {}).setdefault(bare, []).append(number)
            else:
                name = "heads" if word[0] == " " else "inside"
                parts[name].setdefault(bare[:HEAD], {}).setdefault(bare, []).append(number)
    listed = {name: {letters: list(map(list, by.items())) for letters, by in of.items()} for name, of in parts.items()}
    inside = listed.pop("inside")
    foreign = {letters: inside.pop(letters) for letters in list(inside) if not letters.isascii()}
    return {
        "whole": whole,
        **listed,
        "inside": inside,
        "foreign": orjson.dumps(foreign).decode().replace("],[", "], ["),
    }
