"""``names-other-tool``: a tool that talks about another tool of the same listing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from mcp_cassette.predicates.base import Hit, Param
from mcp_cassette.predicates.ranges import compiled

PARAMS: Final[Mapping[str, Param]] = {
    "min_length": Param("int", 5, "shorter names do not count: they are words of the language", minimum=1),
    "distinctive": Param(
        "bool", False, "only names that are no plain word: with _, -, . or an inner capital, or longer than 12"
    ),
}

_TOKEN: Final = r"[A-Za-z0-9_.-]+"
_FEW: Final = 16


def find(text: str, params: Mapping[str, Any], others: AbstractSet[str] = frozenset()) -> Iterator[Hit]:
    """Whole identifiers in the text that are names of other tools."""
    if not others:
        return
    # A handful of plain searches is quicker than cutting the text into tokens.
    if len(others) <= _FEW and not any(name in text for name in others):
        return
    shortest = params.get("min_length", PARAMS["min_length"].default)
    distinctive = params.get("distinctive", PARAMS["distinctive"].default)
    for match in compiled(_TOKEN).finditer(text):
        name = match[0]
        if name not in others:
            name = name.rstrip(".-")  # the end of a sentence, a dash
            if name not in others:
                continue
        if len(name) >= shortest and (not distinctive or _is_distinctive(name)):
            yield Hit(match.start(), match.start() + len(name), f"{name} is another tool of this listing")


def _is_distinctive(name: str) -> bool:
    return len(name) > 12 or any(c in "_-." for c in name) or any(c.isupper() for c in name[1:])
