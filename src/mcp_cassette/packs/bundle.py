"""The bundled packs as a run needs them, worked out beforehand: reading their TOML takes longer than a small file does.

``bundled.json`` is written by scripts/generate. A pack that was edited since has another hash, and its TOML is read.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import orjson

_FILE = Path(__file__).with_name("bundled.json")
_NOT_NEEDED = frozenset({"test", "example"})


@cache
def _stored() -> dict[str, Any]:
    try:
        stored: dict[str, Any] = orjson.loads(_FILE.read_bytes())
    except (OSError, ValueError):
        return {"packs": {}, "needs": {}, "groups": []}
    return stored


def stored_tables(path: Path) -> dict[str, Any] | None:
    """The tables of a bundled pack without its tests; None where they are not of this very file. Raises OSError."""
    entry = _stored()["packs"].get(path.name)
    if entry is None or entry["sha256"] != hashlib.sha256(path.read_bytes()).hexdigest():
        return None
    tables: dict[str, Any] = entry["tables"]
    return tables


Needs: TypeAlias = tuple[int, list[list[int]]]
Chains: TypeAlias = list[list[tuple[tuple[str, ...], int]]]


def stored_needs(expression: str) -> Needs | None:
    """The most characters an expression of a bundled pack matches and the chains of words it needs, each as numbers of
    groups and distances in turn, as ``match.needs`` finds them; None for any other."""
    found: Needs | None = _stored()["needs"].get(key_of(expression))
    return found


def stored_words(number: int) -> list[str]:
    """The words of a group."""
    words: list[str] = _stored()["groups"][number]
    return words


def key_of(expression: str) -> str:
    """A short name for an expression."""
    return hashlib.blake2b(expression.encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()


def bundle(files: dict[str, tuple[bytes, dict[str, Any]]], needs: dict[str, tuple[int, Chains]]) -> str:
    """The text of ``bundled.json``: of file names, bytes and tables, and of what expressions need."""
    packs = {
        name: {"sha256": hashlib.sha256(raw).hexdigest(), "tables": _trimmed(tables)}
        for name, (raw, tables) in sorted(files.items())
    }
    options = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    groups = sorted({words for _, chains in needs.values() for chain in chains for words, _ in chain})
    number = {words: i for i, words in enumerate(groups)}
    numbered = {
        key_of(e): (reach, [[n for words, gap in chain for n in (number[words], gap)] for chain in chains])
        for e, (reach, chains) in needs.items()
    }
    stored = {"groups": groups, "needs": numbered, "packs": packs}
    # A line for each pack and each expression, so that changes can be read.
    return orjson.dumps(stored, option=options).decode().replace('},"', '},\n"').replace(']],"', ']],\n"')


def _trimmed(tables: dict[str, Any]) -> dict[str, Any]:
    from mcp_cassette.packs.compile import words_expression

    def trim(value: Any) -> Any:
        if isinstance(value, list):
            return [trim(item) for item in value]
        if not isinstance(value, dict):
            return value
        out = {key: trim(item) for key, item in value.items() if key not in _NOT_NEEDED}
        if "words" in out:
            out["expression"] = words_expression(out["words"])
        return out

    trimmed: dict[str, Any] = trim(tables)
    return trimmed
