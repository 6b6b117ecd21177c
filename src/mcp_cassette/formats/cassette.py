"""Native cassettes, v1 and v2: a header line, then one entry a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcp_cassette.errors import InputError
from mcp_cassette.formats.entries import ENVELOPE, Entry, Kind, entry_type, members
from mcp_cassette.formats.jsontext import BadJson, parse
from mcp_cassette.formats.lines import LIMIT, Line
from mcp_cassette.formats.problems import Problems
from mcp_cassette.formats.quote import quote
from mcp_cassette.model import Problem

VERSIONS = (1, 2)


def is_entry(value: Any) -> bool:
    """Whether a JSON value is an entry that only a native cassette has (the header among them)."""
    if not isinstance(value, dict):
        return False
    kind = entry_type(value)
    if kind == "header":
        return True
    return (kind == "frame" and "frame" in value) or (kind in ("frame", "raw", "chunks") and "dir" in value)


def version_of(header: dict[str, Any], *, file: str, line: int) -> int:
    """The ``cassetteVersion`` of a header. Raises InputError when it is none that is read."""
    known = ", ".join(map(str, VERSIONS))
    if "cassetteVersion" not in header:
        raise InputError(f"the header has no cassetteVersion (this tool reads {known})", file=file, line=line)
    version = header["cassetteVersion"]
    if not isinstance(version, int) or isinstance(version, bool):
        reason = f"cassetteVersion must be an integer, not {_shown(version)} (this tool reads {known})"
        raise InputError(reason, file=file, line=line)
    if version not in VERSIONS:
        what = "is newer than this tool reads" if version > max(VERSIONS) else "is none that this tool reads"
        raise InputError(f"cassetteVersion {quote(str(version), 40)} {what} ({known})", file=file, line=line)
    return version


def read_entries(lines: Iterable[Line], *, file: str, headed: bool, limit: int = LIMIT) -> Iterator[Entry | Problem]:
    """The entries of a cassette and the problems of its lines, in the order of the file.

    ``lines`` are all lines from the first on; ``headed`` says that the first of them is a header which was found good
    (``version_of``). What is wrong with a line is a problem. An entry comes all the same where its line is an object
    that carries something, of whatever JSON type: what a stranger wrote in the wrong shape is still to be linted.
    """
    problems = Problems(file)
    first: int | None = None
    unsaid: int | None = None  # the line that stands where the header should, until a late header says it all
    for line in lines:
        if first is None:
            first = line.number
        if line.too_long:
            yield from problems.make(line.number, None, f"the line is longer than {limit >> 20} MiB: not read")
            continue
        try:
            value, defects = parse(line.data)
        except BadJson as error:
            last = "" if line.end or not error.truncated else "the last line is not complete: "
            yield from problems.make(line.number, error.column, last + error.reason)
            continue
        if line.number == first and not headed:
            unsaid = line.number
        if defects:
            yield from problems.defects(line.number, defects)
        kind, reasons, readable = _judge(value)
        if kind == "header" and (line.number != first or not headed):
            again = f"a second header (the first is line {first})"
            reasons, readable = [again if headed else "the header must be the first line"], False
            unsaid = None
        for reason in reasons:
            yield from problems.make(line.number, None, reason)
        if kind == "unknown" and readable:
            yield from problems.unknown(line.number, f'entry type "{quote(value["type"])}" is not known: skipped')
        if readable:
            yield Entry(kind, line.number, value, line.data, defects)
    if unsaid is not None:
        yield from problems.make(unsaid, None, "the first line must be the header")
    yield from problems.rest()


def _judge(value: Any) -> tuple[Kind, list[str], bool]:
    """The kind of an entry, what is wrong with it, and whether there is anything in it to hand on all the same.

    Of equal keys the last counts here, as for most parsers (but see ``entry_type``).
    """
    if not isinstance(value, dict):
        return "unknown", [f"an entry must be an object, not {_shown(value)}"], False
    kind = entry_type(value)
    if kind == "frame":
        wrong = _direction(value)
        if not isinstance(value.get("frame"), (dict, list)):
            wrong.append(f"the frame must be an object or an array, {_not_but(value, 'frame')}")
        return "frame", wrong, _carries(value)
    if kind == "raw":
        wrong = _direction(value)
        if not isinstance(value.get("data"), str):
            wrong.append(f"the data of a raw entry must be a string, {_not_but(value, 'data')}")
        return "raw", wrong, _carries(value)
    if kind == "chunks":
        wrong = _direction(value) if "dir" in value else []
        return "chunks", wrong + _chunks(value), _carries(value)
    if kind == "header":
        return "header", [], True
    if not isinstance(kind, str):
        return "unknown", [f"the type of an entry must be a string, {_not_but(value, 'type')}"], False
    return "unknown", [], True


def _carries(value: dict[str, Any]) -> bool:
    """Whether there is anything in an entry beside its envelope: in the right place or not, it is to be linted."""
    return any(child is not None and key not in ENVELOPE for key, child in members(value))


def _direction(value: dict[str, Any]) -> list[str]:
    return [] if value.get("dir") in ("c2s", "s2c") else [f"the dir must be c2s or s2c, {_not_but(value, 'dir')}"]


def _chunks(value: dict[str, Any]) -> list[str]:
    chunks = value.get("chunks")
    if not isinstance(chunks, list):
        return [f"the chunks must be an array, {_not_but(value, 'chunks')}"]
    wrong = []
    for index, chunk in enumerate(chunks):
        if not isinstance(chunk, dict):
            wrong.append(f"chunk {index} must be an object, not {_shown(chunk)}")
        elif not isinstance(chunk.get("frame"), (dict, list)):
            wrong.append(f"the frame of chunk {index} must be an object or an array, {_not_but(chunk, 'frame')}")
    return wrong


def _not_but(value: dict[str, Any], key: str) -> str:
    return f"not {_shown(value[key])}" if key in value else "and is missing"


def _shown(value: Any) -> str:
    """A value that should not be there, in a few words."""
    if isinstance(value, str):
        return f'"{quote(value, 40)}"'
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return quote(repr(value), 40)
