"""One large cassette on several cores: split at line ends, linted part by part, put together as if it were read whole.

Where the parts cannot be put together to the very result of a single pass (a limit was reached in one of them, say),
``None`` says so and the file is read whole.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from mcp_cassette.errors import InputError
from mcp_cassette.formats.detect import open_source
from mcp_cassette.formats.entries import Entry
from mcp_cassette.formats.jsontext import parse
from mcp_cassette.lint.file import FileLint, FileResult, Job
from mcp_cassette.lint.keep import LIMIT, sort_key
from mcp_cassette.model import Finding, Problem, Severity
from mcp_cassette.walk import Deferred, Tangled

if TYPE_CHECKING:
    from concurrent.futures import Future

_FEW = 15
"""Problems of a part beyond which a limit of the reader may have been reached."""
_HEADER_MAX = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Part:
    """What came of one stretch. Lines count from 2, the header being line 1; ``lines`` is how many the stretch has."""

    result: FileResult
    deferred: tuple[Deferred, ...]
    lines: int


class _Stretch(io.RawIOBase):
    """A header, and behind it the lines of a file from one offset to another."""

    def __init__(self, stream: BinaryIO, header: bytes, start: int, end: int) -> None:
        stream.seek(start)
        self._stream, self._header, self._left = stream, header, end - start
        self.lines = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        if self._header:
            header, self._header = self._header, b""
            return header
        limit = self._left if size is None or size < 0 else min(size, self._left)
        line = self._stream.readline(limit)
        self._left -= len(line)
        self.lines += line.endswith(b"\n")
        return line


def split(path: Path, parts: int) -> tuple[bytes, list[tuple[int, int]]] | None:
    """The header line of a cassette, and stretches of what follows it, each of whole lines."""
    with path.open("rb") as stream:
        header = stream.readline(_HEADER_MAX)
        size = stream.seek(0, io.SEEK_END)
        if not header.endswith(b"\n"):
            return None
        cuts = [len(header)]
        for i in range(1, parts):
            stream.seek(len(header) + (size - len(header)) * i // parts)
            stream.readline()
            cuts.append(min(stream.tell(), size))
        cuts.append(size)
    return header, [(a, b) for a, b in pairwise(cuts) if a < b]


def lint_part(path: Path, name: str, header: bytes, start: int, end: int, job: Job) -> Part | None:
    """Lint one stretch; None where it does not stand for itself."""
    with path.open("rb") as stream:
        stretch = _Stretch(stream, header, start, end)
        try:
            result, deferred = FileLint(name, job).run_part(cast("BinaryIO", stretch))
        except (Tangled, InputError, OSError):
            return None
    whole = len(result.problems) <= _FEW and not (result.contradictions or result.out_of_budget or result.source.capped)
    # Raw lines travel, their values are parsed again: most parts put off only a few.
    light = tuple(replace(d, entry=replace(d.entry, value=None, defects=())) for d in deferred)
    return Part(result, light, stretch.lines) if whole else None


def lint_split(
    path: Path, name: str, job: Job, workers: int, submit: Callable[..., Future[Any]]
) -> Callable[[], FileResult | None]:
    """Start linting a file in parts: ``submit`` runs a function in a worker, which adds the job it has as the last
    argument. What is returned waits for the parts and puts them together; None: read the file whole."""
    pieces = split(path, workers)
    first = _header_entry(name, pieces[0]) if pieces is not None else None
    if pieces is None or first is None:
        return lambda: None
    header, stretches = pieces
    entry, format_ = first
    futures = [submit(lint_part, path, name, header, start, end) for start, end in stretches]

    def gather() -> FileResult | None:
        parts = [future.result() for future in futures]
        if any(part is None for part in parts):
            return None
        return _join(name, job, entry, format_, [part for part in parts if part is not None])

    return gather


def _header_entry(name: str, header: bytes) -> tuple[Entry, str] | None:
    """The entry of a header that has nothing odd about it."""
    try:
        source = open_source(name, io.BytesIO(header))
        entries = list(source.entries())
    except InputError:
        return None
    if len(entries) != 1 or isinstance(entries[0], Problem):
        return None
    entry = entries[0]
    return (entry, source.format) if entry.kind == "header" and not entry.defects else None


def _join(name: str, job: Job, header: Entry, format_: str, parts: Sequence[Part]) -> FileResult | None:
    results: list[FileResult] = []
    deferred: list[Deferred] = []
    before = 0
    for part in parts:
        results.append(_moved(part.result, before))
        deferred += [replace(d, entry=_whole(d.entry, before)) for d in part.deferred]
        before += part.lines
    deferred.sort(key=lambda d: d.entry.line)
    last = FileLint(name, job).run_deferred(header, deferred, format_)
    results.append(last)
    total = sum(r.source.findings + r.known + r.suppressed for r in results)
    if total > LIMIT or last.out_of_budget:
        return None
    every: list[Problem] = [p for r in results for p in r.problems]
    source = replace(
        last.source,
        lines=sum(r.source.lines for r in results[:-1]) - len(parts) + 1,  # the header stands in each part
        frames=sum(r.source.frames for r in results[:-1]),
        findings=sum(r.source.findings for r in results),
        agrees=None if any(p.severity is Severity.ERROR for p in every) else last.source.agrees,
    )
    return FileResult(
        source,
        sorted((f for r in results for f in r.findings), key=sort_key),
        every,
        {level: sum(r.levels[level] for r in results) for level in last.levels},
        last.contradictions,
        known=sum(r.known for r in results),
        suppressed=sum(r.suppressed for r in results),
        suppressions=frozenset().union(*(r.suppressions for r in results)),
        accepted=frozenset().union(*(r.accepted for r in results)),
    )


def _whole(entry: Entry, before: int) -> Entry:
    """A deferred entry with its value, at its line of the file."""
    value, defects = parse(entry.raw)
    return replace(entry, line=entry.line + before, value=value, defects=defects)


def _moved(result: FileResult, before: int) -> FileResult:
    """The result of a part with the line numbers of the file."""

    def move(item: Any) -> Any:
        return replace(item, line=item.line + before) if before and item.line is not None else item

    findings: list[Finding] = [move(f) for f in result.findings]
    return replace(result, findings=findings, problems=[move(p) for p in result.problems])
