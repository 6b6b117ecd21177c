"""A suppression added to a configuration as text: the file keeps every byte it has."""

from __future__ import annotations

import datetime
import tomllib
from typing import Any, NoReturn

import tomli_w

from mcp_cassette.errors import ConfigError
from mcp_cassette.places import Places

_HEADER = "[[tool.mcp_cassette.lint.suppress]]\n"
_WHERE = ("tool", "mcp_cassette", "lint", "suppress")


def block(finding_id: str, reason: str, until: datetime.date | None) -> str:
    """The table of one suppression, as TOML with LF line ends."""
    entry: dict[str, Any] = {"finding_id": finding_id, "reason": reason}
    return _HEADER + tomli_w.dumps(entry if until is None else entry | {"until": until})


def append(data: bytes, finding_id: str, reason: str, until: datetime.date | None, shown: str) -> tuple[bytes, int]:
    """The bytes of a TOML file with a suppression at their end, and the line of its header. ``data`` is TOML in UTF-8.

    A header of an array of tables means the same wherever it stands, so the end is the right place in any file that can
    take one. The line ends are those of most of the file. Raises ConfigError where the file cannot take it (its table
    is written inline, say); the result is parsed, and holds the old data and the new table, or it is not returned.
    """
    added = block(finding_id, reason, until)
    text = data.decode("utf-8-sig")
    plain = text.replace("\r\n", "\n")
    # An empty line before it, unless there is one, or nothing to be set apart from.
    ends = 2 if plain.strip() else 1
    gap = "\n" * (ends - min(ends, len(plain) - len(plain.rstrip("\n")))) if plain else ""
    addition = gap + added
    if data.count(b"\r\n") * 2 > data.count(b"\n"):
        addition = addition.replace("\n", "\r\n")
    new = data + addition.encode("utf-8")
    before = _parse(text)
    try:
        after = _parse(new.decode("utf-8-sig"))
    except tomllib.TOMLDecodeError:
        _refuse(text, before, added, shown)
    if not _is_added(before, after, _parse(added)):
        _refuse(text, before, added, shown)
    return new, (plain + gap).count("\n") + 1


def _parse(text: str) -> dict[str, Any]:
    # Floats as they are written: nan is not equal to itself.
    return tomllib.loads(text, parse_float=str)


def _is_added(before: dict[str, Any], after: dict[str, Any], added: dict[str, Any]) -> bool:
    """Whether ``after`` is ``before`` with one more suppression, and nothing else."""
    lint = after["tool"]["mcp_cassette"]["lint"]
    last = lint["suppress"].pop()
    if not lint["suppress"]:
        # The tables around it came with it, unless they were there.
        for path in (_WHERE, _WHERE[:3], _WHERE[:2], _WHERE[:1]):
            outer = after
            for key in path[:-1]:
                outer = outer[key]
            if not outer[path[-1]] and not _has(before, path):
                del outer[path[-1]]
    return bool(last == added["tool"]["mcp_cassette"]["lint"]["suppress"][0] and after == before)


def _has(data: Any, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(data, dict) or key not in data:
            return False
        data = data[key]
    return True


def _refuse(text: str, before: dict[str, Any], added: str, shown: str) -> NoReturn:
    inside: Any = before
    depth = 0
    for key in _WHERE:
        if not isinstance(inside, dict) or key not in inside:
            break
        inside, depth = inside[key], depth + 1
    name = "suppress" if depth == len(_WHERE) else ".".join(_WHERE[:depth]) or "a table"
    line = Places(text.replace("\r\n", "\n")).line(_WHERE[:depth])
    inline = f"{{ {', '.join(added.removeprefix(_HEADER).splitlines())} }}"
    reason = (
        f"{name} is written inline, and no table can be added to it from outside: write it with a header of its own, "
        f"or add to the list suppress by hand: {inline}"
    )
    raise ConfigError(reason, file=shown, line=line)
