"""From the bytes of a file to entries: lines, listings, and how the formats are told apart."""

import io
import json
import os
import threading
import tracemalloc
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import pytest

from mcp_cassette.errors import InputError
from mcp_cassette.formats import detect
from mcp_cassette.formats.detect import known_formats, open_source
from mcp_cassette.formats.entries import Entry, Members
from mcp_cassette.formats.lines import Line, Lines
from mcp_cassette.model import Problem, Severity

HEADER = (
    b'{"type":"header","cassetteVersion":2,"recorder":"r@1","startedAt":"2026-01-01T00:00:00Z","transport":"stdio"}\n'
)
FRAME = b'{"type":"frame","t":1,"dir":"s2c","frame":{"jsonrpc":"2.0","id":1,"result":{}}}\n'
ERROR, WARNING = Severity.ERROR, Severity.WARNING


def read(data: bytes) -> tuple[str, list[Entry], list[Problem]]:
    source = open_source("f", io.BytesIO(data))
    items = list(source.entries())
    return (
        source.format,
        [item for item in items if isinstance(item, Entry)],
        [item for item in items if isinstance(item, Problem)],
    )


def refused(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        open_source("f", io.BytesIO(data))
    assert caught.value.file == "f"
    return caught.value


# Lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a", [(1, b"a", b"")]),
        (b"a\nb\r\n", [(1, b"a", b"\n"), (2, b"b", b"\r\n")]),
        (b"a\rb\x0bc\x0cd\xe2\x80\xa8e\xc2\x85f\n", [(1, b"a\rb\x0bc\x0cd\xe2\x80\xa8e\xc2\x85f", b"\n")]),
        (b"\n \t\r\n\r\na\n\n", [(4, b"a", b"\n")]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", [(1, b"a", b"\n"), (2, b"\xef\xbb\xbfb", b"")]),
        (b"\xef\xbb\xbf\na", [(2, b"a", b"")]),
        (b"a\r", [(1, b"a\r", b"")]),
    ],
)
def test_only_lf_ends_a_line(data: bytes, lines: list[tuple[int, bytes, bytes]]) -> None:
    assert list(Lines(io.BytesIO(data))) == [Line(*line) for line in lines]


def test_a_line_beyond_the_limit_is_skipped_to_its_end() -> None:
    data = b"12345678\r\n123456789\n" + b"x" * 3_000_000 + b"\nb\n" + b"y" * 20
    assert list(Lines(io.BytesIO(data), limit=8)) == [
        Line(1, b"12345678", b"\r\n"),
        Line(2, b"", b"\n", True),
        Line(3, b"", b"\n", True),
        Line(4, b"b", b"\n"),
        Line(5, b"", b"", True),
    ]
    assert list(Lines(io.BytesIO(b"\xef\xbb\xbf12345678\r\n1"), limit=8)) == [
        Line(1, b"12345678", b"\r\n"),
        Line(2, b"1", b""),
    ]


# Listings

TOOL = {"name": "t", "description": "d", "inputSchema": {"type": "object"}}


