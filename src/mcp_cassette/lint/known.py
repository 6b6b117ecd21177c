"""The file of known findings: what was there when the linter arrived and was accepted.

JSON with one entry a line, sorted, and nothing in it that changes while the finding does not: no line numbers, times
or versions of the tool. What counts is the ``finding_id``; the rest of an entry tells a reader which one it is, and an
update what the entry belongs to.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from mcp_cassette.config import FINDING_ID
from mcp_cassette.errors import ConfigError
from mcp_cassette.lint.aside import Accepted
from mcp_cassette.model import Path as JsonPath
from mcp_cassette.neutral import clip
from mcp_cassette.pointer import Locator
from mcp_cassette.shape import Key, Table, Where, check
from mcp_cassette.writing import replace_file

VERSION = 1
UPDATE = "--update-known-findings"
_LONGEST = 200
"""Characters of a subject that are written: its purpose is to be read, and strangers choose it."""
_HEAD = re.compile(rb'\s*\{\s*"version"\s*:\s*(\d{1,9})\s*,\s*"findings"\s*:\s*\[\s*')

ENTRY = Table(
    "a known finding",
    "One accepted finding in one file.",
    {
        "finding_id": Key("string", "what it is known by", required=True, pattern=FINDING_ID),
        "rule": Key("string", "the rule that found it", required=True, min_length=1),
        "subject": Key("string", "what it was found in (a tool, say); at most 200 characters", required=True),
        "surface": Key("string", "where the text stands; empty for the structure of a file", required=True),
        "file": Key("string", "the file it was found in, relative to this one", required=True, min_length=1),
    },
)
KNOWN = Table(
    "the file of known findings",
    "What `mcp-cassette lint --update-known-findings` writes.",
    {
        "version": Key("int", "the version of this format", required=True, minimum=VERSION, maximum=VERSION),
        "findings": Key("tables", "the accepted findings", required=True, table=ENTRY),
    },
)


class Known(NamedTuple):
    """An entry; the order of the fields is the order of the file."""

    file: str
    rule: str
    subject: str
    surface: str
    finding_id: str


def read(path: Path, shown: str) -> frozenset[Known]:
    """The entries of a file. Raises ConfigError, with the line, for what is not one."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        hint = f" ({UPDATE} writes it)" if isinstance(error, FileNotFoundError) else ""
        reason = f"the known findings cannot be read: {error.strerror or error}{hint}"
        raise ConfigError(reason, file=shown) from None
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        document = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigError("not UTF-8", file=shown) from None
    except RecursionError:
        raise ConfigError("nested too deep", file=shown) from None
    except json.JSONDecodeError as error:
        return _read_lines(raw, shown, error)
    except ValueError as error:  # a number of thousands of digits
        raise ConfigError(f"not JSON: {error}", file=shown) from None
    if not isinstance(document, dict):
        raise ConfigError("not a file of known findings", file=shown, line=1)

    def fail(where: Where, reason: str) -> NoReturn:
        raise ConfigError(reason, file=shown, line=_line(raw, where))

    check(document, KNOWN, fail)
    return frozenset(map(_known, document["findings"]))


def _known(entry: Mapping[str, str]) -> Known:
    return Known(*(entry[field] for field in Known._fields))


def _line(raw: bytes, where: Where) -> int:
    path: JsonPath = ()
    for step in where:
        path = (path, step)
    region = Locator(raw, 1).locate(path, 0, 0)
    return region.line if region else 1


def _read_lines(raw: bytes, shown: str, error: json.JSONDecodeError) -> frozenset[Known]:
    """The entries of a file that is no JSON because two versions of it were merged: as a rule a comma is missing
    between the last entry of one and the first of the other. Every line must be an entry all the same."""
    broken = ConfigError(f"not JSON: {error.msg}", file=shown, line=error.lineno, column=error.colno)
    head, body = _HEAD.match(raw), raw.rstrip()
    if not head or int(head[1]) != VERSION or not body.endswith(b"]}"):
        raise broken
    entries: list[Known] = []
    first = raw.count(b"\n", 0, head.end()) + 1
    for number, line in enumerate(body[head.end() : -2].split(b"\n"), first):
        line = line.strip().removesuffix(b",")
        if not line:
            continue

        def fail(where: Where, reason: str, line: int = number) -> NoReturn:
            raise ConfigError(reason, file=shown, line=line)

        try:
            entry: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise broken if number == error.lineno else ConfigError("not an entry", file=shown, line=number) from None
        if not isinstance(entry, dict):
            fail((), "not an entry")
        check(entry, ENTRY, fail)
        entries.append(_known(entry))
    return frozenset(entries)


def written(entries: Iterable[Known]) -> bytes:
    """The file that holds the entries: the same bytes for the same entries."""
    lines = [json.dumps({key: getattr(e, key) for key in ENTRY.keys}) for e in sorted(set(entries))]
    body = "".join(f"\n {line}," for line in lines).removesuffix(",")
    return f'{{"version":{VERSION},"findings":[{body}\n]}}\n'.encode()


@dataclass(frozen=True, slots=True)
class Seen:
    """What an update needs to know of a linted file: what was accepted in it, and whether it was judged to its end."""

    file: str
    accepted: AbstractSet[Accepted]
    whole: bool


@dataclass(frozen=True, slots=True)
class Update:
    """The entries after an update, and how many came, stayed and went."""

    entries: frozenset[Known]
    added: int
    kept: int
    dropped: int


def update(old: AbstractSet[Known], files: Sequence[Seen], ran: AbstractSet[tuple[str, str]], path: Path) -> Update:
    """The old entries and those of a run. ``ran`` holds (rule id, surface) for all that was looked for.

    An entry goes when this run would have found it again (its file was read to the end and its rule read the surface),
    or when its file is gone. Files are named relative to the folder of ``path``.
    """
    folder = path.parent
    now: set[Known] = set()
    judged: set[str] = set()
    for seen in files:
        name = _relative(seen.file, folder)
        now |= {Known(name, a.rule, clip(a.subject, _LONGEST), a.surface, a.finding_id) for a in seen.accepted}
        if seen.whole:
            judged.add(name)
    stays = {
        e
        for e in old - now
        if (
            (e.rule, e.surface) not in ran if e.file in judged else e.file.startswith("<") or (folder / e.file).exists()
        )
    }
    entries = frozenset(now | stays)
    return Update(entries, len(entries - old), len(entries & old), len(old - entries))


def _relative(file: str, folder: Path) -> str:
    if file.startswith("<"):
        return file
    try:
        return os.path.relpath(os.path.abspath(file), os.path.abspath(folder)).replace(os.sep, "/")  # noqa: PTH100
    except ValueError:  # another drive
        return file


def write(path: Path, shown: str, entries: Iterable[Known]) -> None:
    """Write the file unless it holds these very bytes. Raises ConfigError."""
    data = written(entries)
    try:
        if not path.is_file() or path.read_bytes() != data:
            replace_file(path, data)
    except OSError as error:
        raise ConfigError(f"the known findings cannot be written: {error.strerror or error}", file=shown) from None
