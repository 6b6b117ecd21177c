"""Which format a file is in, told from its first line (or from the whole of a document), never from its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO

from mcp_cassette.errors import InputError
from mcp_cassette.formats.cassette import is_entry, read_entries, version_of
from mcp_cassette.formats.entries import Entry, entry_type
from mcp_cassette.formats.jsontext import BadJson, parse, parse_document
from mcp_cassette.formats.lines import LIMIT, Line, Lines
from mcp_cassette.formats.listing import is_listing
from mcp_cassette.formats.problems import Problems
from mcp_cassette.formats.wording import wide_encoding
from mcp_cassette.model import Problem


def known_formats() -> str:
    """The formats that are read, in words."""
    return (
        "native cassettes (v1, v2), saved tools/list, prompts/list, resources/list and resources/templates/list results"
    )


@dataclass(frozen=True, slots=True)
class Source:
    """An open file in a known format: ``cassette-v1``, ``cassette-v2`` or ``listing``."""

    format: str
    _entries: Callable[[], Iterator[Entry | Problem]]

    def entries(self) -> Iterator[Entry | Problem]:
        """The entries and the problems of the file, in its order, as they are read: call it once. An error of the
        operating system while reading is a problem, and the last."""
        return self._entries()


def open_source(name: str, stream: BinaryIO) -> Source:
    """Recognise what a buffered binary stream holds; it need not be seekable, and stays the caller's to close.

    ``name`` is the file's name for problems. Only as much is read as it takes to know: the first lines of a cassette
    (its entries come one by one), the whole of a listing (at most 256 MiB). Raises InputError, with the place where
    there is one, when nothing in it can be linted.
    """
    try:
        return _recognise(name, stream)
    except OSError as error:
        raise InputError(_os_reason(error), file=name) from error


def _recognise(name: str, stream: BinaryIO) -> Source:
    lines = Lines(stream)
    first = next(lines, None)
    if first is None:
        raise InputError("the file holds only blank lines" if lines.number else "the file is empty", file=name)
    if first.too_long:
        raise InputError(f"the first line is longer than {LIMIT >> 20} MiB", file=name, line=first.number)
    if encoding := wide_encoding(first.data):
        raise InputError(f"the file is {encoding}, not UTF-8", file=name, line=first.number, column=1)
    value, failure = _attempt(first)
    if failure is None and is_entry(value):
        if entry_type(value) != "header":
            return _cassette(name, 1, chain([first], lines), headed=False)
        version = version_of(value, file=name, line=first.number)
        return _cassette(name, version, chain([first], lines), headed=True)
    second = next(lines, None)
    if failure is None and is_listing(value):
        if second is not None:
            reason = "more follows the first JSON value (a saved listing is one document)"
            raise InputError(reason, file=name, line=second.number)
        return _listing(name, b"\n" * (first.number - 1) + first.data)
    if second is not None and is_entry(_attempt(second)[0]):
        return _cassette(name, 1, chain([first, second], lines), headed=False)  # its first line is damaged
    if failure is None:
        raise InputError(f"no known format: this tool reads {known_formats()}", file=name, line=first.number)
    if failure.between_tokens and second is not None:
        return _listing(name, _document(name, lines, first, second))
    reason = f"no known format ({failure.reason}): this tool reads {known_formats()}"
    raise InputError(reason, file=name, line=first.number, column=failure.column)


def _attempt(line: Line) -> tuple[Any, BadJson | None]:
    try:
        return parse(line.data)[0], None
    except BadJson as error:
        return None, error


def _document(name: str, lines: Lines, first: Line, second: Line) -> bytes:
    """The whole of a document, blank lines in their place so that line numbers hold."""
    before = b"\n" * (first.number - 1) + first.data + first.end
    before += b"\n" * (second.number - first.number - 1) + second.data + second.end
    document = before + lines.rest(LIMIT + 1 - len(before))
    if len(document) > LIMIT or second.too_long:
        raise InputError(f"the document is longer than {LIMIT >> 20} MiB", file=name)
    return document


def _listing(name: str, document: bytes) -> Source:
    try:
        value, defects, within = parse_document(document)
    except BadJson as error:
        raise InputError(error.reason, file=name, line=error.line, column=error.column) from None
    if not is_listing(value):
        raise InputError(f"no known format: this tool reads {known_formats()}", file=name)

    def entries() -> Iterator[Entry | Problem]:
        problems = Problems(name)
        yield from problems.defects(1, defects, within)
        yield Entry("listing", 1, value, document, defects)
        yield from problems.rest()

    return Source("listing", entries)


def _cassette(name: str, version: int, lines: Iterator[Line], *, headed: bool) -> Source:
    def entries() -> Iterator[Entry | Problem]:
        try:
            yield from read_entries(lines, file=name, headed=headed)
        except OSError as error:
            yield Problem(name, None, None, _os_reason(error))

    return Source(f"cassette-v{version}", entries)


def _os_reason(error: OSError) -> str:
    return f"cannot be read: {error.strerror or type(error).__name__}"