@pytest.mark.parametrize(
    "value",
    [
        {"tools": [TOOL]},
        {"tools": []},
        {"prompts": [{"name": "p"}], "nextCursor": "x"},
        {"resources": [{"uri": "u", "name": "r"}], "resourceTemplates": []},
        {"resourceTemplates": [{"uriTemplate": "u"}]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}},
        {"tools": [None, TOOL]},
        [TOOL, TOOL],
        [{"name": "t", "title": "T"}],
        [{"name": "t", "inputSchema": {}}, 1],
        [{"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}}, {"jsonrpc": "2.0", "id": 2, "result": {}}],
        [{"prompts": []}, {"tools": [TOOL]}],
    ],
)
@pytest.mark.parametrize("indent", [None, 1, "\t"])
@pytest.mark.parametrize(("mark", "end"), [(b"", b"\n"), (b"\xef\xbb\xbf", b"\r\n"), (b"", b"")])
def test_a_saved_listing(value: Any, indent: Any, mark: bytes, end: bytes) -> None:
    document = json.dumps(value, indent=indent).encode().replace(b"\n", end or b"\n")
    version, (entry,), found = read(mark + document + end)
    assert (version, found) == ("listing", [])
    assert (entry.kind, entry.line, entry.value, entry.defects) == ("listing", 1, value, ())
    assert entry.raw.rstrip(b"\r\n") == document


def test_blank_lines_before_and_in_a_listing_count() -> None:
    (entry,) = read(b'\n\n{\n\n"tools":[{"name":"t"}]\n}')[1]
    assert entry.raw == b'\n\n{\n\n"tools":[{"name":"t"}]\n}'
    (entry,) = read(b'\n\n{"tools":[]}\n\n')[1]
    assert entry.raw == b'\n\n{"tools":[]}'


def test_defects_of_a_listing_have_their_lines() -> None:
    _, (entry,), found = read(b'{\n"tools":[\n{"name":"t","x":NaN,\n"y":"\\udc00","y":"\xff"}]}')
    assert [(p.line, p.column, p.severity) for p in found] == [(4, 19, ERROR), (3, 17, ERROR), (4, 6, WARNING)]
    assert [d.kind for d in entry.defects] == ["utf8", "not-json", "surrogate", "duplicate-key"]
    assert isinstance(entry.value["tools"][0], Members)


def test_a_broken_listing_is_refused_with_its_place() -> None:
    error = refused(b'{\n  "tools": [\n    {"name": "a" "b"}\n  ]\n}')
    assert (error.line, error.column) == (3, 18)
    assert error.reason == 'expected , or } here, found: "b"}\n  ]\n}'.replace("\n", "<U+000A>")
    assert refused(b'{\n  "tools": [\n').reason == "the document ends inside an array (truncated?)"
    assert refused(b'{"tools":[]}\n\n{"tools":[]}\n').line == 3


# What is no format


@pytest.mark.parametrize(
    ("data", "reason", "line"),
    [
        (b"", "the file is empty", None),
        (b"\n \r\n\t\n", "the file holds only blank lines", None),
        (b'{"type":"header","cassetteVersion":3}', "cassetteVersion 3 is newer than this tool reads (1, 2)", 1),
        (b'\n{"type":"header","cassetteVersion":0}', "cassetteVersion 0 is none that this tool reads (1, 2)", 2),
        (
            b'{"type":"header","cassetteVersion":"1"}',
            'cassetteVersion must be an integer, not "1" (this tool reads 1, 2)',
            1,
        ),
        (
            b'{"type":"header","cassetteVersion":true}',
            "cassetteVersion must be an integer, not true (this tool reads 1, 2)",
            1,
        ),
        (
            b'{"type":"header","cassetteVersion":1.5}',
            "cassetteVersion must be an integer, not 1.5 (this tool reads 1, 2)",
            1,
        ),
        (b'{"type":"header"}', "the header has no cassetteVersion (this tool reads 1, 2)", 1),
        ('{"a":1}'.encode("utf-16"), "the file is UTF-16, not UTF-8", 1),
        ('{\n"tools":[]}'.encode("utf-16-le"), "the file is UTF-16, not UTF-8", 1),
    ],
)
def test_what_cannot_be_linted_is_refused(data: bytes, reason: str, line: int | None) -> None:
    error = refused(data)
    assert (error.reason, error.line) == (reason, line)


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b"null",
        b"[\n]",
        b"{}",
        b'{\n"a": 1\n}',
        b"1",
        b'"tools"',
        b'{"ts":1.5,"dir":"client->server","msg":{"id":1}}\n{"ts":1.6,"dir":"server->client","msg":{}}\n',
        b'{"t":0.1,"dir":"c2s","raw":"{}"}\n',
        b"messages:\n- dir: c2s\n",
        b"\x00\x00\x00\x00",
        b"\x89PNG\r\n\x1a\n",
        b'{"tools":["bash"]}',
        b'{"tools":{}}',
        b'[{"name":"x"}]',
        b"[[]]",
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}',
        b'{"result":[]}',
        b'{"type":"module","name":"x"}',
        b"\xff\xff\n",
    ],
)
def test_other_files_are_of_no_known_format(data: bytes) -> None:
    error = refused(data)
    assert error.reason.startswith("no known format")
    assert known_formats() in error.reason
    assert "native cassettes (v1, v2)" in error.reason


# Streams


class Endless(io.RawIOBase):
    """A cassette of any length that cannot be sought in."""

    def __init__(self, frames: int) -> None:
        self.source = self.chunks(frames)

    @staticmethod
    def chunks(frames: int) -> Iterator[bytes]:
        yield HEADER
        for _ in range(frames // 100):
            yield FRAME * 100

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = next(self.source, b"")
        buffer[: len(chunk)] = chunk
        return len(chunk)


def test_memory_does_not_grow_with_a_cassette() -> None:
    def peak(frames: int) -> int:
        tracemalloc.start()
        count = sum(1 for _ in open_source("-", io.BufferedReader(Endless(frames), 1 << 16)).entries())
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == frames + 1
        return size

    peak(100)
    assert peak(20_000) < peak(1_000) + 100_000


def test_a_pipe_is_read_as_it_comes() -> None:
    read_end, write_end = os.pipe()
    with open(read_end, "rb") as stream, open(write_end, "wb", buffering=0) as pipe:  # noqa: PTH123
        pipe.write(HEADER + FRAME)
        timer = threading.Timer(5, pipe.close)  # a reader that waits for the end must fail, not hang
        timer.start()
        entries = open_source("-", stream).entries()
        assert [cast(Entry, next(entries)).kind for _ in range(2)] == ["header", "frame"]
        assert timer.is_alive()
        timer.cancel()


class Failing(io.BytesIO):
    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(-1 if size is None else size)
        if not line:
            raise OSError(5, "Input/output error")
        return line


def test_a_stream_that_fails_is_a_problem() -> None:
    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        open_source("f", Failing(b""))
    items = list(open_source("f", Failing(HEADER + FRAME)).entries())
    assert items[-1] == Problem("f", None, None, "cannot be read: Input/output error", ERROR)
    assert len(items) == 3


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "LIMIT", 1 << 20)
    big = b'{"tools":[\n' + b" " * (1 << 20) + b"]}"
    assert refused(big).reason == "the document is longer than 1 MiB"

    def limited(stream: BinaryIO) -> Lines:
        return Lines(stream, 1 << 20)

    monkeypatch.setattr(detect, "Lines", limited)
    assert refused(b"[" + b" " * (1 << 20) + b"]").reason == "the first line is longer than 1 MiB"
    _, entries, found = read(HEADER + b" " * (1 << 20) + b"x\n" + FRAME)
    assert [entry.line for entry in entries] == [1, 3]
    assert [(p.line, p.reason) for p in found] == [(2, "the line is longer than 256 MiB: not read")]
