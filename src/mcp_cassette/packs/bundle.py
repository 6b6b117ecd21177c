"""The bundled packs as a run needs them, worked out beforehand: reading their TOML takes longer than a small file does.

``bundled.json`` is written by scripts/generate. A pack that was edited since has another hash, and its TOML is read.
"""

from __future__ import annotations

import gc
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import orjson

_FILE = Path(__file__).with_name("bundled.json")
_NOT_NEEDED = frozenset({"test", "example"})


@cache
def _stored() -> dict[str, Any]:
    running = gc.isenabled()
    gc.disable()  # nothing in it can be garbage, and to look for some takes as long as to read it
    try:
        stored: dict[str, Any] = orjson.loads(_FILE.read_bytes())
    except (OSError, ValueError):
        return {"packs": {}, "index": {}}
    finally:
        if running:
            gc.enable()
    return stored


def stored_tables(path: Path) -> dict[str, Any] | None:
    """The tables of a bundled pack without its tests; None where they are not of this very file. Raises OSError."""
    entry = _stored()["packs"].get(path.name)
    if entry is None or entry["sha256"] != hashlib.sha256(path.read_bytes()).hexdigest():
        return None
    tables: dict[str, Any] = entry["tables"]
    return tables


def stored_index() -> dict[str, Any]:
    """What the patterns of the bundled packs need, as ``match.index`` lays it out."""
    index: dict[str, Any] = _stored()["index"]
    return index


def bundle(files: dict[str, tuple[bytes, dict[str, Any]]], index: dict[str, Any]) -> str:
    """The text of ``bundled.json``: of file names, bytes and tables, and of what patterns need."""
    packs = {
        name: {"sha256": hashlib.sha256(raw).hexdigest(), "tables": _trimmed(tables)}
        for name, (raw, tables) in sorted(files.items())
    }
    options = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    # A line for each pack and each chain, so that changes can be read.
    text = orjson.dumps({"index": index, "packs": packs}, option=options).decode()
    return text.replace('},"', '},\n"').replace("],[", "],\n[")


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
